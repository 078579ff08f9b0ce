import Basics
import Export
import TestSupport
import Testing

@Suite("Summaries of exported beats by DuckDB", .enabled(if: Peers.areAsked, "\(Peers.reason)"))
struct BeatSummaryTests {
  private let scratch: ScratchFolder
  private var folder: String { scratch["lines"] }

  init() throws { scratch = try ScratchFolder() }

  /// Exports trials by clip and intervals; every second one is of the next day.
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

  /// The rows of a query for DuckDB, which knows the macros of the exported queries.
  private func rows(_ query: String) throws -> (rows: [JSONValue], error: String) {
    let script = """
      import duckdb, json, os, sys
      os.chdir(sys.argv[1])
      try:
          duckdb.execute(open("queries.sql").read())
          result = duckdb.execute(sys.argv[2])
          names = [column[0] for column in result.description]
          print(json.dumps([dict(zip(names, row)) for row in result.fetchall()]))
      except duckdb.Error as error:
          sys.exit(str(error))
      """
    let run = try Program.run(Repository.python, ["-c", script, folder, query])
    guard run.status == 0 else { return ([], run.error) }
    return (try JSONReader.read(Array(run.output.utf8)).value.array ?? [], run.error)
  }

  @Test("Beats are grouped by clip, also by names that need escapes, and those without a clip come last")
  func clips() async throws {
    let strange = "a \"b\"\\ \u{202E}ü\n=1"
    try await export([("rain", 800), (strange, 1000), ("rain", 1000), (nil, 900), (strange, 1000)])
    let groups = try rows("FROM summary('clip')").rows
    try #require(groups.map { $0["clip"] } == [.string(strange), "rain", .null])
    let counts = [("trials", [2, 2, 1]), ("beats", [60, 60, 30])]
    for (name, expected) in counts { #expect(groups.map { $0[name]?.integer } == expected, "\(name)") }
    let numbers: [(String, [Double])] = [
      ("mean_ms", [1000, 900, 900]), ("min_ms", [1000, 800, 900]), ("max_ms", [1000, 1000, 900]),
      // The second is of thirty intervals of 800 and thirty of 1000.
      ("sd_ms", [0, (60.0 / 59).squareRoot() * 100, 0]), ("rate_per_min", [60, 60_000.0 / 900, 60_000.0 / 900]),
    ]
    for (name, expected) in numbers {
      for (group, number) in zip(groups, expected) {
        #expect(abs(try #require(group[name]?.number) - number) < 1e-9, "\(name)")
      }
    }
    #expect(groups.allSatisfy { $0["simulated"] == false })
  }

  private static let groupings: [(key: String, names: [String], trials: [Int], beats: [Int])] = [
    ("condition", ["MusicTask"], [5], [150]), ("clip", ["1", "2"], [3, 2], [90, 60]),
    ("participant", ["P01"], [5], [150]), ("session", ["1"], [5], [150]),
    ("sensor", ["strap"], [5], [150]), ("site", ["booth"], [5], [150]),
    ("date", ["2025-11-20", "2025-11-21"], [3, 2], [90, 60]),
    ("trial", (0..<5).map { "trial-\($0)" }, [1, 1, 1, 1, 1], [30, 30, 30, 30, 30]),
    // The step “rest” ends 19 s after the trial's zero: 23 beats of 800 ms, three times 18 of 1000 ms, and 21 of 900 ms.
    ("step", ["music", "rest"], [5, 5], [52, 98]),
  ]

  @Test("Beats are grouped by every column, whose values stay texts", arguments: groupings)
  func columns(key: String, names: [String], trials: [Int], beats: [Int]) async throws {
    try await export([("1", 800), ("2", 1000), ("1", 1000), ("2", 900), ("1", 1000)])
    let groups = try rows("FROM summary('\(key)')").rows
    #expect(groups.map { $0[key]?.string } == names)
    #expect(groups.map { $0["trials"]?.integer } == trials)
    #expect(groups.map { $0["beats"]?.integer } == beats)
  }

  @Test("Several exports are summarised together")
  func together() async throws {
    try await export([("rain", 800), ("storm", 1000)])
    let groups = try rows("FROM summary('site', folders := ['.', '\(folder)'])").rows
    #expect(groups.map { $0["site"] } == ["booth"] && groups.map { $0["beats"]?.integer } == [120])
    #expect(groups.map { $0["mean_ms"]?.number } == [900])
  }

  @Test(
    "A damaged row is an error that names its file",
    arguments: [
      "{\"trial\":\"t\",", "{}", "[1]", "{\"trial\":\"t\",\"condition\":null}",
      "{\"trial\":\"t\",\"interval_ms\":\"long\",\"condition\":null}",
      "{\"trial\":\"t\",\"interval_ms\":800,\"condition\":null} x",
    ])
  func damaged(row: String) async throws {
    try await export([("rain", 800)])
    let path = "beats/site=booth/date=2025-11-20/part-1.jsonl"
    try File.replaceWhole("\(folder)/\(path)", File.contents(of: "\(folder)/\(path)") + Array("\(row)\n".utf8))
    let (rows, error) = try rows("FROM summary('clip')")
    #expect(rows.isEmpty && error.contains(path), "\(error)")
  }
}
