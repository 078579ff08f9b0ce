package import Analysis
import Basics
package import Recordings

/// A heart data file without a trial, with all the data for its report.
package struct ReportedFile: Sendable {
  /// Its path as given.
  package let path: String
  /// The recordings, one for each sensor or source.
  package var recordings: [Recording]
  /// The size in bytes.
  let bytes: Int
  /// The SHA-256 of its bytes.
  let sha256: String
  /// Supplementary information that the file itself does not contain.
  let options: ReadingOptions

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - options: information that the file itself does not contain.
  /// - Returns: the file's content.
  /// - Throws: `RecordingError` if it cannot be read.
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
