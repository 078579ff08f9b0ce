import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sessions of a study between participants without trials, on the program that people run")
struct GroupSessionTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A study of two groups, of which one hears a clip and one rests.
  private func study(cap: Int, sessions: Int = 1, seconds: Double = 0.3) throws {
    let flow = #""shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true"#
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Between", "version": "1", "clips": { "folder": "clips" },
        "sessions": \(sessions),
        "groups": { "assignment": "list", "groups": [
          { "name": "music", "cap": \(cap) }, { "name": "silence", "cap": \(cap) } ] },
        "steps": [
          { "kind": "music", "identifier": "m", "groups": ["music"], "clip": { "choose": "random" },
            "stepDuration": \(seconds), \(flow) },
          { "kind": "rest", "identifier": "s", "groups": ["silence"], "stepDuration": \(seconds), \(flow) },
          { "kind": "completion", "identifier": "end" } ] }
      """, to: "between.json")
  }

  private func session(_ participant: String, _ more: [String] = []) -> [String] {
    ["run", "between.json", "--participant", participant, "--speaker", "silent", "--unattended"] + more
  }

  private func run(_ words: [String]) async throws -> (status: Int32, output: String, complaints: String) {
    try await Turns.trials.take { try await bench.run(words) }
  }

  private func listed(_ location: [String] = ["results"]) async throws -> [JSONValue] {
    let run = try await bench.run(["participants"] + location + ["--json"])
    #expect(run.status == 0, "\(run.complaints)")
    return try JSONReader.read(Array(run.output.utf8)).value.array?.first?["participants"]?.array ?? []
  }

  @Test("Each participant is enrolled once, up to the caps, and performs the steps of one group")
  func enrolled() async throws {
    try study(cap: 1)
    #expect(try await bench.run(["validate", "between.json"]).status == 0)
    for participant in ["p1", "p2"] {
      let run = try await run(session(participant))
      #expect([0, 4].contains(run.status), "\(run.complaints)")
    }
    let results = try bench.bundles().map { try bench.result($0) }
    #expect(Set(results.compactMap { $0["group"]?.string }) == ["music", "silence"])
    for result in results {
      let steps = result["steps"]?.array?.compactMap { $0["identifier"]?.string }
      #expect(steps == (result["group"] == "music" ? ["m", "end"] : ["s", "end"]))
    }
    let people = try await listed()
    #expect(
      people.map { $0["sessionsDone"]?.integer } == [1, 1] && people.map { $0["trialsDone"]?.integer } == [1, 1])
    let full = try await run(session("p3"))
    #expect(full.status == 1 && full.complaints.contains("cap"), "\(full.complaints)")
    let again = try await run(session("p1"))
    #expect(again.status == 1 && again.complaints.contains("--session"), "\(again.complaints)")
    let more = try await run(session("p1", ["--session", "2"]))
    #expect([0, 4].contains(more.status), "\(more.complaints)")
    let replayed = try await bench.run(["show", "--replay", "results"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
    #expect(bench.bundles().count == 3)
  }

  @Test("Sessions and their trials are numbered, and the next one is planned", arguments: [[], ["--replacement"]])
  func sessions(more: [String]) async throws {
    try study(cap: 9, sessions: 2)
    for _ in 1...2 {
      let run = try await run(session("p1", ["--repeat", "2"] + more))
      #expect([0, 4].contains(run.status), "\(run.complaints)")
      let plan = try await bench.run(["plan", "between.json", "--participant", "p1"])
      #expect(plan.status == (bench.bundles().count == 2 ? 0 : 1), "\(plan.complaints)")
    }
    let results = try bench.bundles().map { try bench.result($0) }
    #expect(results.map { $0["session"]?.string } == ["1", "1", "2", "2"])
    #expect(results.map { $0["place"]?["trial"]?.integer } == [1, 2, 1, 2])
    #expect(Set(results.map { $0["group"] }).count == 1)
    let replayed = try await bench.run(["show", "--replay", "results"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
  }

  @Test("A session that was killed goes on with its group, its clips and the trials that are left")
  func resumed() async throws {
    try study(cap: 9, seconds: 1)
    try await Turns.trials.take {
      let child = try bench.start(session("p1", ["--repeat", "2"]))
      try await child.output.wait(for: "trial 2 of 2") { child.send(SIGKILL) }
      _ = await child.end()
    }
    let refused = try await run(session("p1"))
    #expect(refused.status == 1 && refused.complaints.contains("--resume"), "\(refused.complaints)")
    let run = try await run(session("p1", ["--resume"]))
    #expect([0, 4].contains(run.status), "\(run.complaints)")
    let results = try bench.bundles().map { try bench.result($0) }.filter { $0["outcome"] == "completed" }
    #expect(results.map { $0["place"]?["trial"]?.integer } == [1, 2])
    #expect(Set(results.map { $0["place"]?["run"] }).count == 1 && Set(results.map { $0["group"] }).count == 1)
    #expect(try await listed().first?["sessionsDone"] == 1)
    let replayed = try await bench.run(["show", "--replay", "results"])
    #expect(replayed.status == 0, "\(replayed.output)\(replayed.complaints)")
  }

  @Test("Stations that share a list on a server share the caps")
  func server() async throws {
    try study(cap: 1)
    let name = "bench_" + "\(UUID())".lowercased().filter { $0 != "-" }
    let server = try await PostgresServer.shared
    let made = try Program.run("psql", [server.url(), "--quiet", "--command", "CREATE DATABASE \(name)"])
    try #require(made.status == 0, "\(made.error)")
    let list = ["--participants", server.url(name)]
    var statuses: [Int32] = []
    for participant in ["p1", "p2", "p3"] {
      statuses.append(try await run(session(participant, list + ["--results", "of-\(participant)"])).status)
    }
    #expect([0, 4].contains(statuses[0]) && [0, 4].contains(statuses[1]) && statuses[2] == 1)
    #expect(Set(try await listed(list).map { $0["group"]?.string }) == ["music", "silence"])
  }

  @Test("The study of the article is performed as the article says")
  func article() async throws {
    let article = try String(
      contentsOfFile: "\(Repository.root)/Sources/station/Station.docc/ParticipantsAndGroups.md", encoding: .utf8)
    let json = try #require(
      article.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
    try bench.write(
      json.replacing(#""folder": "Clips""#, with: #""folder": "clips""#)
        .replacing(#""stepDuration": 30"#, with: #""stepDuration": 0.3"#), to: "groups.json")
    #expect(try await bench.run(["validate", "groups.json"]).complaints == "")
    let sensor = ["--sensor", "heartRate=\(Bench.steady)", "--speaker", "silent", "--unattended", "--seed", "42"]
    for participant in ["p01", "p02", "p03"] {
      let run = try await run(["run", "groups.json", "--participant", participant] + sensor)
      #expect([0, 4].contains(run.status), "\(run.complaints)")
    }
    let table = try await bench.run(["participants", "results"])
    #expect(article.contains("\n```\n\(table.output)```\n"), "\(table.output)")
  }
}
