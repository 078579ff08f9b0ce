package import Basics

/// Reads the lines of a journal while it is written: each once, when it is whole, and nothing is locked.
///
/// What follows the last newline is read again, since the writer may take it back.
package struct JournalFollower: ~Copyable, Sendable {
  private let file: File
  private var position = 0
  private var buffer: ArraySlice<UInt8> = []
  private var number = 0

  /// Opens a journal.
  package init(_ path: String) throws(FileError) { file = try File(path, .read, isRegular: true) }

  /// The next whole line; `nil` where there is none yet.
  package mutating func next() throws(FileError) -> JournalReader.Line? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let bytes = Array(buffer[..<end])
        buffer = buffer[(end + 1)...]
        position += bytes.count + 1
        number += 1
        return JournalReader.Line(number: number, bytes: bytes, record: Self.record(bytes, number))
      }
      let piece = try file.read(upTo: 1 << 16, at: position + buffer.count)
      guard !piece.isEmpty else {
        buffer = []
        return nil
      }
      buffer = buffer + piece
    }
  }

  private static func record(_ bytes: [UInt8], _ number: Int) -> Result<JournalRecord, JournalProblem> {
    do throws(JournalProblem) {
      return .success(try JournalRecord(line: bytes, number: number))
    } catch {
      return .failure(error)
    }
  }
}
