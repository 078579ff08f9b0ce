import Basics
import Foundation
import Laboratory
import TestSupport
import Testing

@Suite("Planning a participant's next session")
struct PlanCommandTests {
  private static let noon = "2026-11-21T12:00:00.000Z"

  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(study(groups: ""), to: "study.json")
    try bench.write(study(groups: Self.groups("index")), to: "turns.json")
    try bench.write(study(groups: Self.groups("hash")), to: "hash.json")
    try bench.write(study(groups: Self.groups("list")), to: "list.json")
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  private static func groups(_ assignment: String) -> String {
    #""groups": { "assignment": "\#(assignment)", "groups": [{ "name": "a" }, { "name": "b" }] },"#
  }

  private func study(groups: String) -> String {
    """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1", "clips": { "folder": "clips" },
      "sessions": 2, \(groups)
      "steps": [
        { "kind": "rest", "identifier": "baseline", "stepDuration": 2 },
        { "kind": "trials", "identifier": "pieces",
          "design": { "conditions": [
              { "name": "one", "clips": { "from": ["high"] } }, { "name": "two", "clips": { "from": ["low"] } } ],
            "order": "latinSquare" },
          "steps": [
            { "kind": "music", "identifier": "stimulus", "stepDuration": 1, "clip": { "choose": "condition" } } ] } ] }
    """
  }

  private func answer(_ words: [String]) async throws -> JSONValue {
    let run = try await bench.run(["plan"] + words + ["--json"])
    #expect(run.status == 0, "\(run.complaints)")
    let value = try JSONReader.read(Array(run.output.utf8)).value
    try AnswersTests.check([("plan", value)])
    return value
  }

  private func list(_ fill: (ParticipantList) async throws -> Void) async throws {
    let list = try await ParticipantList.open(bench.scratch["results/participants.sqlite"])
    try await fill(list)
    await list.close()
  }

  @Test("That the file of a clip ends early is said by plan and validate")
  func cutClip() async throws {
    let path = bench.scratch["clips/low.mp3"]
    let bytes = try File.contents(of: path)
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: path))
    // The step is longer than what is left of the clip.
    try bench.write(
      study(groups: "").replacing(#""stepDuration": 1,"#, with: #""stepDuration": 1,\#(Bench.looped)"#),
      to: "study.json")
    let caveats = try await answer(["study.json"])["caveats"]?.array ?? []
    #expect(caveats.contains { $0["caveat"]?.string == "clipFaulty" && $0["clip"]?.string == "low" })
    let run = try await bench.run(["validate", "study.json", "--json"])
    let notes = try JSONReader.read(Array(run.output.utf8)).value.array?.first?["notes"]?.array ?? []
    #expect(run.status == 0 && !notes.isEmpty && notes.allSatisfy { $0.string?.contains("“low”") ?? false }, "\(notes)")
  }

  @Test("Index, group, session and seed come from the list, and nobody is enrolled")
  func listed() async throws {
    try await list { list in
      try await list.setSeed(of: "Study", to: 42)
      for code in ["p1", "p2", "p3"] {
        _ = try await list.enrol(code, in: "Study", at: Self.noon) { index, _ in index == 2 ? "b" : "a" }
      }
      _ = try await list.beginSession("run1", of: "p2", in: "Study", trials: 2, at: Self.noon, on: "desk")
      try await list.endSession("run1", in: "Study", isCompleted: true, trialsDone: 2, at: Self.noon)
    }
    let known = try await answer(["turns.json", "--participant", "p2"])
    #expect(known["next"]?["standing"] == "begins" && known["next"]?["hasSeed"] == true)
    #expect((known["index"], known["group"], known["session"], known["seed"]) == (2, "b", 2, 42))
    let same = try await answer(["turns.json", "--index", "2", "--group", "b", "--session", "2", "--seed", "42"])
    #expect(same["trials"] == known["trials"] && same["next"] == .null)
    let new = try await answer(["turns.json", "--participant", "p9"])
    #expect(new["next"]?["standing"] == "notEnrolled" && (new["index"], new["group"]) == (4, "b"))
    #expect(try await answer(["hash.json", "--participant", "p9"])["index"] == 4)
    let people = try await bench.run(["plan", "turns.json", "--participant", "p9"])
    #expect(people.output.contains("p9 is not enrolled"))
    try await list { list in
      let participants = try await list.participants(of: "Study")
      #expect(participants.count == 3)
    }
  }

  @Test("A group that the list will choose cannot be known, and may be given")
  func unknownGroup() async throws {
    for file in ["list.json", "hash.json"] {
      let refused = try await bench.run(["plan", file, "--participant", "p9"])
      #expect(refused.status == 1 && refused.complaints.contains("--group a"), "\(refused.complaints)")
      #expect(try await answer([file, "--participant", "p9", "--group", "b"])["group"] == "b")
    }
    // Without a seed the plan is that of another one.
    #expect(try await answer(["study.json", "--participant", "p9"])["next"]?["hasSeed"] == false)
    // Looking for a list does not make one.
    #expect(bench.names(in: "results") == [])
  }

  @Test("What contradicts the list is refused")
  func refused() async throws {
    try await list { list in
      try await list.setSeed(of: "Study", to: 42)
      _ = try await list.enrol("p1", in: "Study", at: Self.noon) { _, _ in "a" }
    }
    for (words, status, text) in [
      (["turns.json", "--participant", "p1", "--index", "2"], 2, "--index"),
      (["turns.json", "--participant", "p1", "--group", "b"], 2, "in the group “a”"),
      (["turns.json", "--participant", "p1", "--seed", "3"], 1, "has the seed 42"),
      (["short.json", "--participant", "p1"], 2, "single trial"),
      (["turns.json", "--results", "x"], 2, "--participant"),
      (["turns.json", "--participant", "p_1"], 2, "p_1"),
    ] as [([String], Int32, String)] {
      let run = try await bench.run(["plan"] + words)
      #expect(run.status == status && run.complaints.contains(text), "\(words): \(run.complaints)")
    }
  }

  @Test("A session that was interrupted is the next one, with its seed, and a participant who is done is told")
  func resumes() async throws {
    let words = ["run", "study.json", "--participant", "p1", "--speaker", "silent", "--unattended", "--seed", "7"]
    try await Turns.trials.take {
      let child = try bench.start(words)
      try await child.output.wait(for: "trial 2 of 2") { child.send(SIGKILL) }
      _ = await child.end()
    }
    let next = try await answer(["study.json", "--participant", "p1"])
    #expect(next["next"]?["standing"] == "resumes" && next["next"]?["trialsDone"] == 1)
    #expect((next["seed"], next["session"]) == (7, 1))
    for more in [["--resume"], ["--session", "2"]] {
      let run = try await Turns.trials.take {
        try await bench.run(words.filter { $0 != "--seed" && $0 != "7" } + more)
      }
      #expect([0, 4].contains(run.status), "\(run.complaints)")
    }
    let done = try await bench.run(["plan", "study.json", "--participant", "p1"])
    #expect(done.status == 1 && done.complaints.contains("--session"), "\(done.complaints)")
  }

  @Test("Caveats follow the table, and are in the JSON with codes")
  func caveats() async throws {
    let run = try await bench.run(["plan", "study.json"])
    #expect(run.output.contains("\ncaveat: ") && run.output.contains("0.1 min"))
    let codes = try await answer(["study.json"])["caveats"]?.array?.compactMap { $0["caveat"]?.string }
    #expect(codes == ["noControl", "carryOver", "oneClip", "clipsOfEarlierSessions"])
  }
}
