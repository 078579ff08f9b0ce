import Basics
import TestSupport
import Testing

@testable import Bundles

@Suite("Recovering what a crash left")
struct RecoveryTests {
  let scratch: ScratchFolder
  let results: ResultsFolder
  let trial: TrialIdentifier

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    trial = try #require(TrialIdentifier(TrialStory.trial))
  }

  private var bundle: String { results.bundlePath(of: trial) }

  @Test("A journal cut at any byte becomes a bundle that verifies and holds every whole line")
  func everyCut() throws {
    let records = TrialStory.good().records
    let lines = records.map { $0.line() }
    let journal = lines.flatMap { $0 }
    var ends = [0]
    for line in lines { ends.append(ends[ends.count - 1] + line.count) }
    for cut in 0...journal.count {
      let whole = ends.lastIndex { $0 <= cut } ?? 0
      try TrialStory.good().leave(in: results, journal: Array(journal[..<cut]))
      let fates = try results.recover().map(\.fate)
      guard whole > 0 else {
        #expect(fates == [.empty])
        continue
      }
      #expect(fates == [.finished(path: bundle, isWhole: whole == lines.count)])
      let kept = try File.contents(of: "\(bundle)/data/journal.jsonl")
      #expect(kept.starts(with: journal[..<ends[whole]]))
      #expect(kept.count { $0 == UInt8(ascii: "\n") } == min(whole + 1, lines.count))
      // The same line is cut at many bytes; the bundle is the same each time.
      if cut == ends[whole] || cut == ends[whole] + 1 {
        #expect(Bundle.verify(bundle) == [])
        #expect(try Bundle(bundle).record.closing.outcome == (whole == lines.count ? .completed : .recovered))
      }
      try Folder.removeTree(bundle)
    }
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
  }

  @Test("NUL bytes that a power failure left are cut off")
  func nul() throws {
    let lines = TrialStory.good().records.map { $0.line() }
    let journal = lines[..<13].flatMap { $0 } + [UInt8](repeating: 0, count: 5000)
    try TrialStory.good().leave(in: results, journal: journal)
    #expect(try results.recover().map(\.fate) == [.finished(path: bundle, isWhole: false)])
    #expect(Bundle.verify(bundle) == [])
    #expect(try Bundle(bundle).record.samples == 2)
  }

  @Test("A sample at the very end of what was recorded is kept")
  func lastSample() throws {
    let records = TrialStory.good().records
    let index = try #require(records.firstIndex { $0.time == .milliseconds(3330) })
    try TrialStory.good().leave(in: results, journal: records[...index].flatMap { $0.line() })
    _ = try results.recover()
    #expect(try Bundle(bundle).result["recordings"]?.array?.first?["lastSample_ns"]?.integer == 3_330_000_000)
  }

  @Test("A damaged line in the middle costs that line, which the result tells")
  func damagedLine() throws {
    var lines = TrialStory.good().records.map { $0.line() }
    lines[12][5] = UInt8(ascii: "?")
    lines[12][20] = UInt8(ascii: "?")
    try TrialStory.good().leave(in: results, journal: lines.flatMap { $0 })
    #expect(try results.recover().map(\.fate) == [.finished(path: bundle, isWhole: true)])
    let recovered = try Bundle(bundle)
    #expect(recovered.record.verdict == .suspect && recovered.record.samples == 7)
    // The line was the recordings' first sample.
    guard case .coverage(_, "music", _, .seconds(3)) = recovered.record.reasons.first,
      case .journalDamaged(problems: 2, line: 13, _) = recovered.record.reasons.last
    else {
      Issue.record("\(recovered.record.reasons)")
      return
    }
    #expect(recovered.record.caveats.count == 2)
  }

  @Test(
    "No number in a line can stop a recovery, a verification or a list",
    arguments: [
      "1e300", "-1e300", "9007199254740992", "-9007199254740992", "9999999999999999", "1e-300", "-1", "0", "0.5",
      "\"\"",
      "[]", "null",
    ])
  func damagedNumbers(number: String) throws {
    let lines = TrialStory.good().records.map { String(decoding: $0.line(), as: UTF8.self) }
    // Every number of every line but the head's, one kind of member at a time.
    let keys = [
      "seq", "t_ns", "arrived_ns", "hr", "rr_ms", "frames", "segment", "at_ns",
      "uncertainty_ns", "requested_ns", "bytes", "sampleRate", "channels", "gain_dB", "index",
    ]
    for key in keys {
      let damaged = lines.enumerated().map { index, line in
        index == 0 ? line : Self.replacing(key, in: line, with: number)
      }
      try TrialStory.good().leave(in: results, journal: Array(damaged.joined().utf8))
      #expect(try results.recover().count == 1)
      let problems = Bundle.verify(bundle)
      #expect(!problems.contains { $0.contains("does not match the journal") }, "\(key): \(problems)")
      #expect(throws: Never.self, "\(key)") { try Bundle(bundle) }
      try Folder.removeTree(bundle)
    }
  }

  /// A line with another number, or other numbers in a list, behind a key.
  private static func replacing(_ key: String, in line: String, with number: String) -> String {
    let parts = line.split(separator: "\"\(key)\":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return line }
    let isList = parts[1].first == "["
    let rest = parts[1].drop { isList ? $0 != "]" : $0 != "," && $0 != "}" }
    return "\(parts[0])\"\(key)\":\(isList ? "[\(number)" : number)\(rest)"
  }

  @Test("Counts that add up to more than any number are held, and dates ages apart are reported")
  func hugeSums() throws {
    var story = TrialStory.good()
    for index in 0..<1100 {
      story.insert(2000, .linesSkipped(sensor: "s", count: 1 << 53, firstLine: 1, reason: "x"))
      story.insert(2000, .readingsDropped(sensor: "s", count: 1 << 53))
      story.insert(
        2000, .soundScheduled(step: "music", segment: index + 1, at: .zero, frames: 1 << 53))
      story.insert(
        2000,
        .soundEnded(
          step: "music", segment: index + 1, offset: MeasuredTime(time: .zero, uncertainty: .zero), frames: 1 << 53))
    }
    let journal = String(decoding: story.journal, as: UTF8.self)
      .split(separator: "\"wall\":\"2025-11-20T11:08:37.252Z\"").joined(separator: "\"wall\":\"9999-12-31T00:00:00Z\"")
    try story.leave(in: results, journal: Array(journal.utf8))
    #expect(try results.recover().map(\.fate) == [.finished(path: bundle, isWhole: true)])
    #expect(Bundle.verify(bundle) == [])
    let result = try Bundle(bundle).result
    #expect(result["playback"]?["framesPlayed"]?.integer == 1 << 53)
    #expect(result["drift_ns"]?.integer == 1 << 53)
  }

  @Test("A trial that is being recorded is left alone, here and by a second recovery at the same time")
  func running() async throws {
    let open = try TrialStory.good().record(in: results)
    #expect(try results.recover() == [RecoveredTrial(name: TrialStory.trial, fate: .running)])
    let path = try await open.finish()
    #expect(try results.recover() == [])
    #expect(Bundle.verify(path) == [])
  }

  @Test("Many recoveries at once make one bundle")
  func concurrent() async throws {
    try TrialStory.good().leave(in: results, journal: TrialStory.good().journal)
    let fates = try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { [results] in try results.recover().map(\.fate) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(fates.count { $0 == .finished(path: bundle, isWhole: true) } == 1)
    #expect(fates.allSatisfy { $0 == .running || $0 == .finished(path: bundle, isWhole: true) }, "\(fates)")
    #expect(Bundle.verify(bundle) == [])
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
  }

  @Test("Half-made bundles are made again, what is left over is cleared, and what is foreign is reported")
  func leftovers() throws {
    let story = TrialStory.good()
    try story.leave(in: results, journal: story.journal)
    try Folder.ensure("\(results.openFolder)/\(trial).part/data")
    try File.create("\(results.openFolder)/\(trial).part/data/heart.json", Array("half".utf8))
    try Folder.ensure("\(results.openFolder)/019a9c2e-5d42-7cc3-98c4-000000000000.gone/clip")
    try Folder.ensure("\(results.openFolder)/019a9c2e-5d42-7cc3-98c4-000000000001.part")
    try Folder.ensure("\(results.openFolder)/notes")
    #expect(
      try results.recover().map(\.description) == [
        "019a9c2e-5d42-7cc3-98c4-000000000001.part: there is no open trial beside it; look at it by hand",
        "\(trial): finished the bundle “\(bundle)” of a trial that had ended",
        "notes: this is not the name of a trial; move it elsewhere",
      ])
    #expect(
      try Folder.names(in: results.openFolder) == [".lock", "019a9c2e-5d42-7cc3-98c4-000000000001.part", "notes"])
    #expect(Bundle.verify(bundle) == [])
  }

  @Test("A journal without a head is left where it is, and reported")
  func headless() throws {
    let lines = TrialStory.good().records.map { $0.line() }
    try TrialStory.good().leave(in: results, journal: lines[2] + lines[3])
    let fates = try results.recover()
    #expect(
      fates.map(\.description) == [
        "\(trial): cannot make a bundle of “\(results.openPath(of: trial))”: "
          + "its journal begins with step.shown, not trial.open; look at its journal by hand"
      ])
    #expect(try File.contents(of: "\(results.openPath(of: trial))/journal.jsonl") == lines[2] + lines[3])
  }

  @Test("A bundle with the name of an open trial and other contents is not touched, and neither is the trial")
  func otherBundle() throws {
    let story = TrialStory.good()
    try story.leave(in: results, journal: story.journal)
    _ = try results.recover()
    let before = try BundleTests.files(of: bundle)
    try story.leave(in: results, journal: story.records.dropLast().flatMap { $0.line() })
    let fates = try results.recover()
    guard case .failed = fates.first?.fate else {
      Issue.record("\(fates)")
      return
    }
    #expect(try BundleTests.files(of: bundle) == before)
    #expect(Folder.exists(results.openPath(of: trial)))
  }

  @Test("Nothing to recover is not an error")
  func nothing() throws {
    #expect(try results.recover() == [])
    try results.check()
    #expect(try results.recover() == [])
  }
}
