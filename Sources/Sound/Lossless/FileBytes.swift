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
    var patch: (bytes: [UInt8], position: Int)?
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

  /// Gives ``read(upTo:)`` other bytes at a position than the file has there.
  func replace(at position: Int, with bytes: [UInt8]) { state.withLock { $0.patch = (bytes, position) } }

  /// The next bytes; fewer than requested at the end of the file, or after a read error.
  func read(upTo count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece: [UInt8]
      do throws(FileError) { piece = try file.read(upTo: count - bytes.count, at: position) } catch {
        state.withLock { $0.error = $0.error ?? error }
        break
      }
      if piece.isEmpty { break }
      if let patch = state.withLock({ $0.patch }) {
        for (index, byte) in patch.bytes.enumerated() {
          let place = patch.position + index - position
          if piece.indices.contains(place) { piece[place] = byte }
        }
      }
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
