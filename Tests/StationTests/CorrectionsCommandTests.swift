import Basics
import Foundation
import TestSupport
import Testing

@Suite("Correcting beats at the bench")
struct CorrectionsCommandTests {
  let bench: Bench
  private static let bundle = "results/bundles/trial-1"

  init() throws {
    bench = try Bench()
    for number in 1...2 {
      var trial = MadeTrial()
      trial.recorders = ["heartRate"]
      try trial.write(to: bench.scratch["results/bundles/trial-\(number)"])
    }
  }

  private func run(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await bench.run(["corrections", Self.bundle] + words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  private func json(_ words: String...) async throws -> JSONValue {
    let (_, output, complaints) = try await bench.run(["corrections", Self.bundle] + words + ["--json"])
    #expect(!output.isEmpty, "\(complaints)")
    return try JSONReader.read(Array(output.utf8)).value
  }

  private static let signed = ["--author", "Rater A", "--reason", "T wave"]

  @Test("Corrections are added, listed, undone and compared, and all answers fit the schema")
  func editing() async throws {
    #expect(try await run() == "no corrections\n")
    let first = try await json("--delete", "5", "--author", "Rater A", "--reason", "T wave")
    let moved = try await json("--move", "7:7.2", "--author", "Rater B", "--reason", "late")
    let stretch = try await json("--unusable", "50:53.5", "--author", "Rater B", "--reason", "cable")
    let inserted = try await json("--insert", "4.5", "--author", "Rater A", "--reason", "missed")
    let undone = try await json("--undo", "4", "--author", "Rater B")
    let reviewed = try await json("--reviewed", "--author", "Rater B")
    #expect(
      [first, moved, stretch, inserted, undone, reviewed].map { $0["number"]?.integer } == Array(1...6))
    let list = try await json()
    let states = list.array?.first?["entries"]?.array?.map { $0["state"]?.string }
    #expect(states == ["applied", "applied", "applied", "undone", "applied", "applied"])
    let beats = try await json("--beats")
    #expect(beats["beats"]?.array?.count == 65)
    let comparison = try await json("--compare", "Rater A", "--compare", "Rater B")
    #expect(comparison["corrections"]?["onlySecond"]?.array == [2, 3])
    try AnswersTests.check(
      [first, moved, stretch, inserted, undone, reviewed, list, beats, comparison].map { ("corrections", $0) })
    let people = try await run()
    #expect(people.contains("Rater A") && people.contains("T wave") && people.contains("undone"))
    #expect(try await run("--beats").contains("unusable: 50.000 to 53.500 s"))
    #expect(try await run("--compare", "Rater A", "--compare", "Rater B").contains("only Rater B: 2, 3"))
    let all = try await bench.run(["corrections", "results", "--json"])
    #expect(try JSONReader.read(Array(all.output.utf8)).value.array?.count == 1)
    let verified = try await bench.run(["verify", Self.bundle, "--json"])
    #expect(try JSONReader.read(Array(verified.output.utf8)).value.array?.first?["corrections"] == 6)
  }

  @Test(
    "What cannot be done is refused with status, place and remedy, and nothing is written",
    arguments: [
      (["--delete", "5.5"] + Self.signed, Int32(1), "nearest"), (["--insert", "5"] + Self.signed, 1, "already"),
      (["--undo", "1", "--author", "Rater A"], 1, "no edit 1"),
      (["--delete", "5", "--author", "Rater A"], 2, "--reason"), (["--delete", "5", "--reason", "x"], 2, "--author"),
      (["--delete", "five"] + Self.signed, 2, "12.345"), (["--unusable", "8:5"] + Self.signed, 2, "earlier"),
      (["--delete", "5", "--insert", "6"] + Self.signed, 2, "combined"), (["--reason", "x"], 2, "--delete"),
      (["--compare", "Rater A"], 2, "two authors"), (["--compare", "Rater A", "--compare", "Rater B"], 1, "Rater A"),
      (["--delete", "5", "--corrections", "none"] + Self.signed, 1, "none"),
      (["--delete", "5", "--recorder", "rest"] + Self.signed, 1, "“rest”"),
      (["--delete", "5", "--author", "none", "--reason", "x"], 1, "none"),
    ])
  func refused(words: [String], status: Int32, word: String) async throws {
    let run = try await bench.run(["corrections", Self.bundle] + words)
    #expect(run.status == status && run.output.isEmpty && run.complaints.contains(word), "\(run)")
    #expect(bench.names(in: "results/bundles").allSatisfy { !$0.contains("corrections") })
  }

  @Test("Analyses, charts, reports and exports say whose corrections they use, and --corrections none goes back")
  func outputs() async throws {
    func outputs(_ place: String, _ words: [String] = []) async throws -> [String] {
      var outputs = [
        try await bench.run(["analyse", Self.bundle, "--json"] + words).output,
        try await bench.run(["analyse", Self.bundle] + words).output,
        try await bench.run(["analyse", "results", "--csv"] + words).output,
      ]
      for kind in ["tachogram", "heartRate", "poincare", "range"] {
        let file = "\(place)-\(kind).svg"
        #expect(try await bench.run(["chart", kind, Self.bundle, "--output", file] + words).status == 0)
        outputs.append(try String(contentsOfFile: bench.scratch[file], encoding: .utf8))
      }
      outputs.append(try await bench.run(["report", Self.bundle, "--output", "-"] + words).output)
      for form in ["table", "bids", "kubios"] {
        let folder = "\(place)-\(form)"
        #expect(try await bench.run(["export", form, "results", "--to", folder] + words).status == 0)
        let root = bench.scratch[folder]
        for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
          // The ledger has the options, and files with dates of the call are none of the data.
          guard !Folder.isFolder("\(root)/\(name)"), !name.contains("trials.jsonl"), !name.contains("export.jsonl"),
            !name.contains("sourcedata")
          else { continue }
          outputs.append(name + String(decoding: try File.contents(of: "\(root)/\(name)"), as: UTF8.self))
        }
      }
      return outputs
    }
    let before = try await outputs("before")
    _ = try await run("--delete", "5", "--author", "Rater A", "--reason", "T wave")
    let corrected = try await outputs("corrected")
    let after = try await outputs("after", ["--corrections", "none"])
    #expect(before.count == after.count && before.count == corrected.count)
    for (old, new) in zip(before, after) where !old.contains("<!doctype") && !old.lowercased().contains("<html") {
      #expect(old == new)
    }
    let words = "1 correction by Rater A"
    #expect(corrected.prefix(8).allSatisfy { $0.contains(words) || $0.contains("Rater A") })
    #expect(corrected.dropFirst(8).contains { $0.hasPrefix("trials.csv") && $0.contains(words) })
    #expect(corrected.dropFirst(8).contains { $0.contains("physioevents.json") && $0.contains(words) })
    #expect(!after.contains { $0.contains("Rater A") })
    let ledger = try String(
      contentsOfFile: bench.scratch["corrected-kubios/station-kubios-export.jsonl"], encoding: .utf8)
    #expect(ledger.contains(words))
    let hidden = try await bench.run(["export", "table", "results", "--to", "hidden", "--pseudonyms"])
    #expect(hidden.status == 0)
    let trials = try String(contentsOfFile: bench.scratch["hidden/trials.csv"], encoding: .utf8)
    #expect(trials.contains("1 correction") && !trials.contains("Rater"))
    let beside = bench.names(in: "corrected-bids/sourcedata/bundles")
    #expect(beside.contains("trial-1.corrections.jsonl"))
  }

