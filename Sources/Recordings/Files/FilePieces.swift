import Basics

/// A file, a pipe or standard input from its beginning to its end, in flat memory.
package struct FilePieces: ~Copyable {
  private static let size = 1 << 16

  private let path: String
  /// The first 64 KiB, or all of what is shorter.
  package let beginning: [UInt8]
  private let file: File
  private let see: ([UInt8]) -> Void

  /// Opens a file and reads its beginning.
  ///
  /// - Parameters:
  ///   - file: where it lies; `-` is standard input.
  ///   - path: what a message calls it.
  ///   - isRegular: whether anything but a regular file is refused, without waiting for it.
  ///   - see: is given every byte of it while it is read.
  /// - Throws: ``RecordingError`` with why the system refuses.
  package init(
    _ file: String, _ path: String, isRegular: Bool = false, see: @escaping ([UInt8]) -> Void = { _ in }
  ) throws(RecordingError) {
    self.see = see
    do throws(FileError) {
      let source = try File(file == "-" ? "/dev/stdin" : file, .read, isRegular: isRegular)
      var beginning: [UInt8] = []
      // A pipe gives what it has, which may be a line.
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

  /// Gives the file piece by piece.
  ///
  /// - Parameter take: takes a piece, and whether it is the last.
  /// - Throws: ``RecordingError`` with the line that `take` names, or why the system refuses.
  package consuming func read(
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
