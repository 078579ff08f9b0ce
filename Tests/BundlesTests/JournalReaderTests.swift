import Basics
import TestSupport
import Testing

@testable import Bundles

@Suite("Reading a journal")
struct JournalReaderTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ bytes: [UInt8], maxLineLength: Int = JournalReader.maxLineLength) throws -> (
    lines: [JournalReader.Line], validBytes: Int
  ) {
    let path = scratch["journal-\(UInt64.random(in: .min ... .max))"]
    try File.create(path, bytes)
    var reader = try JournalReader(path, maxLineLength: maxLineLength)
    var lines: [JournalReader.Line] = []
    while let line = try reader.next() { lines.append(line) }
    return (lines, reader.validBytes)
  }

  @Test("A journal cut at any byte gives every line that was whole, and no other")
  func everyCut() throws {
    let records = TrialStory.good().records
    let lines = records.map { $0.line() }
    let journal = lines.flatMap { $0 }
    var ends = [0]
    for line in lines { ends.append(ends[ends.count - 1] + line.count) }
    for cut in 0...journal.count {
      let whole = ends.lastIndex { $0 <= cut } ?? 0
      let (read, validBytes) = try read(Array(journal[..<cut]))
      #expect(read.count == whole)
      #expect(validBytes == ends[whole])
      if cut == journal.count { #expect(try read.map { try $0.record.get() } == records) }
    }
  }

  @Test("A NUL byte is the end, even where lines follow it", arguments: [0, 1, 40])
  func nul(offset: Int) throws {
    let lines = TrialStory.good().records.map { $0.line() }
    var journal = lines[0] + lines[1]
    journal.insert(contentsOf: [UInt8](repeating: 0, count: 4096), at: lines[0].count + offset)
    let (read, validBytes) = try read(journal)
    #expect(read.count == 1)
    #expect(validBytes == lines[0].count)
  }

  @Test("Lines longer than the reader's buffer are read, longer than its limit skipped and reported")
  func longLines() throws {
    let long = JournalRecord(sequence: 0, time: .zero, event: .note(String(repeating: "x", count: 200_000))).line()
    let short = JournalRecord(sequence: 1, time: .zero, event: .note("short")).line()
    let (read, validBytes) = try read(long + short + long + short)
    #expect(read.map(\.bytes.count) == [long.count, short.count, long.count, short.count].map { $0 - 1 })
    #expect(validBytes == 2 * (long.count + short.count))

    let (limited, limitedBytes) = try self.read(long + short + long + short, maxLineLength: 1000)
    #expect(limited.map(\.bytes.count) == [0, short.count - 1, 0, short.count - 1])
    #expect(limitedBytes == validBytes)
    #expect(throws: JournalProblem(line: 3, reason: "it is longer than 1000 bytes")) { try limited[2].record.get() }
  }

  @Test(
    "Numbers that are missing, repeated or out of order are told",
    arguments: [
      ([0, 1, 2], []),
      ([0, 2, 3], ["line 2 of the journal: the record 1 is missing before it"]),
      ([3], ["line 1 of the journal: the records 0 to 2 are missing before it"]),
      ([0, 1, 1, 2], ["line 3 of the journal: the record 1 is repeated or out of order"]),
      (
        [0, 2, 1, 3],
        [
          "line 2 of the journal: the record 1 is missing before it",
          "line 3 of the journal: the record 1 is repeated or out of order",
        ]
      ),
    ])
  func sequence(numbers: [Int], problems: [String]) {
    var check = SequenceCheck()
    let told = numbers.enumerated().compactMap { check.take($1, line: $0 + 1)?.description }
    #expect(told == problems)
  }
}
