import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Bundles

@Suite("Appending to a journal")
struct JournalWriterTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// The records of a journal, all of which can be read.
  static func records(of path: String) throws -> [JournalRecord] {
    var reader = try JournalReader(path)
    var records: [JournalRecord] = []
    while let line = try reader.next() { records.append(try line.record.get()) }
    #expect(try File.contents(of: path).count == reader.validBytes)
    return records
  }

  @Test("What was appended is on the disk after a flush, in order and numbered")
  func order() async throws {
    let writer = try JournalWriter(scratch["journal"], clock: HandClock())
    let records = TrialStory.good().records
    for record in records {
      #expect(writer.append(time: record.time, event: record.event) == record.sequence)
    }
    try await writer.flush()
    #expect(writer.durable == records.count)
    #expect(writer.appended == records.count)
    #expect(writer.trouble == nil)
    #expect(try Self.records(of: scratch["journal"]) == records)
  }

  @Test("Records from many tasks at once are all there, numbered without gaps, each task's in its order")
  func concurrency() async throws {
    let writer = try JournalWriter(scratch["journal"], clock: HandClock())
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<200 { writer.append(time: .nanoseconds(index), event: .note("\(task)")) }
        }
      }
    }
    try await writer.flush()
    let records = try Self.records(of: scratch["journal"])
    #expect(records.map(\.sequence) == Array(0..<1600))
    for task in 0..<8 {
      #expect(records.filter { $0.event == .note("\(task)") }.map(\.time) == (0..<200).map { .nanoseconds($0) })
    }
  }

  @Test("After the closing record nothing is taken")
  func closed() async throws {
    let writer = try JournalWriter(scratch["journal"], clock: HandClock())
    writer.append(time: .zero, event: .trialClosed(TrialStory.good().closing(.completed)))
    #expect(writer.append(time: .zero, event: .note("late")) == nil)
    try await writer.flush()
    #expect(try Self.records(of: scratch["journal"]).count == 1)
  }

  @Test("A journal that holds something, or that another writer holds, is refused")
  func refused() async throws {
    try File.create(scratch["used"], Array("x".utf8))
    #expect(throws: FileError.self) { try JournalWriter(scratch["used"]) }
    let writer = try JournalWriter(scratch["journal"])
    #expect(throws: FileError.self) { try JournalWriter(scratch["journal"]) }
    #expect(!(try LockedFile(scratch["journal"], .amend).take()))
    try await writer.flush()
  }

  @Test(
    "A second at the least passes between two waits for the disk, unless a boundary asks",
    arguments: [
      (isUnsynced: false, isUrgent: true, elapsed: 5000, decision: SyncPolicy.Decision.nothing),
      (true, false, 0, .at(Moment(nanoseconds: 6_000_000_000))),
      (true, false, 999, .at(Moment(nanoseconds: 6_000_000_000))),
      (true, false, 1000, .now),
      (true, true, 1, .now),
    ])
  func policy(isUnsynced: Bool, isUrgent: Bool, elapsed: Int, decision: SyncPolicy.Decision) {
    var policy = SyncPolicy()
    let start = Moment(nanoseconds: 5_000_000_000)
    #expect(policy.decide(isUnsynced: true, isUrgent: false, now: start) == .now)
    policy.synchronized(at: start)
    let now = start.advanced(by: .milliseconds(elapsed))
    #expect(policy.decide(isUnsynced: isUnsynced, isUrgent: isUrgent, now: now) == decision)
  }

  @Test("Stimulus boundaries, the drawn clip and the trial's ends are boundaries; readings are not")
  func boundaries() {
    let kinds = Set(JournalLineTests.events.filter(\.isBoundary).map(\.kind))
    #expect(
      kinds == [
        "trial.open", "waveform.open", "clip.chosen", "stimulus.onset", "stimulus.offset", "stimulus.failed",
        "answer", "step.note", "trial.close",
      ])
  }

  @Test("A full disk is reported once; nothing is lost or torn, and everything follows in order when there is room")
  func fullDisk() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder()
      let reports = Mutex<[DurableReport]>([])
      let told = AsyncStream<DurableReport>.makeStream()
      let path = scratch["journal"]
      let writer = try JournalWriter(path, clock: HandClock()) { report in
        reports.withLock { $0.append(report) }
        told.continuation.yield(report)
      }
      let records = TrialStory.good().records
      let limit = records[..<4].reduce(0) { $0 + $1.line().count } + 17
      try FileSizeLimit.set(limit)
      for record in records[..<8] { writer.append(time: record.time, event: record.event) }
      for _ in 0..<3 {
        let error = await #expect(throws: FileError.self) { try await writer.flush() }
        #expect(error?.isFull == true)
      }
      #expect(writer.trouble?.isFull == true)
      // Seventeen bytes of the fifth line fitted, and were cut off again.
      #expect(try File.contents(of: path) == records[..<4].flatMap { $0.line() })
      for record in records[8...] { writer.append(time: record.time, event: record.event) }
      try FileSizeLimit.lift()
      try await writer.flush()
      #expect(try JournalWriterTests.records(of: path) == records)
      #expect(writer.durable == records.count)
      #expect(writer.trouble == nil)
      var iterator = told.stream.makeAsyncIterator()
      guard case .refused(let error) = await iterator.next() else {
        Issue.record("the first report is not a refusal")
        return
      }
      #expect(error.isFull)
      #expect(await iterator.next() == .caughtUp)
      #expect(reports.withLock { $0.count } == 2)
    }
  }

  @Test("A journal that was given up and removed does not come back")
  func givenUp() async throws {
    let path = scratch["given-up"]
    let clock = HandClock()
    let writer = try JournalWriter(path, clock: clock)
    // The first line is brought to the disk at once, the second waits for its turn.
    for text in ["first", "second"] { writer.append(time: .zero, event: .note(text)) }
    try await writer.giveUp()
    try Folder.removeFile(path)
    clock.advance(by: .seconds(2))
    try await writer.flush()
    #expect(!Folder.exists(path))
    #expect(writer.append(time: .zero, event: .note("third")) == nil)
  }

  @Test("Readings that neither the disk nor memory takes are counted, and a record for each sensor tells how many")
  func fullMemory() {
    var backlog = JournalBacklog(limit: 100)
    let reading = JournalEvent.reading(TrialStory.reading(61, [], at: 5))
    #expect(backlog.append(time: .zero, event: .note(String(repeating: "x", count: 100))) == 0)
    for _ in 0..<5 { #expect(backlog.append(time: .zero, event: reading) == nil) }
    let other = SensorReading(sensor: "belt", heartRate: 61, rrIntervals: [], contact: nil, arrived: .zero)
    #expect(backlog.append(time: .zero, event: .reading(other)) == nil)
    let (lines, _) = backlog.writes.take()
    backlog.writes.synchronized(lines)
    #expect(backlog.append(time: .zero, event: reading) == 3)
    let later = backlog.writes.take().pieces.map { try? JournalRecord(line: Array($0.bytes.dropLast())).event }
    #expect(
      later == [
        .readingsDropped(sensor: "belt", count: 1), .readingsDropped(sensor: "simulated", count: 5), reading,
      ])
  }

  @Test("What is not a reading is kept even where memory is short")
  func eventsAreKept() {
    var backlog = JournalBacklog(limit: 0)
    for index in 0..<3 { #expect(backlog.append(time: .zero, event: .note("x")) == index) }
  }
}
