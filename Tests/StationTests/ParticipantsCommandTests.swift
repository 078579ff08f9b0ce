import Basics
import Foundation
import SampleStore
import TestSupport
import Testing

@testable import Laboratory

@Suite("The participants of studies")
struct ParticipantsCommandTests {
  private static let noon = "2026-11-21T12:00:00.000Z"

  let bench: Bench

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  /// Two studies: one with two groups and a session that was not finished, one without groups.
  private func fill(_ location: String) async throws {
    let list = try await ParticipantList.open(location)
    try await list.setSeed(of: "Calm", to: 42)
    for code in ["p01", "p02", "p03"] {
      _ = try await list.enrol(code, in: "Calm", at: Self.noon) { index, _ in index == 2 ? "silence" : "music" }
    }
    for (run, trials) in [("run1", 8), ("run2", 3)] {
      _ = try await list.beginSession(run, of: "p01", in: "Calm", trials: 8, at: Self.noon, on: "desk")
      try await list.endSession(run, in: "Calm", isCompleted: trials == 8, trialsDone: trials, at: Self.noon)
    }
    _ = try await list.beginSession("run3", of: "p02", in: "Calm", trials: 8, at: Self.noon, on: "desk")
    _ = try await list.withdraw("p03")
    _ = try await list.enrol("p01", in: "Pilot", at: Self.noon) { _, _ in nil }
    await list.close()
  }

  /// The answer of a call that succeeds, in JSON.
  private func answer(_ words: [String]) async throws -> JSONValue {
    let (status, output, complaints) = try await bench.run(["participants"] + words + ["--json"])
    #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    let value = try JSONReader.read(Array(output.utf8)).value
    try AnswersTests.check([("participants", value)])
    return value
  }

  @Test("People see code, index, group, state, sessions and trials of every study")
  func people() async throws {
    try await fill(bench.scratch["results/participants.sqlite"])
    let (status, output, complaints) = try await bench.run(["participants"])
    #expect(status == 0 && complaints.isEmpty)
    #expect(
      output == """
        Calm: 3 participants, seed 42
        participant  index  group    state      sessions                    trials
        p01              1  music    enrolled   1 completed, 1 ended early      11
        p02              2  silence  enrolled   1 not finished                   0
        withdrawn-3      3  music    withdrawn  none                             0

        Pilot: 1 participant
        participant  index  group  state     sessions  trials
        p01              1  –      enrolled  none           0

        """)
  }

  @Test("Programs get the same, with every session")
  func programs() async throws {
    try await fill(bench.scratch["results/participants.sqlite"])
    let all = try await answer([])
    #expect(all.array?.map { $0["study"]?.string } == ["Calm", "Pilot"])
    #expect(all.array?.map { $0["seed"]?.integer } == [42, nil])
    let calm = try #require(try await answer(["results", "--study", "Calm"]).array)
    #expect(calm == all.array?.filter { $0["study"]?.string == "Calm" })
    let participants = try #require(calm.first?["participants"]?.array)
    #expect(participants.map { $0["participant"]?.string } == ["p01", "p02", "withdrawn-3"])
    #expect(participants.map { $0["sessionsDone"]?.integer } == [1, 0, 0])
    #expect(participants[2]["groupCounts"] == ["music": 1, "silence": 1])
    #expect(participants[0]["sessions"]?.array?.map { $0["state"]?.string } == ["completed", "endedEarly"])
  }

  @Test("A replacement has the index and the group of the replaced one, in a file and on a server")
  func replacement() async throws {
    let name = "bench_" + "\(UUID())".lowercased().filter { $0 != "-" }
    let server = try await PostgresServer.shared
    let made = try Program.run("psql", [server.url(), "--quiet", "--command", "CREATE DATABASE \(name)"])
    try #require(made.status == 0, "\(made.error)")
    for location in [bench.scratch["elsewhere.sqlite"], server.url(name)] {
      try await fill(location)
      let place = ["--participants", location, "--study", "Calm"]
      let answer = try await answer(place + ["--replace", "p02", "--by", "p20"])
      let participants = try #require(answer.array?.first?["participants"]?.array)
      #expect(participants.map { $0["participant"]?.string } == ["p01", "p02", "p20", "withdrawn-3"])
      #expect(participants.map { $0["index"]?.integer } == [1, 2, 2, 3])
      #expect(participants.map { $0["state"]?.string } == ["enrolled", "replaced", "enrolled", "withdrawn"])
      #expect(participants[2]["replaces"]?.string == "p02" && participants[2]["group"]?.string == "silence")
      let again = try await bench.run(["participants"] + place + ["--replace", "p02", "--by", "p21"])
      #expect(again.status == 1 && again.output.isEmpty && again.complaints.contains("“p20”"))
    }
  }

  @Test("The settings name the list, and the command line wins over them")
  func settings() async throws {
    try await fill(bench.scratch["shared.sqlite"])
    try bench.write(
      #"{"format":"station.settings/1","participants":"shared.sqlite"}"#, to: "results/station.json")
    #expect(try await answer([]).array?.count == 2)
    let missing = try await bench.run(["participants", "--participants", "nowhere.sqlite"])
    #expect(missing.status == 1 && missing.complaints.contains("there is no participants' list “nowhere.sqlite”"))
    // Looking for a list does not make one.
    #expect(bench.names(in: "").filter { $0.contains("nowhere") } == [])
    try bench.write(
      #"{"format":"station.settings/1","participants":"postgresql://me:s3cret@host/base"}"#,
      to: "results/station.json")
    let refused = try await bench.run(["participants"])
    #expect(refused.status == 3 && refused.complaints.contains("station.json:1:"))
    #expect(!refused.complaints.contains("s3cret"))
  }

  @Test("A study or participant that is not there is named, with those that are")
  func unknown() async throws {
    try await fill(bench.scratch["results/participants.sqlite"])
    for (words, text) in [
      (["--study", "Clam"], "did you mean “Calm”?"),
      (["--study", "Calm", "--replace", "p1", "--by", "p20"], "did you mean “p01”?"),
      (["--study", "Clam", "--replace", "p01", "--by", "p20"], "the study “Clam” has no participant “p01”"),
      (["--study", "Calm", "--replace", "p01", "--by", "p02"], "“p02” is enrolled"),
    ] {
      let run = try await bench.run(["participants"] + words)
      #expect(run.status == 1 && run.output.isEmpty && run.complaints.contains(text), "\(run.complaints)")
    }
    #expect(try await answer([]).array?.count == 2)
  }
}
