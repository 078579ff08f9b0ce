import Basics
import Glibc
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Bundles

@Suite("A journal on a disk that fails")
struct JournalFaultTests {
  private static let records = Array(TrialStory.good().records.prefix(16))

  /// Appends all records, a few at a time, on a disk whose calls of some numbers fail.
  ///
  /// - Returns: the disk; `nil` where the journal could not even be made.
  private func record(failing faults: Range<Int>, code: Int32) async throws -> ForgetfulDisk? {
    let disk = ForgetfulDisk(failing: faults, code: code)
    guard
      let writer = try? JournalWriter(
        "journal", at: DurablePlace(), on: disk, clock: HandClock(), report: { _ in })
    else { return nil }
    var lines: [UInt8] = []
    var isSafe = false
    for (index, record) in Self.records.enumerated() {
      writer.append(time: record.time, event: record.event)
      lines += record.line()
      guard index % 3 == 2 else { continue }
      isSafe = (try? await writer.flush()) != nil
      if isSafe { #expect(disk.kept.starts(with: lines), "a flush that succeeded, with faults \(faults)") }
    }
    // The disk is well again after a while.
    for _ in 0..<40 {
      isSafe = (try? await writer.flush()) != nil
      if isSafe { break }
    }
    #expect(isSafe && writer.durable == Self.records.count && writer.trouble == nil)
    #expect(disk.kept == lines, "faults \(faults)")
    return disk
  }

  @Test(
    "Whichever call fails, once or several times in a row, the disk holds every line in order and once",
    arguments: [EIO, ENOSPC], [1, 2, 5])
  func faults(code: Int32, length: Int) async throws {
    let calls = try #require(try await record(failing: 0..<0, code: code)).calls
    #expect(calls > Self.records.count)
    for number in 0..<calls + 2 {
      let disk = try await record(failing: number..<number + length, code: code)
      // Only a journal that cannot be made is refused, before the trial.
      #expect((disk == nil) == (number == 0))
    }
  }

  @Test("After a failed sync the file is opened again, and the lines since the last good sync are written again")
  func rewritten() async throws {
    // In their order: open, write, sync, write, and the sync that fails.
    let disk = ForgetfulDisk(failing: 4..<5, code: EIO)
    let writer = try JournalWriter(
      "journal", at: DurablePlace(), on: disk, clock: HandClock(), report: { _ in })
    writer.append(time: .zero, event: .note("one"))
    try await writer.flush()
    let first = disk.kept
    writer.append(time: .zero, event: .note("two"))
    await #expect(throws: FileError.self) { try await writer.flush() }
    let failed = try #require(disk.failures.first)
    #expect(failed.starts(with: first) && failed.count > first.count)
    #expect(failed.dropFirst(first.count).allSatisfy { $0 == 0 })
    try await writer.flush()
    #expect(writer.durable == 2 && disk.kept.split(separator: UInt8(ascii: "\n")).count == 2)
    #expect(disk.counted == [.open: 2, .write: 3, .synchronize: 3])
  }

  @Test(
    "What is appended while the disk is waited for is written meanwhile, and is on the disk after the next sync",
    arguments: [0..<0, 4..<5])
  func writtenMeanwhile(_ faults: Range<Int>) async throws {
    // In their order: open, write, write, write, and the sync that may fail.
    let disk = ForgetfulDisk(failing: faults, code: EIO, holdsSyncs: true)
    let writer = try JournalWriter(
      "journal", at: DurablePlace(), on: disk, clock: HandClock(), report: { _ in })
    writer.append(time: .zero, event: .note("one"))
    _ = await disk.began.wait()
    _ = await disk.wrote.wait()
    for text in ["two", "three"] {
      writer.append(time: .zero, event: .note(text))
      _ = await disk.wrote.wait()
    }
    let lines = disk.seen
    #expect(lines.split(separator: UInt8(ascii: "\n")).count == 3 && writer.durable == 0 && disk.kept.isEmpty)
    for _ in 0..<3 { disk.releaseSync() }
    // The sync under way does not cover the last two; where it fails, whoever waits is told.
    let isRefused = (try? await writer.flush()) == nil
    #expect(!isRefused || !faults.isEmpty)
    try await writer.flush()
    #expect(writer.durable == 3 && writer.trouble == nil && disk.kept == lines)
    #expect(disk.counted[.write] == (faults.isEmpty ? 3 : 6))
  }

  @Test("Lines that no sync has covered count against the memory, and a long series of them is synced early")
  func bounded() async throws {
    let disk = ForgetfulDisk(failing: 3..<2000, code: EIO)
    let writer = try JournalWriter(
      "journal", at: DurablePlace(), on: disk, clock: HandClock(), limit: 4000, report: { _ in })
    writer.append(time: .zero, event: .note("begin"))
    try await writer.flush()
    let reading = JournalEvent.reading(TrialStory.reading(61, [], at: 5))
    var refused = 0
    for _ in 0..<200 {
      if writer.append(time: .zero, event: reading) == nil { refused += 1 }
      _ = try? await writer.flush()
    }
    #expect(refused > 100)
    #expect(writer.durable == 1)
  }
}

@Suite("A journal that is removed during the trial")
struct JournalRemovalTests {
  let scratch: ScratchFolder
  let results: ResultsFolder
  let story = TrialStory.good()

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
  }

