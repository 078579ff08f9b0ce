package import Analysis
import Basics
package import Recordings

/// A file of heart data that is no trial's, with all that a report has of it.
package struct ReportedFile: Sendable {
  /// Its path, as it was given.
  package let path: String
  /// What it holds, a recording for each sensor or source.
  package var recordings: [Recording]
  /// How many bytes it has.
  let bytes: Int
  /// The SHA-256 of its bytes.
  let sha256: String
  /// What was known of it besides.
  let options: ReadingOptions

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: where it lies.
  ///   - options: what it does not say itself.
  /// - Returns: what it holds.
  /// - Throws: `RecordingError` where it cannot be read.
  package static func read(
    _ path: String, _ options: ReadingOptions = ReadingOptions()
  ) throws(RecordingError) -> ReportedFile {
    var hash = SHA256()
    var bytes = 0
    let recordings = try Recording.read(path: path, options) { piece in
      hash.update(piece)
      bytes += piece.count
    }
    return ReportedFile(path: path, recordings: recordings, bytes: bytes, sha256: "\(hash.digest())", options: options)
  }
}
