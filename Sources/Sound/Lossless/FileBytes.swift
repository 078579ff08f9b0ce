import Basics
import Synchronization

/// A file that libsndfile reads, through one descriptor from beginning to end.
final class FileBytes: Sendable {
  /// The file's size when it was opened.
  let size: Int

  private let file: File
  private let state = Mutex(State())

  private struct State {
    var position = 0
    var error: FileError?
  }

  /// Takes over an open file.
  init(_ file: consuming File) throws(FileError) {
    size = try file.size()
    self.file = file
  }

  /// Why something could not be read; `nil` where everything could.
  var error: FileError? { state.withLock { $0.error } }

  /// Where the next bytes are read.
  var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = max(0, newValue) } }
  }

  /// The next bytes; fewer than asked where the file ends, or where it cannot be read.
  func read(upTo count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece: [UInt8]
      do throws(FileError) { piece = try file.read(upTo: count - bytes.count, at: position) } catch {
        state.withLock { $0.error = $0.error ?? error }
        break
      }
      if piece.isEmpty { break }
      position += piece.count
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// Bytes from a position on, wherever others have read.
  func bytes(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
    try file.read(upTo: count, at: position)
  }

  /// What changes whenever the file's content does.
  func stamp() throws(FileError) -> FileStamp { try file.stamp() }
}
