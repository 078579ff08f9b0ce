import Basics
import Foundation
import Quantities
import TestSupport
import Testing

@Suite("station list")
struct ListCommandTests {
  let bench: Bench

  /// Twelve trials of three participants in two studies, a day apart.
  init() throws {
    bench = try Bench()
    for number in 0..<12 {
      var made = MadeTrial()
      made.participant = "p\(number % 3)"
      made.condition = number < 8 ? "Calm" : "Pilot"
      made.verdict = number % 4 == 0 ? "suspect" : "good"
      made.start = WallTime(milliseconds: 1_763_636_911_250 + 86_400_000 * Int64(number))
      try made.write(to: bench.scratch["results/bundles/trial-\(10 + number)"])
    }
  }

  private func list(_ words: String...) async throws -> (status: Int32, trials: [String], complaints: String) {
    let run = try await bench.run(["list", "--json"] + words)
    let json = run.output.isEmpty ? .array([]) : try JSONReader.read(Array(run.output.utf8)).value
    // Written piece by piece, it is what it would be as a whole.
    #expect(run.output.isEmpty || json.text(pretty: true) == run.output)
    return (run.status, (json.array ?? []).compactMap { $0["trial"]?.string }, run.complaints)
  }

  @Test(
    "A part of the trials is listed",
    arguments: [
      ([], 12), (["--participant", "p1"], 4), (["--study", "Pilot"], 4), (["--condition", "Calm"], 8),
      (["--verdict", "good"], 9), (["--from", "2025-11-30T00:00Z"], 2), (["--to", "2025-11-21T00:00Z"], 1),
      (["--from", "2025-11-22", "--to", "2025-11-24", "--time-zone", "UTC"], 2),
      (["--participant", "p2", "--study", "Calm", "--verdict", "suspect"], 2), (["--session", "1"], 12),
    ] as [([String], Int)])
  func filters(words: [String], count: Int) async throws {
    for _ in 1...2 {
      let run = try await bench.run(["list"] + words)
      #expect(run.status == 0 && run.output.split(separator: "\n").count == count + 1, "\(run)")
      let json = try JSONReader.read(Array(try await bench.run(["list", "--json"] + words).output.utf8)).value
      #expect(json.array?.count == count)
    }
  }

  @Test(
    "Where nothing belongs to a part, it says what there is", arguments: ["--participant", "--study", "--condition"])
  func none(option: String) async throws {
    let (status, trials, complaints) = try await list(option, "other")
    #expect(status == 1 && trials == [])
    #expect(complaints.contains("“other”") && complaints.contains("p0 (1); p1 (1); p2 (1)"), "\(complaints)")
  }

  @Test("The list is the same with an index, a damaged one, and none")
  func same() async throws {
    let (index, first) = (bench.scratch["results/.index.jsonl"], try await list())
    #expect(first.status == 0 && first.trials == (10..<22).map { "trial-\($0)" })
    try Data("{\"format\":\"station.index/1\"}\n{".utf8).write(to: URL(filePath: index))
    #expect(try await list() == first)
    #expect(try await list() == first)
    try Folder.removeTree(bench.scratch["results/bundles/trial-15"])
    #expect(try await list().trials == first.trials.filter { $0 != "trial-15" })
  }

  @Test("A bundle that cannot be read is reported each time")
  func unreadable() async throws {
    let result = bench.scratch["results/bundles/trial-13/data/result.json"]
    #expect(try await list().status == 0)
    try Data("{".utf8).write(to: URL(filePath: result))
    for _ in 1...2 {
      let (status, trials, complaints) = try await list()
      #expect(status == 1 && trials.count == 11 && complaints.contains("trial-13"))
    }
  }
}
