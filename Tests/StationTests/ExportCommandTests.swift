import Basics
import Foundation
import TestSupport
import Testing

@Suite("Exporting from the command line")
struct ExportCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "Every form writes the chosen trials, and says so as the schema has it",
    arguments: [
      "bids", "table", "jsonl", "fhir", "kubios", "omh", "researchkit",
    ])
  func forms(form: String) async throws {
    let results = try bench.writeStudy()
    let words = ["export", form, results, "--participant", "P01", "--to", "out"]
    let (status, output, complaints) = try await bench.run(words + ["--json"])
    #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    let answer = try JSONReader.read(Array(output.utf8)).value
    try AnswersTests.check([("export", answer)])
    #expect(answer["trials"]?.integer == 4 && answer["added"]?.integer == 4)
    #expect(bench.names(in: "out").isEmpty == false)
    // A bundle by its identifier, over the earlier export.
    let more = try await bench.run(["export", form, "results/bundles/trial-04", "--to", "out"])
    #expect(more.status == 0 && more.output.contains("trial"))
  }

  @Test("A damaged trial is reported and left out, with status 1", arguments: ["bids", "table", "omh"])
  func damaged(form: String) async throws {
    let results = try bench.writeStudy()
    try bench.write("{", to: "results/bundles/trial-00/data/result.json")
    let (status, output, complaints) = try await bench.run(["export", form, results, "--to", "out"])
    #expect(status == 1 && output.contains("exported 11 trials to “out”"))
    #expect(complaints.contains("trial-00"))
  }

  private static let wrongCalls: [(words: String, status: Int32)] = [
    ("export", 2), ("export table results", 2), ("export table results --to out --verdict bad", 2),
    ("export bids results --to out --key k", 2), ("export table results --to out --participant nobody", 1),
    ("export bids results --to clips", 1), ("export bids results --to results/bundles/trial-00/data", 1),
    ("export bids results/bundles/trial-00 --to out --pseudonyms", 1),
    ("export bids results --to out --describe clips/high.mp3", 1),
  ]

  @Test("Wrong calls are refused before anything is written", arguments: wrongCalls)
  func refusals(words: String, expected: Int32) async throws {
    _ = try bench.writeStudy()
    let (status, output, complaints) = try await bench.run(words.split(separator: " ").map(String.init))
    #expect(status == expected && output.isEmpty && !complaints.isEmpty, "\(status) \(output) \(complaints)")
    #expect(bench.names(in: "out").filter { $0.hasSuffix(".csv") || $0.hasPrefix("sub-") } == [])
  }
}
