import Analysis
import Basics
import Bundles
import TestSupport
import Testing

@testable import Export

@Suite("Exported JSON Lines")
struct JSONLinesExportTests {
  private let scratch: ScratchFolder
  private var folder: String { scratch["lines"] }

  init() throws { scratch = try ScratchFolder() }

  private func export() async throws -> ExportOutcome {
    try await TableExport(.jsonLines, to: folder, version: "0.1.0")
      .write(SimulatedStudy.trials(scratch["results"])) { _, _ in }
  }

  @Test(
    "DuckDB reads every row by site and date, and has the mean heart rates of the CSV tables",
    .enabled(if: Peers.areAsked, "\(Peers.reason)"))
  func duckDB() async throws {
    try await SimulatedStudy.make("music-and-silence", in: scratch["results"])
    let outcome = try await export()
    #expect(outcome.problems.isEmpty)
    _ = try await TableExport(.csv, to: scratch["tables"], version: "0.1.0")
      .write(SimulatedStudy.trials(scratch["results"])) { _, _ in }
    let script = """
      import duckdb, os, runpy, sys
      os.chdir(sys.argv[1])
      duckdb.execute(open("queries.sql").read())
      means = {row[0]: row[8] for row in duckdb.execute("FROM summary('condition')").fetchall()}
      days = duckdb.execute("FROM verdicts()").fetchall()
      assert {row[0] for row in days} == {"booth"} and all(row[1].startswith("20") for row in days), days
      print(sum(row[3] for row in days))
      for table in ["beats", "samples", "answers"]:
          print(duckdb.execute(f"SELECT count(*) FROM {table}()").fetchone()[0])
      tables = runpy.run_path(sys.argv[2])["read"]()
      beats = tables["beats"]
      conditions = beats[beats["artefact"].isna()].groupby("condition")
      assert set(conditions.groups) == set(means) - {None} and len(means) > 1, means
      for condition, part in conditions:
          assert abs(60000 / part["interval_ms"].mean() - means[condition]) < 1e-9, condition
      """
    let run = try Program.run(Repository.python, ["-c", script, folder, scratch["tables/read.py"]])
    #expect(run.status == 0, "\(run.error)")
    let rows = outcome.rows.map(\.count).filter { $0 > 0 }
    #expect(run.output.split(separator: "\n").compactMap { Int($0) } == rows)
  }

  @Test("Nothing of participants, stations and dates is left where codes are replaced and dates are shifted")
  func pseudonymised() async throws {
    try await SimulatedStudy.make("music-and-silence", in: scratch["results"])
    let pseudonymisation = try Pseudonymisation(hidesCodes: true, shiftsDates: true, keyFile: scratch["key"])
    let outcome = try await TableExport(.jsonLines, to: folder, version: "0.1.0", pseudonymisation: pseudonymisation)
      .write(SimulatedStudy.trials(scratch["results"])) { _, _ in }
    #expect(outcome.problems == [] && outcome.added > 0)
    let trials = try ResultsFolder(scratch["results"]).trials()
    for (path, bytes) in try SimulatedStudy.contents(of: folder) {
      let text = path + "\n" + String(decoding: bytes, as: UTF8.self)
      for secret in ["sim1", "sim2", "booth", "2026-"] + trials {
        #expect(!text.contains(secret), "\(secret) in \(path)")
      }
    }
  }

  @Test("Trials of one day are in one file in their order, and the same trials give the same bytes")
  func partitions() async throws {
    for number in 0..<4 {
      var trial = MadeTrial()
      // The third is of the next day.
      trial.start = trial.start.advanced(by: .seconds(number == 2 ? 86_400 : 600 * number))
      try trial.write(to: scratch["results/bundles/trial-\(number)"])
    }
    _ = try await export()
    let first = try SimulatedStudy.contents(of: folder)
    let trials = first.keys.filter { $0.hasPrefix("trials/") }.sorted()
    #expect(
      trials == [
        "trials/site=booth/date=2025-11-20/part-1.jsonl", "trials/site=booth/date=2025-11-20/part-2.jsonl",
        "trials/site=booth/date=2025-11-21/part-1.jsonl",
      ])
    let beats = try #require(first["beats/site=booth/date=2025-11-21/part-1.jsonl"])
    let beat = try JSONReader.read(Array(beats.prefix { $0 != UInt8(ascii: "\n") })).value
    #expect(
      beat == [
        "participant": "P01", "session": "1", "trial": "trial-2", "condition": "MusicTask", "clip": "rain",
        "sensor": "strap", "step": "rest", "time_s": 1, "onsetTime_s": -18.99, "interval_ms": 1000,
        "rate_per_min": 60, "gap": false, "corrected": false, "artefact": nil, "simulated": false,
      ])
    _ = try await export()
    #expect(try SimulatedStudy.contents(of: folder) == first)
  }
}
