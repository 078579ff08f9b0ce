import Basics
import Quantities
import Sound
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Following a trial from outside")
struct FollowingTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var results: ResultsFolder { ResultsFolder(scratch["results"], requiredBytes: 0) }

  @Test(
    "A journal that grows by any number of bytes gives each line once, as soon as it is whole", arguments: [1, 7, 500])
  func growing(step: Int) throws {
    let records = TrialStory.good().records
    let journal = TrialStory.good().journal
    let file = try File(scratch["journal"], .append)
    var follower = try JournalReader(scratch["journal"])
    var read: [JournalRecord] = []
    for start in stride(from: 0, to: journal.count, by: step) {
      try file.write(Array(journal[start..<min(start + step, journal.count)]))
      while let line = try follower.next() { read.append(try line.record.get()) }
      let whole = journal[..<min(start + step, journal.count)].count { $0 == UInt8(ascii: "\n") }
      #expect(read.count == whole)
    }
    #expect(read == records)
  }

  @Test("What a writer takes back of a line that the disk refused is not read")
  func takenBack() throws {
    let lines = TrialStory.good().records.map { $0.line() }
    let file = try File(scratch["journal"], .append)
    var follower = try JournalReader(scratch["journal"])
    try file.write(lines[0] + lines[1].prefix(20))
    #expect(try follower.next()?.bytes == Array(lines[0].dropLast()))
    #expect(try follower.next() == nil)
    try file.truncate(to: lines[0].count)
    try file.write(lines[2])
    #expect(try follower.next()?.bytes == Array(lines[2].dropLast()))
  }

  @Test("What the disk does not have yet is read when it is there")
  func late() throws {
    let lines = TrialStory.good().records.map { $0.line() }
    try File.create(scratch["journal"], lines[0] + [UInt8](repeating: 0, count: lines[1].count))
    var follower = try JournalReader(scratch["journal"])
    #expect(try follower.next()?.bytes == Array(lines[0].dropLast()))
    #expect(try follower.next() == nil)
    try File(scratch["journal"], .change).write(lines[1], at: lines[0].count)
    #expect(try follower.next()?.bytes == Array(lines[1].dropLast()))
    #expect(follower.validBytes == lines[0].count + lines[1].count)
  }

  @Test("A trial is seen while it is recorded, and afterwards has its bundle")
  func underWay() async throws {
    #expect(try results.trialsUnderWay().isEmpty)
    let open = try TrialStory.good().record(in: results)
    let trial = try #require(try results.trialsUnderWay().first)
    #expect(trial.identifier == open.identifier)
    #expect(trial.isRecorded && trial.isOpen && !trial.isFinished)
    #expect(try File.contents(of: trial.protocolFile) == TrialStory.protocolBytes)
    let bundle = try await open.finish()
    #expect(trial.bundlePath == bundle)
    #expect(trial.isFinished && !trial.isOpen)
    #expect(try results.trialsUnderWay().isEmpty)
  }

  @Test("A trial that a crash has left open is recorded by nobody")
  func crashed() throws {
    let story = TrialStory.good()
    try story.leave(in: results, journal: story.journal)
    let trial = try #require(try results.trialsUnderWay().first)
    #expect(trial.isOpen && !trial.isRecorded)
  }

  private func progress(_ story: TrialStory) throws -> TrialProgress {
    var progress = TrialProgress()
    for record in story.records {
      let line = record.line()
      try progress.take(
        JournalReader.Line(number: record.sequence + 1, bytes: line, record: .success(record)), from: "journal")
    }
    return progress
  }

  @Test("A good trial has no warning, wherever one looks at it")
  func noWarnings() throws {
    var story = TrialStory.good()
    let all = story.events
    for count in 1...all.count {
      story.events = Array(all[..<count])
      #expect(try progress(story).caveats.isEmpty, "after \(count) records")
    }
    let whole = try progress(story)
    #expect(whole.opening == story.opening && whole.clip == story.chosen)
    #expect(whole.closing?.outcome == .completed)
  }

  @Test(
    "What weighs on the verdict is told as soon as it has happened",
    arguments: [
      (.soundDisturbed(step: "music", segment: 0, .underrun(at: nil)), .underruns(count: 1)),
      (
        .soundFailed(step: "music", segment: 0, reason: "the server is gone"),
        .playbackFailed(reason: "the server is gone")
      ),
      (.readingsDropped(sensor: "simulated", count: 3), .samplesDropped(sensor: "simulated", count: 3)),
      (
        .readingsHeldBack(sensor: "simulated", heldBack: .seconds(2), unread: 7),
        .samplesUnread(sensor: "simulated", count: 7, heldBack: .seconds(2))
      ),
      (.suspended, .paused(times: 1)),
    ] as [(JournalEvent, Caveat)])
  func warnings(event: JournalEvent, caveat: Caveat) throws {
    var story = TrialStory.good()
    let scheduled = try #require(story.events.firstIndex { $0.event.kind == "stimulus.onset" })
    story.events = Array(story.events[...scheduled])
    story.add(.seconds(2), event)
    #expect(try progress(story).caveats == [caveat])
  }

  @Test("A sensor that is lost is a gap that grows until it is back")
  func lost() throws {
    var story = TrialStory.good()
    let started = try #require(story.events.firstIndex { $0.event.kind == "stimulus.onset" })
    story.events = Array(story.events[...started])
    story.add(.seconds(2), .sensorLost(sensor: "simulated", reason: "unplugged", isFinal: false))
    #expect(try progress(story).caveats.isEmpty)
    story.add(.seconds(5), .note("later"))
    let lost = Caveat.sensorLost(sensor: "simulated", times: 1, lost: .seconds(3), reason: "unplugged")
    #expect(try progress(story).caveats == [lost])
  }

  @Test("What is not a journal of a trial is reported by its folder")
  func headless() throws {
    var progress = TrialProgress()
    let record = JournalRecord(sequence: 0, time: .zero, event: .note("x"))
    #expect(throws: BundleError.self) {
      try progress.take(
        JournalReader.Line(number: 1, bytes: record.line(), record: .success(record)), from: "open/t/journal.jsonl")
    }
    #expect(progress.opening == nil && progress.caveats.isEmpty)
  }
}
