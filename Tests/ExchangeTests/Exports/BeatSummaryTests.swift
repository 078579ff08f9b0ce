import Basics
import Exchange
import TestSupport
import Testing

@Suite("Summaries of exported beats")
struct BeatSummaryTests {
  private let scratch: ScratchFolder
  private var folder: String { scratch["lines"] }

  init() throws { scratch = try ScratchFolder() }

  /// Trials by clip and intervals.
  private func export(_ trials: [(clip: String?, interval: Double)]) async throws {
    for (number, one) in trials.enumerated() {
      var trial = MadeTrial()
      (trial.clip, trial.intervals) = (one.clip, Array(repeating: one.interval, count: 30))
      trial.start = trial.start.advanced(by: .seconds(86_400 * (number % 2) + 600 * number))
      try trial.write(to: scratch["results/bundles/trial-\(number)"])
    }
    _ = try await TableExport(.jsonLines, to: folder, version: "0.1.0")
      .write(SimulatedStudy.trials(scratch["results"])) { _, _ in }
  }

  @Test("Trials are grouped by every key, also by names that need escapes and by none")
  func keys() async throws {
    let strange = "a \"b\"\\ \u{202E}ü\n=1"
    try await export([("rain", 800), (strange, 1000), ("rain", 1000), (nil, 900), (strange, 1000)])
    let byClip = try await BeatSummary(of: [folder], by: .clip).groups
    #expect(byClip.map(\.name) == [strange, "rain", nil])
    #expect(byClip.map(\.trials) == [2, 2, 1] && byClip.map(\.beats) == [60, 60, 30])
    #expect(byClip.map(\.mean) == [1000, 900, 900] && byClip.map(\.range) == [1000...1000, 800...1000, 900...900])
    // Of thirty intervals of 800 and thirty of 1000.
    #expect(abs(try #require(byClip[1].deviation) - (60.0 / 59).squareRoot() * 100) < 1e-9)
    let days = try await BeatSummary(of: [folder], by: .date).groups
    #expect(days.map(\.name) == ["2025-11-20", "2025-11-21"] && days.map(\.trials) == [3, 2])
    for key in BeatSummary.Key.allCases {
      let groups = try await BeatSummary(of: [folder], by: key).groups
      #expect(groups.map(\.beats).reduce(0, +) == 150, "\(key)")
    }
  }

  @Test("Exports of several sites are summarised together")
  func together() async throws {
    try await export([("rain", 800), ("storm", 1000)])
    let (once, twice) = (
      try await BeatSummary(of: [folder], by: .site).groups,
      try await BeatSummary(of: [folder, folder], by: .site).groups
    )
    #expect(once.map(\.name) == ["booth"] && twice[0].beats == 2 * once[0].beats && twice[0].mean == once[0].mean)
  }

  private static let damages: [(row: String, reason: String)] = [
    ("{\"trial\":\"t\",", "1"), ("{}", "interval_ms"), ("[1]", "interval_ms"),
    ("{\"trial\":\"t\",\"interval_ms\":800}", "condition"),
    ("{\"trial\":\"t\",\"interval_ms\":\"800\",\"condition\":null}", "interval_ms"),
    ("{\"trial\":\"t\",\"interval_ms\":800,\"condition\":null} x", "1"),
    (String(repeating: " ", count: 70_000) + "{}", "longer"),
  ]

  @Test("A row that is no beat is an error with its place", arguments: damages)
  func damaged(row: String, reason: String) async throws {
    try await export([("rain", 800)])
    let path = "\(folder)/beats/site=booth/date=2025-11-20/part-1.jsonl"
    try File.replaceWhole(path, File.contents(of: path) + Array("\(row)\n".utf8))
    let error = await #expect(throws: ExportError.self) { try await BeatSummary(of: [folder], by: .condition) }
    guard case .unreadableRow(let file, let line, let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(file == path && line == 31 && (why.contains(reason) || reason == "1"), "\(why)")
  }

  @Test("A folder without exported beats is refused")
  func others() async throws {
    try Folder.ensure(folder)
    await #expect(throws: ExportError.noBeats(path: folder)) { try await BeatSummary(of: [folder], by: .condition) }
    await #expect(throws: FileError.self) { try await BeatSummary(of: [scratch["none"]], by: .condition) }
  }
}