  @Test("A correction that no longer fits is listed, and every analysis says so")
  func changed() async throws {
    _ = try await run("--delete", "5", "--author", "Rater A", "--reason", "T wave")
    let path = bench.scratch["\(Self.bundle)/data/heart.json"]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data((text + " ").utf8).write(to: URL(filePath: path))
    let analysis = try await bench.run(["analyse", Self.bundle])
    #expect(analysis.output.contains("1 correction not used") && analysis.output.contains("SHA-256"))
    let chart = try await bench.run(["chart", "tachogram", Self.bundle, "--output", "x.svg"])
    #expect(chart.complaints.contains("1 correction not used"))
    let export = try await bench.run(["export", "kubios", "results", "--to", "kubios"])
    #expect(export.status == 0 && export.complaints.contains("1 correction not used"))
    #expect(try await run().contains("does not fit"))
  }

  @Test("An export names the trials that were corrected since it was made", arguments: ["kubios", "bids"])
  func stale(form: String) async throws {
    let words = ["export", form, "results", "--to", "out"]
    #expect(try await bench.run(words).status == 0)
    #expect(try await bench.run(words).complaints.isEmpty)
    _ = try await run("--delete", "5", "--author", "Rater A", "--reason", "T wave")
    let again = try await bench.run(words)
    #expect(again.status == 0 && again.complaints.contains("corrections of trial trial-1 have changed"), "\(again)")
    let other = try await bench.run(words + ["--corrections", "none"])
    #expect(other.status == 1 && other.complaints.contains("--corrections none"))
  }
}
