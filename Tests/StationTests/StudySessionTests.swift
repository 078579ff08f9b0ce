import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sessions of a designed study, on the program that people run")
struct StudySessionTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.clip("third")
    try bench.write(Self.study, to: "study.json")
  }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1", "clips": { "folder": "clips" },
      "sessions": 2,
      "steps": [
        { "kind": "rest", "identifier": "baseline", "stepDuration": 0.3,
          "recorderConfigurations": [{ "identifier": "baselineHeart", "quantityType": "heartRate" }] },
        { "kind": "trials", "identifier": "pieces",
          "design": {
            "conditions": [
              { "name": "one", "clips": { "from": ["high"] } }, { "name": "two", "clips": { "from": ["low"] } },
              { "name": "silence", "clips": "silence" } ],
            "order": "latinSquare" },
          "practice": { "trials": 1, "clips": { "from": ["third"] } },
          "breaks": { "every": 2, "steps": [{ "kind": "instruction", "identifier": "pause" }] },
          "steps": [
            { "kind": "rest", "identifier": "before",
              "stepDuration": { "distribution": "uniform", "minimum": 0.1, "maximum": 0.3 } },
            { "kind": "music", "identifier": "stimulus", "stepDuration": 0.5, "clip": { "choose": "condition" },
              "recorderConfigurations": [{ "identifier": "heart", "quantityType": "heartRate" }] } ] },
        { "kind": "completion", "identifier": "end" } ] }
    """

  private func session(_ participant: String, _ more: [String] = []) -> [String] {
    ["run", "study.json", "--participant", participant, "--sensor", "heartRate=\(Bench.steady)", "--speaker", "silent"]
      + ["--unattended", "--seed", "3"] + more
  }

  private func results() throws -> [JSONValue] { try bench.bundles().map { try bench.result($0) } }

  private func record() throws -> JSONValue {
    let names = bench.names(in: "results/sessions")
    let path = try bench.scratch["results/sessions/\(#require(names.last))"]
    return try JSONReader.read(Array(Data(contentsOf: URL(filePath: path)))).value
  }

  @Test("Participants take the rows of the square in turn; the plan, the record and the results agree")
  func participants() async throws {
    for (participant, order) in [("p1", ["one", "two", "silence"]), ("p2", ["two", "silence", "one"])] {
      let run = try await Turns.trials.take { try await bench.run(session(participant)) }
      #expect([0, 4].contains(run.status), "\(run.complaints)")
      let results = try results().filter { $0["participant"]?.string == participant }
      let trials = results.filter { $0["place"]?["trial"]?.integer != nil }
      #expect(trials.compactMap { $0["design"]?["practice"] } == [true, false, false, false])
      #expect(trials.dropFirst().compactMap { $0["design"]?["condition"]?.string } == order)
      for trial in trials {
        let isSilent = trial["design"]?["condition"]?.string == "silence"
        #expect((trial["clip"] == .null) == isSilent && (trial["design"]?["silentStep"] != .null) == isSilent)
      }
      let around = try #require(results.first { $0["place"]?["trial"] == .null })
      #expect(
        around["steps"]?.array?.compactMap { $0["identifier"]?.string }
          == ["baseline", "pieces", "pause", "pieces", "end"])
      #expect(around["recordings"]?.array?.count == 1)
      let record = try record()
      #expect(record["state"] == "completed" && record["performed"]?.array?.count == 5)
      let index = participant == "p1" ? "1" : "2"
      let plan = try await bench.run(["plan", "study.json", "--index", index, "--seed", "3", "--json"])
      let planned = try JSONReader.read(Array(plan.output.utf8)).value["trials"]?.array ?? []
      #expect(planned.map { $0["clip"] } == (record["plan"]?.array ?? []).map { $0["clip"]?["name"] ?? .null })
      #expect(planned.compactMap { $0["condition"] } == trials.compactMap { $0["design"]?["condition"] })
    }
    for bundle in bench.bundles() { #expect(try await bench.run(["verify", bundle]).status == 0) }
    let listed = try await bench.run(["participants", "results", "--json"])
    #expect(listed.output.contains("\"p2\"") && listed.status == 0)
    let table = try await bench.run(["analyse", "results", "--csv", "--measure", "meanHeartRate"])
    let header = try #require(table.output.split(separator: "\n").first).split(separator: ",").map(String.init)
    for column in ["condition", "block", "position", "practice", "group"] { #expect(header.contains(column)) }
  }

  @Test(
    "A session that was killed goes on where it was, and each planned trial counts once",
    arguments: ["baseline: started", "trial 1 of 4", "before: started", "trial 3 of 4", "pause"])
  func killed(at line: String) async throws {
    try await Turns.trials.take {
      let child = try bench.start(session("p1"))
      try await child.output.wait(for: line) { child.send(SIGKILL) }
      _ = await child.end()
      let plan = try record()["plan"]
      let again = try await bench.run(session("p1"))
      #expect(again.status == 1 && again.complaints.contains("--resume"))
      var resume = session("p1", ["--resume"])
      resume.removeAll { $0 == "--seed" || $0 == "3" }
      let run = try await bench.run(resume)
      #expect([0, 4].contains(run.status), "\(run.complaints)")
      let record = try record()
      #expect(record["state"] == "completed" && record["plan"] == plan)
      // What was done before the interruption is not said to be missing in the part after it.
      let last = try #require(try results().last { $0["place"]?["trial"] == .null })
      let steps = last["steps"]?.array?.compactMap { $0["identifier"]?.string } ?? []
      #expect(last["recordings"]?.array?.count == (steps.contains("baseline") ? 1 : 0))
      let counting = (record["performed"]?.array ?? []).filter { $0["superseded"] == false }
      #expect(counting.compactMap { $0["number"]?.integer }.sorted() == [1, 2, 3, 4])
      #expect(counting.allSatisfy { $0["number"] == .null || $0["outcome"] == "completed" })
      let conditions = try results().filter { $0["outcome"] == "completed" && $0["place"]?["trial"] != .null }
      #expect(conditions.compactMap { $0["design"]?["condition"]?.string }.dropFirst() == ["one", "two", "silence"])
    }
    // What was performed again does not count in analyses.
    let table = try await bench.run(["analyse", "results", "--csv", "--measure", "meanHeartRate", "--window", "whole"])
    let header = try #require(table.output.split(separator: "\n").first).split(separator: ",").map(String.init)
    let position = try #require(header.firstIndex(of: "position"))
    let rows = table.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.map { $0[position] }.filter { !$0.isEmpty }.sorted() == ["1", "1", "2", "3"])
    // The second session is the last one.
    let second = try await Turns.trials.take { try await bench.run(session("p1")) }
    #expect([0, 4].contains(second.status), "\(second.complaints)")
    #expect(try results().last?["session"]?.string == "2")
    let third = try await bench.run(session("p1"))
    #expect(third.status == 1 && third.complaints.contains("--session"))
  }

  @Test("At a terminal a trial is skipped for good, and the session pauses between two trials until Return")
  func skippedAndPaused() async throws {
    let words = session("p1").filter { $0 != "--unattended" }.map { $0 == "study.json" ? "attended.json" : $0 }
    let alone = #""shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,"#
    try bench.write(
      Self.study.replacing(#""version": "1","#, with: #""version": "1", "display": "operator","#)
        .replacing(#""kind": "music","#, with: #""kind": "music", \#(alone)"#)
        .replacing(#""kind": "rest","#, with: #""kind": "rest", \#(alone)"#)
        .replacing(#""stepDuration": 0.5"#, with: #""stepDuration": 1.5"#),
      to: "attended.json")
    let trials = try await Turns.trials.take {
      let child = try bench.start(words, input: .terminal)
      child.answer([
        ("♪", "\u{10}/nothing\r"), ("is not a command", "\u{10}/pause after\r"), ("Return to go on", "\r"),
      ])
      // While the sound of each of the next two trials plays.
      for (line, keys) in [("trial 2 of 4\r", "\u{10}/skip trial\r"), ("trial 3 of 4\r", "\u{3}")] {
        child.output.when(line) { _ in
          let count = child.output.text.split(separator: "♪", omittingEmptySubsequences: false).count
          child.output.when("♪", times: count) { _ in child.type(keys) }
        }
      }
      #expect(await child.end() == 4)
      let performed = try record()["performed"]?.array ?? []
      #expect(performed.map { $0["number"]?.integer } == [nil, 1, 2, 3])
      #expect(performed.map { $0["outcome"]?.string } == ["stopped", "completed", "skipped", "stopped"])
      let run = try await bench.run(words.filter { $0 != "--seed" && $0 != "3" } + ["--resume", "--unattended"])
      #expect([0, 4].contains(run.status), "\(run.complaints)")
      return try record()["performed"]?.array ?? []
    }
    let counting = trials.filter { $0["superseded"] == false && $0["number"] != .null }
    #expect(counting.map { $0["number"]?.integer } == [1, 2, 3, 4])
    #expect(counting.map { $0["outcome"]?.string } == ["completed", "skipped", "completed", "completed"])
    for bundle in bench.bundles() { #expect(try await bench.run(["verify", bundle]).status == 0) }
    let replayed = try await bench.run([
      "show", "--replay", "results/sessions/\(bench.names(in: "results/sessions")[0])",
    ])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
  }

  @Test("Rows of a table are conditions, and the bundle's protocol needs no table")
  func conditionsFile() async throws {
    try bench.write("condition,clip,pitch\none,high,440\none,low,\nnone,silence,0\n", to: "conditions.csv")
    let design = #""conditionsFile": "conditions.csv", "order": "fixed""#
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Rows", "version": "1", "clips": { "folder": "clips" }, "steps": [
        { "kind": "trials", "identifier": "pieces", "design": { \(design) }, "steps": [
          { "kind": "music", "identifier": "stimulus", "stepDuration": 0.3, "clip": { "choose": "condition" } } ] } ] }
      """, to: "rows.json")
    let run = try await Turns.trials.take {
      try await bench.run(["run", "rows.json", "--participant", "p1", "--speaker", "silent", "--unattended"])
    }
    #expect([0, 4].contains(run.status), "\(run.complaints)")
    let trials = try results().filter { $0["place"]?["trial"]?.integer != nil }
    #expect(trials.map { $0["clip"]?["name"]?.string } == ["high", "low", nil])
    #expect(trials.first?["design"]?["factors"]?["pitch"]?.string == "440")
    let copy = "\(bench.bundles()[0])/data/protocol.json"
    #expect(try await bench.run(["validate", copy, "--clips", "clips"]).status == 0)
    try bench.write("condition,clip\none,high\ntwo words,low\nthree\n", to: "conditions.csv")
    let refused = try await bench.run(["validate", "rows.json"])
    #expect(refused.status == 3)
    #expect(refused.complaints.contains("conditions.csv:3:1: ") && refused.complaints.contains("conditions.csv:4:1: "))
    let plan = try await bench.run(["plan", copy, "--clips", "clips"])
    #expect(plan.output.contains("\nfactors: pitch (0, 440; none for one)\n"), "\(plan.output)\(plan.complaints)")
  }
}
