internal import Digests
internal import Files
public import Recordings

/// A file of heart data that is no trial's, with all that a report tells of it.
public struct ReportedFile: Sendable {
  /// Its path, as it was given.
  public let path: String
  /// What it holds, a recording for each sensor or source.
  public var recordings: [Recording]
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
  /// - Throws: `RecordingError` where it cannot be read, and `FileError` where the system refuses.
  public static func read(_ path: String, _ options: ReadingOptions = ReadingOptions()) throws -> ReportedFile {
    let recordings = try Recording.read(path: path, options)
    let (bytes, sha256) = try digest(of: path)
    return ReportedFile(path: path, recordings: recordings, bytes: bytes, sha256: sha256, options: options)
  }

  private static func digest(of path: String) throws(FileError) -> (Int, String) {
    let file = try File(path, .read)
    var hash = SHA256()
    var bytes = 0
    while true {
      let piece = try file.read(upTo: 1 << 16)
      if piece.isEmpty { return (bytes, "\(hash.digest())") }
      hash.update(piece)
      bytes += piece.count
    }
  }
}