  private var folder: String { "\(results.path)/open/\(TrialStory.trial)" }

  private func open(_ reports: Reports) throws -> OpenTrial {
    try results.openTrial(
      identifier: try #require(TrialIdentifier(TrialStory.trial)), protocolBytes: TrialStory.protocolBytes,
      clock: HandClock(), report: { reports.add($0) })
  }

  private final class Reports: Sendable {
    private let all = Mutex<[DurableReport]>([])
    func add(_ report: DurableReport) { all.withLock { $0.append(report) } }
    var list: [DurableReport] { all.withLock { $0 } }
  }

  /// What somebody does to the open trial.
  enum Harm: CaseIterable { case removesFolder, removesJournal, removesResults, replaces, putsFolder }

  private func harm(_ harm: Harm) throws {
    let journal = "\(folder)/journal.jsonl"
    switch harm {
    case .removesFolder: try Folder.removeTree(folder)
    case .removesJournal: try Folder.removeFile(journal)
    case .removesResults: try Folder.removeTree(results.path)
    case .replaces:
      try Folder.removeFile(journal)
      try File.create(journal, Array("edited\n".utf8))
    case .putsFolder:
      try Folder.removeFile(journal)
      try Folder.create(journal)
    }
  }

  @Test(
    "It is written again with every line, which is reported, and the trial becomes a bundle", arguments: Harm.allCases)
  func restored(_ harm: Harm) async throws {
    let reports = Reports()
    let open = try open(reports)
    for (time, event) in story.events.prefix(9) { open.journal.append(time: time, event: event) }
    try await open.journal.flush()
    try self.harm(harm)
    for (time, event) in story.events.dropFirst(9).dropLast() { open.journal.append(time: time, event: event) }
    try await open.journal.flush()
    #expect(open.journal.durable == story.events.count - 1)
    #expect(try File.contents(of: "\(folder)/journal.jsonl") == story.records.dropLast().flatMap { $0.line() })
    #expect(!(try LockedFile("\(folder)/journal.jsonl", .amend).take()), "the new file is locked as well")
    guard case .restored(let path, let aside)? = reports.list.first, reports.list.count == 1 else {
      Issue.record("\(reports.list)")
      return
    }
    #expect(path == "\(folder)/journal.jsonl")
    if harm == .replaces { #expect(try File.contents(of: try #require(aside)) == Array("edited\n".utf8)) }
    #expect((aside != nil) == (harm == .replaces || harm == .putsFolder))
    // Again, before the bundle is made.
    let last = try #require(story.events.last)
    open.journal.append(time: last.time, event: last.event)
    try await open.journal.flush()
    try Folder.removeTree(folder)
    let bundle = try await open.finish()
    #expect(Bundle.verify(bundle) == [])
    #expect(try Bundle(bundle).record.closing.outcome == .completed)
    #expect(try Folder.names(in: "\(results.path)/open") == [".lock"] || harm == .removesResults)
  }

  @Test("Where it cannot be written again nothing is called safe, and it is when the cause is gone")
  func displaced() async throws {
    let reports = Reports()
    let open = try open(reports)
    story.append(to: open.journal)
    try await open.journal.flush()
    try Folder.removeTree(results.path)
    try File.create(results.path, [])
    await #expect(throws: FileError.self) { try await open.journal.flush() }
    #expect(open.journal.durable == 0)
    guard case .displaced? = reports.list.last else {
      Issue.record("\(reports.list)")
      return
    }
    await #expect {
      _ = try await open.finish()
    } throws: { error in
      guard case BundleError.unwritten(_, let waiting, _) = error else { return false }
      return waiting == story.events.count
    }
    try Folder.removeFile(results.path)
    let bundle = try await open.finish()
    #expect(Bundle.verify(bundle) == [])
    #expect(try Bundle(bundle).record.verdict == .good)
  }

  @Test("A finaliser that finds no journal says that nothing is safe, not that everything is")
  func lost() async throws {
    let open = try open(Reports())
    story.append(to: open.journal)
    try await open.journal.flush()
    try Folder.removeFile("\(folder)/journal.jsonl")
    let trial = try #require(TrialIdentifier(TrialStory.trial))
    #expect {
      _ = try Finaliser(results: results, trial: trial).finish()
    } throws: { error in
      guard case BundleError.lost = error else { return false }
      return !"\(error)".contains("is safe")
    }
  }
}
