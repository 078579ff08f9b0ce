import Basics
import Synchronization

/// The file that libsndfile reads, through one descriptor throughout.
final class FileBytes: Sendable {
  /// The file's size when it was opened.
  let size: Int

  private let file: File
  private let state = Mutex(State())

  private struct State {
    var position = 0
    var error: FileError?
  }

  /// Takes ownership of an open file.
  init(_ file: consuming File) throws(FileError) {
    size = try file.size()
    self.file = file
  }

  /// The first read error; `nil` if there was none.
  var error: FileError? { state.withLock { $0.error } }

  /// The position of the next read.
  var position: Int {
    get { state.withLock { $0.position } }
    set { state.withLock { $0.position = max(0, newValue) } }
  }

  /// The next bytes; fewer than requested at the end of the file, or after a read error.
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

  /// Reads bytes from a position, without moving `position`.
  func bytes(upTo count: Int, at position: Int) throws(FileError) -> [UInt8] {
    try file.read(upTo: count, at: position)
  }

  /// A value that changes whenever the file's content does.
  func stamp() throws(FileError) -> FileStamp { try file.stamp() }
}
