package import Basics

/// Reads a journal line by line, in memory that does not grow with it, and without a lock also while it is written.
///
/// What counts are whole lines: whatever follows the last newline is not written yet or was torn by a crash, and so was
/// everything from the first NUL byte, which a file system may leave where data never reached the disk. A record of a kind that is not
/// known is read as ``JournalEvent/unknown(kind:)``, so that a newer station's journal is not damaged for an older one.
package struct JournalReader: ~Copyable, Sendable {
  /// The longest line that is read, in bytes; a longer one is told as a problem and skipped.
  static let maxLineLength = 64 << 20

  /// One whole line.
  package struct Line: Sendable {
    /// Its number, from 1.
    package let number: Int
    /// Its bytes without the newline; empty for one that is too long.
    let bytes: [UInt8]
    /// The record, or why it is none.
    package let record: Result<JournalRecord, JournalProblem>
  }

  /// How many bytes the lines read so far have, newlines included: after the last line, the journal's valid prefix.
  private(set) var validBytes = 0

  /// The file; `nil` for a journal in memory.
  private let file: File?
  private let memory: [UInt8]
  private let maxLineLength: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var scanned = 0
  private var number = 0
  private var skipped = 0

  /// Opens a journal.
  package init(_ path: String) throws(FileError) {
    try self.init(path, maxLineLength: Self.maxLineLength)
  }

  init(_ path: String, maxLineLength: Int) throws(FileError) {
    try self.init(.file(path), maxLineLength: maxLineLength)
  }

  init(_ source: JournalSource, maxLineLength: Int = Self.maxLineLength) throws(FileError) {
    switch source {
    case .file(let path):
      file = try File(path, .read, isRegular: true)
      memory = []
    case .memory(let bytes):
      file = nil
      memory = bytes
    }
    self.maxLineLength = maxLineLength
  }

  /// The next whole line; `nil` after the last one, until the writer has completed another.
  package mutating func next() throws(FileError) -> Line? {
    while let bytes = try nextBytes() {
      number += 1
      guard let bytes else {
        let problem = JournalProblem(line: number, reason: "it is longer than \(maxLineLength) bytes")
        return Line(number: number, bytes: [], record: .failure(problem))
      }
      do throws(JournalProblem) {
        let record = try JournalRecord(line: bytes, number: number)
        return Line(number: number, bytes: bytes, record: .success(record))
      } catch {
        return Line(number: number, bytes: bytes, record: .failure(error))
      }
    }
    return nil
  }

  // The inner optional is empty for a line that is too long to be kept.
  private mutating func nextBytes() throws(FileError) -> [UInt8]?? {
    while true {
      if let end = buffer[scanned...].firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) {
        guard buffer[end] != 0 else { break }
        let line = skipped == 0 && end - start <= maxLineLength ? Array(buffer[start..<end]) : nil
        validBytes += skipped + end - start + 1
        skipped = 0
        start = end + 1
        scanned = start
        return .some(line)
      }
      if buffer.count - start > maxLineLength {
        skipped += buffer.count - start
        start = buffer.count
      }
      buffer.removeFirst(start)
      start = 0
      scanned = buffer.count
      let position = validBytes + skipped + buffer.count
      let piece =
        try file?.read(upTo: 1 << 16, at: position) ?? Array(memory[position..<min(position + 1 << 16, memory.count)])
      if piece.isEmpty { break }
      buffer += piece
    }
    // What follows the last whole line is read again, since the writer may take it back.
    (buffer, start, scanned, skipped) = ([], 0, 0, 0)
    return nil
  }
}

/// Where a whole journal is.
enum JournalSource: Sendable {
  case file(String)
  /// In memory, as the bytes of the file that it becomes.
  case memory([UInt8])
}

/// Checks that a journal's records are numbered from 0 without gaps and without repetition.
struct SequenceCheck {
  private var next = 0

  /// Takes the next record's number; the problem, where it is not the one that was due.
  mutating func take(_ sequence: Int, line: Int) -> JournalProblem? {
    defer { next = max(next, sequence + 1) }
    if sequence == next { return nil }
    guard sequence > next else {
      return JournalProblem(line: line, reason: "the record \(sequence) is repeated or out of order")
    }
    let missing = sequence - next
    let phrase = missing == 1 ? "the record \(next) is" : "the records \(next) to \(sequence - 1) are"
    return JournalProblem(line: line, reason: "\(phrase) missing before it")
  }
}
