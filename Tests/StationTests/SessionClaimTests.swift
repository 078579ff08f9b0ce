import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A session is performed by one process at a time, on the program that people run")
struct SessionClaimTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(Self.study, to: "study.json")
    // So long that everything happens before its end on any machine.
    let long = Self.study.replacing(#""stepDuration": 2"#, with: #""stepDuration": 600"#)
    try bench.write(long, to: "long.json")
    try bench.write(Self.single, to: "single.json")
  }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1", "steps": [
        { "kind": "trials", "identifier": "pieces",
          "design": {
            "conditions": [
              { "name": "one", "clips": "silence" }, { "name": "two", "clips": "silence" },
              { "name": "three", "clips": "silence" } ],
            "order": "fixed" },
          "steps": [{ "kind": "rest", "identifier": "silence", "stepDuration": 2 }] } ] }
    """

  /// A protocol that is a single trial.
  private static let single = """
    { "format": "station.protocol/1", "identifier": "Single", "version": "1", "steps": [
        { "kind": "rest", "identifier": "silence", "stepDuration": 600 } ] }
    """

  private func session(_ protocolName: String = "study.json", _ more: [String] = []) -> [String] {
    ["run", protocolName, "--participant", "p1", "--unattended"] + more
  }

  private func sessions() throws -> [JSONValue] {
    try bench.names(in: "results/sessions").map {
      try JSONReader.read(Array(Data(contentsOf: URL(filePath: bench.scratch["results/sessions/\($0)"])))).value
    }
  }

  /// The numbers of the trials that count, each of which is there once.
  private func counting(_ session: JSONValue) -> [Int] {
    (session["performed"]?.array ?? []).filter { $0["superseded"] == false }.compactMap { $0["number"]?.integer }
  }

  /// Expects one session of three trials, each of which was performed once, and a bundle of all that was performed.
  private func expectOneSession(killed: Int = 0) throws {
    let session = try #require(try sessions().first)
    #expect(try sessions().count == 1 && session["state"] == "completed")
    #expect(counting(session).sorted() == [1, 2, 3])
    #expect(bench.bundles().count == 4 + killed)
    #expect(session["performed"]?.array?.count == bench.bundles().count)
    let identifiers = try bench.bundles().map { try bench.result($0)["place"]?["run"] }
    #expect(Set(identifiers) == [session["session"]])
  }

  @Test(
    "A second process is refused with the process that has the session, and changes nothing",
    arguments: [[], ["--resume"], ["--session", "2"]])
  func running(options: [String]) async throws {
    try await Turns.trials.take {
      let first = try bench.start(session("long.json"))
      try await first.output.wait(for: "silence: started")
      let second = try await bench.run(session("long.json", options))
      #expect(second.status == 1)
      #expect(second.complaints.contains("process \(first.identifier) on “"), "\(second.complaints)")
      first.send(SIGTERM)
      #expect(await first.end() == 4, "\(first.complaints.text)")
    }
    try expectInterrupted()
  }

  /// Expects one session that was stopped in its first trial.
  private func expectInterrupted() throws {
    let session = try #require(try sessions().first)
    #expect(try sessions().count == 1 && session["state"] == "interrupted")
    #expect(session["performed"]?.array?.map { $0["number"]?.integer } == [nil, 1] && bench.bundles().count == 2)
  }

  @Test("Of three resumptions at the same time after a kill one goes on, and every trial is performed once")
  func resumed() async throws {
    try await Turns.trials.take {
      let first = try bench.start(session())
      try await first.output.wait(for: "trial 2 of 3") { first.send(SIGKILL) }
      _ = await first.end()
      let children = try (0..<3).map { _ in try bench.start(session("study.json", ["--resume"])) }
      var statuses: [Int32] = []
      for child in children { statuses.append(await child.end()) }
      #expect(statuses.count { [0, 4].contains($0) } == 1, "\(children.map(\.complaints.text))")
      #expect(statuses.count { $0 == 1 } == 2)
    }
    let all = try #require(try sessions().first)["performed"]?.array ?? []
    // What was under way when the process was killed: the second trial, where its journal had begun, and what lies around.
    try expectOneSession(killed: all.count - 4)
    #expect(all.count <= 6)
  }

  @Test("Of four runs of a participant at the same time in a study of one session one begins")
  func begun() async throws {
    try await Turns.trials.take {
      let children = try (0..<4).map { _ in try bench.start(session()) }
      var statuses: [Int32] = []
      for child in children { statuses.append(await child.end()) }
      #expect(statuses.count { [0, 4].contains($0) } == 1, "\(children.map(\.complaints.text))")
      #expect(statuses.count { $0 == 1 } == 3)
    }
    try expectOneSession()
  }

  @Test("A protocol that is a single trial is performed by one process as well, and is free after a kill")
  func single() async throws {
    try await Turns.trials.take {
      for _ in 0..<2 {
        let first = try bench.start(session("single.json"))
        try await first.output.wait(for: "silence: started")
        let second = try await bench.run(session("single.json"))
        #expect(second.status == 1)
        #expect(second.complaints.contains("process \(first.identifier) on “"), "\(second.complaints)")
        first.send(SIGKILL)
        _ = await first.end()
      }
      let last = try bench.start(session("single.json"))
      try await last.output.wait(for: "silence: started") { last.send(SIGTERM) }
      _ = await last.end()
    }
    #expect(bench.bundles().count == 3)
    let hidden = try FileManager.default.contentsOfDirectory(atPath: bench.scratch["results/sessions"])
    #expect(hidden.filter { $0.hasSuffix(".lock") } == [])
  }

  @Test("A participant whose session runs is not withdrawn")
  func withdrawn() async throws {
    try await Turns.trials.take {
      let first = try bench.start(session("long.json"))
      try await first.output.wait(for: "silence: started")
      let withdrawal = try await bench.run(["withdraw", "p1", "--yes"])
      #expect(withdrawal.status == 1, "\(withdrawal.output)\(withdrawal.complaints)")
      first.send(SIGTERM)
      #expect(await first.end() == 4)
    }
    try expectInterrupted()
  }
}
