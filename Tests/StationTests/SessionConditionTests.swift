import Basics
import Foundation
import TestSupport
import Testing

@Suite("Conditions and baselines of a session")
struct SessionConditionTests {
  let bench: Bench

  init() async throws {
    bench = try Bench()
    try bench.write(Self.study, to: "study.json")
    let made = try await bench.run(["simulate", "study.json", "--participants", "3", "--results", "made"])
    try #require(made.status == 0, "\(made.complaints)")
  }

  /// A rest before two trials, which have a rest of another name.
  private static let study = """
    { "format": "station.protocol/1", "identifier": "Around", "version": "1", "title": "A title",
      "clips": { "folder": "clips" },
      "steps": [
        { "kind": "rest", "identifier": "baseline", "stepDuration": 40, "shouldStartTimerAutomatically": true,
          "shouldContinueOnFinish": true, "recorderConfigurations": [\(Bench.recorder("before", "heartRate", "count/min"))] },
        { "kind": "trials", "identifier": "trials",
          "design": { "order": "balancedLatinSquare",
            "conditions": [
              { "name": "tone", "clips": { "from": ["high"] }, "factors": { "sound": "yes" } },
              { "name": "silence", "clips": "silence", "factors": { "sound": "no" } } ] },
          "steps": [
            { "kind": "music", "identifier": "music", "clip": { "choose": "condition" }, "stepDuration": 40,\(Bench.looped)
              "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
              "recorderConfigurations": [\(Bench.recorder("hr", "heartRate", "count/min"))] } ] },
        { "kind": "completion", "identifier": "end" } ] }
    """

  private func rows(_ words: [String]) async throws -> [JSONValue] {
    let run = try await bench.run(["analyse", "made", "--measure", "meanHeartRate", "--json"] + words)
    #expect(run.status == 0, "\(run.complaints)")
    return try #require(try JSONReader.read(Array(run.output.utf8)).value["rows"]?.array)
  }

  @Test("A baseline step before the trials is that of each trial of its session")
  func baseline() async throws {
    let rows = try await rows(["--by", "condition", "--baseline", "step:baseline"])
    let trials = rows.filter { $0["condition"]?.string != nil }
    #expect(trials.count == 6 && rows.count == 9)
    for row in trials {
      let around = try #require(rows.first { $0["trial"] == row["baselineTrial"] })
      #expect(around["participant"] == row["participant"] && around["condition"] == .null)
      #expect(around["baseline"]?.number == row["baseline"]?.number)
      let (value, before) = try (#require(row["value"]?.number), #require(row["baseline"]?.number))
      #expect(abs(try #require(row["change"]?.number) - (value - before)) < 1e-9)
    }
    let text = try await bench.run([
      "analyse", "made", "--by", "condition", "--measure", "meanHeartRate", "--baseline", "step:baseline",
    ])
    #expect(text.status == 0 && text.complaints.isEmpty && text.output.contains("tone"))
    let page = try await bench.run(["report", "made", "--baseline", "step:baseline", "--output", "-"])
    let shown = page.output.replacing(/<[^>]*>/, with: "")
    #expect(page.status == 0 && shown.contains("--baseline step:baseline"))
  }

  @Test("A step that neither a trial nor its session has is an error")
  func missing() async throws {
    let run = try await bench.run([
      "analyse", "made", "--by", "condition", "--measure", "meanHeartRate", "--baseline", "step:basline",
    ])
    #expect(run.status == 1 && run.complaints.contains("basline"))
  }

  @Test("What lies around the trials is a condition nowhere")
  func conditions() async throws {
    let pie = try await bench.run(["chart", "pie", "made", "--by", "condition"])
    #expect(pie.output.contains("Conditions of 6 trials") && !pie.output.contains("Around"))
    for form in ["table", "jsonl", "bids"] {
      let exported = try await bench.run(["export", form, "made", "--to", form])
      try #require(exported.status == 0, "\(exported.complaints)")
    }
    if Peers.areAsked {
      let read = try Program.run(Repository.python, [bench.scratch["table/read.py"]])
      let means = read.output.split(separator: "\n").filter { $0.hasSuffix("/min") }
      #expect(read.status == 0 && means.map { $0.prefix { $0 != ":" } } == ["silence", "tone"], "\(read)")
    }
    for name in ["trials", "beats", "samples"] {
      let table = try String(contentsOfFile: bench.scratch["table/\(name).csv"], encoding: .utf8)
      let lines = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let column = try #require(lines.first?.firstIndex(of: "condition"))
      #expect(Set(lines.dropFirst().map { String($0[column]) }) == ["", "silence", "tone"], "\(name)")
    }
    let single = try await bench.run(["analyse", try #require(bench.bundles(in: "made").first), "--json"])
    #expect(single.status == 0)
  }

  @Test("The report of a trial has its condition, block and position, and names the protocol by its identifier")
  func trial() async throws {
    let bundles = try bench.bundles(in: "made").filter { try bench.result($0)["design"]?.object != nil }
    let page = try await bench.run(["report", try #require(bundles.first), "--output", "-"]).output.withoutSpans
    for words in ["A title", "Around", "condition", "block", "position", "sound "] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains(", silence version") && !page.contains(", tone version"))
  }

  @Test("The report of a design goes by condition first, unless another key is asked for", arguments: [nil, "clip"])
  func study(key: String?) async throws {
    let page = try await bench.run(["report", "made", "--output", "-"] + (key.map { ["--by", $0] } ?? []))
      .output.withoutSpans
    let first = try #require(page.firstMatch(of: /Means by ([a-z]+)/)).1
    #expect(first == key ?? "condition")
    #expect(page.contains("analyse . --by \(first)"))
    if key == nil { #expect(page.contains("Cousineau") && page.contains("Response by condition")) }
  }

  @Test("A chart of responses of a design has a line for each condition")
  func response() async throws {
    let drawn = try await bench.run(["chart", "response", "made", "--baseline", "none", "--output", "r.svg"])
    let picture = try String(contentsOfFile: bench.scratch["r.svg"], encoding: .utf8)
    #expect(drawn.status == 0 && picture.contains("silence (") && picture.contains("tone ("), "\(drawn)")
  }
}
