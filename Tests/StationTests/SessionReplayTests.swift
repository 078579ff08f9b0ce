import Basics
import Foundation
import TestSupport
import Testing

/// One session on the program that people run, and copies of its results in which one thing is another one.
@Suite("Replaying sessions")
struct SessionReplayTests {
  private static let study = """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1", "clips": { "folder": "clips" },
      "groups": { "assignment": "list", "groups": [{ "name": "light" }, { "name": "dim" }] },
      "steps": [
        { "kind": "rest", "identifier": "baseline", "stepDuration": 0.1 },
        { "kind": "trials", "identifier": "pieces",
          "design": {
            "conditions": [
              { "name": "sound", "clips": { "from": ["high", "low", "third"] } },
              { "name": "silence", "clips": "silence" } ],
            "order": "random", "repetitions": 2 },
          "steps": [
            { "kind": "rest", "identifier": "before",
              "stepDuration": { "distribution": "uniform", "minimum": 0.1, "maximum": 0.3 } },
            { "kind": "music", "identifier": "stimulus", "stepDuration": 0.3, "clip": { "choose": "condition" },
              "recorderConfigurations": [{ "identifier": "heart", "quantityType": "heartRate" }] } ] },
        { "kind": "completion", "identifier": "end" } ] }
    """

  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.clip("third")
    try bench.write(Self.study, to: "study.json")
  }

  private func record() async throws {
    for participant in ["p1", "p2"] {
      let run = try await Turns.trials.take {
        try await bench.run([
          "run", "study.json", "--participant", participant, "--sensor", "heartRate=\(Bench.steady)", "--speaker",
          "silent", "--unattended", "--seed", "3",
        ])
      }
      #expect([0, 4].contains(run.status), "\(run.complaints)")
    }
  }

  private func sessions(in results: String = "results") -> [String] { bench.names(in: "\(results)/sessions") }

  private func document(_ path: String) throws -> JSONValue {
    try JSONReader.read(Array(Data(contentsOf: URL(filePath: bench.scratch[path])))).value
  }

  /// The differences that a replay of copied results finds after a change of one file.
  private func differences(
    after change: String, in file: String, as replaced: (JSONValue) throws -> JSONValue
  ) async throws -> [JSONValue] {
    try? FileManager.default.removeItem(atPath: bench.scratch["copy"])
    try FileManager.default.copyItem(atPath: bench.scratch["results"], toPath: bench.scratch["copy"])
    let path = file.replacing("results/", with: "copy/")
    let bytes = Data(try replaced(document(path)).encoded(pretty: true))
    try bytes.write(to: URL(filePath: bench.scratch[path]))
    let run = try await bench.run(["show", "--replay", "copy/sessions/\(sessions()[0])", "--json"])
    let answer = try JSONReader.read(Array(run.output.utf8)).value
    let differences = answer.array?.first?["differences"]?.array ?? []
    #expect(run.status == (differences.isEmpty ? 0 : 1), "\(change): \(run.complaints)")
    try AnswersTests.check([("show", answer)])
    return differences
  }

  private func aspects(_ differences: [JSONValue]) -> [String] { differences.compactMap { $0["aspect"]?.string } }

  @Test("Sessions are the same again; each change in record or bundle is named with trial and aspect")
  func replay() async throws {
    try await record()
    let whole = try await bench.run(["show", "--replay", "results"])
    #expect(whole.status == 0 && whole.complaints.isEmpty, "\(whole.complaints)")
    let name = sessions()[0]
    #expect(try await bench.run(["show", "--replay", String(name.dropLast(5))]).status == 0)
    let file = "results/sessions/\(name)"
    let kept = try document(file)
    try JSONValue.array([kept]).heldAgainst("session.schema.json")
    let trials = try #require(kept["plan"]?.array)
    let sound = try #require(trials.firstIndex { $0["clip"] != .null })
    let number = sound + 1

    #expect(try await differences(after: "nothing", in: file) { $0 } == [])
    let plan: [(String, JSONValue, [String])] = [
      ("/plan/\(sound)/clip/name", "other", ["clip", "clip"]),
      ("/plan/\(sound)/clip/sha256", .string(String(repeating: "0", count: 64)), ["clipFile", "clipFile"]),
      ("/plan/\(sound)/draw/index", 9, ["draw", "draw"]),
      ("/plan/\(sound)/design/condition", "silence", ["condition", "condition"]),
      ("/plan/\(sound)/design/position", 7, ["position", "position"]),
      ("/plan/\(sound)/durations/0/duration_ns", 5_000_000_000, ["duration", "duration"]),
      ("/basis/assignment/counts", ["light": 1, "dim": 0], ["groupDraw"]),
      ("/participant", "p9", ["participant"]),
    ]
    for (path, value, expected) in plan {
      let found = try await differences(after: path, in: file) { try $0.with(value, at: path) }
      // What is about all bundles comes once for each; the draw of two groups may come to either of them.
      let names = aspects(found).filter { $0 != "group" }
      #expect(Set(names) == Set(expected) && names.count >= expected.count, "\(path): \(aspects(found))")
      if path.hasPrefix("/plan") {
        #expect(found.allSatisfy { $0["trial"]?.integer == number }, "\(path)")
        #expect(found.map { $0["bundle"] == .null } == [true, false], "\(path)")
      }
    }
    let seed = try await differences(after: "seed", in: file) { try $0.with(4, at: "/seed") }
    #expect(aspects(seed).contains("seed") && aspects(seed).contains("duration"))
    let fewer = try await differences(after: "plan", in: file) { record in
      try record.with(.array(Array(trials.dropLast())), at: "/plan")
    }
    #expect(aspects(fewer).contains("trials"))
  }

  @Test("A bundle that is missing, of another order, of another clip or of another protocol is named")
  func bundles() async throws {
    try await record()
    let file = "results/sessions/\(sessions()[0])"
    let kept = try document(file)
    let performed = try #require(kept["performed"]?.array)
    let place = try #require(performed.firstIndex { $0["number"] != .null })
    let bundle = try #require(performed[place]["bundle"]?.string)
    let number = performed[place]["number"]?.integer

    let missing = try await differences(after: "missing", in: file) { record in
      try FileManager.default.removeItem(atPath: bench.scratch["copy/bundles/\(bundle)"])
      return record
    }
    #expect(aspects(missing) == ["bundle"] && missing[0]["trial"]?.integer == number)
    let left = try await differences(after: "left out", in: file) { record in
      try record.with(.array(performed.enumerated().filter { $0.offset != place }.map(\.element)), at: "/performed")
    }
    #expect(aspects(left) == ["bundle"] && left[0]["bundle"]?.string == bundle)
    let last = try #require(performed.lastIndex { $0["number"] != .null })
    let swapped = try await differences(after: "order", in: file) { record in
      try record.with(performed[last]["number"] ?? .null, at: "/performed/\(place)/number")
        .with(performed[place]["number"] ?? .null, at: "/performed/\(last)/number")
    }
    #expect(aspects(swapped).contains("order") && aspects(swapped).contains("number"))
    let result = "results/bundles/\(bundle)/data/result.json"
    let other = try await differences(after: "condition", in: result) { try $0.with("other", at: "/design/condition") }
    #expect(aspects(other) == ["condition"])
    #expect(other[0]["found"] == "other" && other[0]["bundle"]?.string == bundle)
    let study = "results/bundles/\(bundle)/data/protocol.json"
    let changed = try await differences(after: "protocol", in: study) { try $0.with("2", at: "/version") }
    #expect(aspects(changed) == ["protocol"])
  }

  @Test("What is not a session is refused with what to do")
  func refused() async throws {
    let run = try await Turns.trials.take { try await bench.run(bench.trial()) }
    #expect([0, 4].contains(run.status))
    // A bundle's own draw is repeated as before; a folder of single trials has no sessions.
    #expect(try await bench.run(["show", "--replay", bench.bundles()[0]]).status == 0)
    let none = try await bench.run(["show", "--replay", "results"])
    #expect(none.status == 1 && none.complaints.contains("no records of sessions"))
    let both = try await bench.run(["show", "--replay", "--json", bench.bundles()[0]])
    #expect(both.status == 2)
  }
}

extension JSONValue {
  /// The value with another one at a path.
  fileprivate func with(_ value: JSONValue, at path: String) throws -> JSONValue {
    try with(value, at: path.split(separator: "/").map(String.init)[...])
  }

  private func with(_ value: JSONValue, at path: ArraySlice<String>) throws -> JSONValue {
    guard let key = path.first else { return value }
    switch self {
    case .object(var members):
      members[key] = try (members[key] ?? .null).with(value, at: path.dropFirst())
      return .object(members)
    case .array(var elements):
      let index = try #require(Int(key))
      elements[index] = try elements[index].with(value, at: path.dropFirst())
      return .array(elements)
    default: throw MissingProgram(name: key)
    }
  }

  /// Holds the elements of an array against a schema of the repository, by PyPI's jsonschema.
  fileprivate func heldAgainst(_ schema: String) throws {
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      validator = Validator(json.load(open("\(Repository.root)/protocols/\(schema)")))
      for document in json.load(sys.stdin):
          for error in validator.iter_errors(document): print(error.json_path, error.message[:300])
      """
    let run = try Program.run(Repository.python, ["-c", script], input: text())
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }
}
