import Basics
import Quantities
import TestSupport
import Testing

@testable import Bundles
@testable import Study

@Suite("The record of a session")
struct SessionRecordTests {
  private static let clips = ["calm", "dark", "glad"].flatMap { mood in (1...4).map { clip("\(mood)\($0)", mood) } }

  private static func clip(_ name: String, _ mood: String) -> Clip {
    Clip(
      name: name, path: "/clips/\(name).mp3", bytes: 1, sha256: "\(SHA256.digest(of: Array(name.utf8)))", frames: 1,
      sampleRate: 1, channels: 2, annotation: ClipAnnotation(mood: mood, tags: name.hasSuffix("1") ? ["slow"] : nil))
  }

  /// A study with groups, of which the last may have no trials.
  private static func study(_ random: inout Xoshiro256StarStar) -> StudyProtocol {
    func number(_ count: Int) -> Int { Int(random.next(below: UInt64(count))) }
    var active = ActiveStep()
    active.stepDuration = .seconds(1 + number(100))
    if number(2) == 0 { active.jitter = Jitter(.uniform, from: .zero, to: .seconds(2)) }
    var conditions = (0...number(4)).map { index in
      let sound: StudyCondition.Sound =
        number(3) == 0 ? .silence : .clips(ClipPool(mood: ["calm", "dark", "glad"][index % 3]))
      return StudyCondition(name: "c\(index)", factors: number(2) == 0 ? ["tempo": "slow"] : [:], sound: sound)
    }
    let assignment = StudyGroups.Assignment.allCases[number(3)]
    let groups = number(2) == 0 ? nil : StudyGroups(assignment, [.init("a"), .init("b")])
    if groups != nil, number(3) == 0 { for index in conditions.indices { conditions[index].groups = ["none"] } }
    let trials = TrialsStep(
      design: TrialDesign(
        conditions: conditions, repetitions: 1 + number(2), order: TrialOrder.allCases[number(5)], clipReuse: .always),
      steps: [Step(identifier: "stimulus", kind: MusicStep(active: active, clip: .condition))],
      practice: number(2) == 0 ? .init(trials: 1 + number(2)) : nil)
    return StudyProtocol(
      identifier: "Study", version: "1", clips: ClipsSource(folder: "clips"), groups: groups,
      steps: [Step(identifier: "pieces", kind: trials)])
  }

  /// A record with parts in every state.
  private static func record(_ seed: UInt64) throws -> SessionRecord {
    var random = Xoshiro256StarStar(seed: seed)
    let study = study(&random)
    let index = 1 + Int(random.next(below: 30))
    let counts = seed.isMultiple(of: 2) ? ["a": 2] : [:]
    let found = try study.groups?.assign(index: index, participant: "p1", counts: counts, seed: seed)
    let plan = try Plan.make(for: study, clips: clips, seed: seed, place: PlanPlace(index: index, group: found?.name))
    let identifier = { TrialIdentifier(time: WallTime(milliseconds: 1_763_636_911_250)).description }
    var record = SessionRecord(
      session: identifier(),
      studyProtocol: ProtocolReference(identifier: "Study", version: "1", sha256: String(repeating: "0", count: 64)),
      participant: "p1", startDate: WallTime(milliseconds: 1_763_636_911_250), plan: plan,
      basis: SessionBasis(
        study, clips: clips,
        assignment: found.map { .init(counts: counts, draw: $0.draw, isInherited: seed.isMultiple(of: 5)) }))
    record.add(.init(bundle: identifier(), number: nil, steps: Array(plan.steps.indices)))
    for trial in plan.trials.prefix(2) {
      record.add(.init(bundle: identifier(), number: trial.number, outcome: .stopped, verdict: .bad))
      record.add(.init(bundle: identifier(), number: trial.number, outcome: .completed, verdict: .good))
    }
    record.state = SessionRecord.State.allCases[Int(random.next(below: 3))]
    return record
  }

  @Test("It reads back as it was written, and keeps to its schema, by PyPI's jsonschema")
  func schema() throws {
    var documents: [JSONValue] = []
    for seed in UInt64(0)..<60 {
      let record = try Self.record(seed)
      let document = try JSONValue(encoding: record, writesNull: true)
      #expect(try document.decoded(as: SessionRecord.self) == record)
      #expect(try document.unknownMembers(of: SessionRecord.self) == [])
      documents.append(document)
    }
    #expect(documents.contains { $0["plan"]?.array?.isEmpty == true })
    #expect(
      documents.contains {
        $0["basis"]?["assignment"]?["draw"]?["purpose"]?.string == "groups/\($0["index"]?.integer ?? 0)"
      })
    let script = """
      import copy, json, sys
      from jsonschema import Draft202012Validator as Validator
      schema = json.load(open("\(Repository.root)/protocols/session.schema.json"))
      Validator.check_schema(schema)
      validator = Validator(schema)
      def changed(value):
          # Every object without one of its members, and with one too many.
          if isinstance(value, dict):
              for key in value:
                  yield {k: v for k, v in value.items() if k != key}
                  for other in changed(value[key]): yield {**value, key: other}
              yield {**value, "surprise": 1}
          if isinstance(value, list) and value:
              for other in changed(value[0]): yield [other] + value[1:]
      free = ("counts", "factors")
      def prune(value):
          return {k: (None if k in free and k == "factors" else {} if k in free else prune(v)) for k, v in value.items()} \\
              if isinstance(value, dict) else [prune(v) for v in value] if isinstance(value, list) else value
      for number, document in enumerate(json.load(sys.stdin)):
          for error in validator.iter_errors(document): print(number, error.json_path, error.message[:200])
          if number > 5: continue
          for other in changed(prune(document)):
              if validator.is_valid(other) and other.keys() == document.keys():
                  counts = other["basis"] and other["basis"]["assignment"] and other["basis"]["assignment"].get("counts")
                  if counts != {"surprise": 1}: print(number, "accepted", json.dumps(other)[:200])
      """
    let run = try Program.run(Repository.python, ["-c", script], input: JSONValue.array(documents).text())
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output.prefix(2000))\(run.error)")
  }

  @Test("A bundle of a session without trials is read, and its place keeps to the schema")
  func noTrials() throws {
    let place = SessionPlace(run: "r", trial: nil, trials: 0, boot: nil, zero: .zero)
    #expect(place.jsonProblem == nil)
    let schema = try JSONReader.read(File.contents(of: "\(Repository.root)/protocols/result.schema.json")).value
    #expect(schema["properties"]?["place"]?["properties"]?["trials"]?["minimum"] == 0)
    #expect(SessionPlace(run: "r", trial: 1, trials: 0, boot: nil, zero: .zero).jsonProblem != nil)
  }
}
