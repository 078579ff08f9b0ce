import Basics

/// A file, a pipe or standard input, read from beginning to end in bounded memory.
package struct FilePieces: ~Copyable {
  private static let size = 1 << 16

  private let path: String
  /// The first 64 KiB, or the whole file if it is shorter.
  package let beginning: [UInt8]
  private let file: File
  private let see: ([UInt8]) -> Void

  /// Opens a file and reads its beginning.
  ///
  /// - Parameters:
  ///   - file: the file's path; `-` is standard input.
  ///   - path: the file's name for messages.
  ///   - isRegular: whether to reject anything but a regular file, without waiting for it.
  ///   - see: called with every byte of the file while it is read.
  /// - Throws: ``RecordingError`` with the system's reason.
  package init(
    _ file: String, _ path: String, isRegular: Bool = false, see: @escaping ([UInt8]) -> Void = { _ in }
  ) throws(RecordingError) {
    self.see = see
    do throws(FileError) {
      let source = try File(file == "-" ? "/dev/stdin" : file, .read, isRegular: isRegular)
      var beginning: [UInt8] = []
      // One read of a pipe returns what is available, which may be a single line.
      while beginning.count < Self.size, case let piece = try source.read(upTo: Self.size), !piece.isEmpty {
        beginning += piece
      }
      self.beginning = beginning
      self.path = path
      self.file = source
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  /// Reads the file piece by piece.
  ///
  /// - Parameter take: called with each piece, and whether it is the last.
  /// - Throws: ``RecordingError`` with the line that `take` reports, or the system's reason.
  consuming func read(
    _ take: (_ bytes: [UInt8], _ isLast: Bool) throws(RecordingFault) -> Void
  ) throws(RecordingError) {
    var piece = beginning
    while true {
      see(piece)
      let following = piece.isEmpty ? [] : try next()
      do throws(RecordingFault) {
        try take(piece, following.isEmpty)
      } catch {
        throw .unreadable(path: path, reason: "line \(error.line): \(error.reason)")
      }
      if following.isEmpty { return }
      piece = following
    }
  }

  private borrowing func next() throws(RecordingError) -> [UInt8] {
    do throws(FileError) {
      return try file.read(upTo: Self.size)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }
}

/// Why a file cannot be read beyond a line.
struct RecordingFault: Error {
  let line: Int
  let reason: String
}
