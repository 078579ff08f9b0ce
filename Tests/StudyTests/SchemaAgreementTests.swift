import Basics
import Study
import TestSupport
import Testing

/// Good protocols in which values and keys were exchanged at random: what the schema refuses, the reader refuses, and the
/// other way round but for the rules that no schema can say.
@Suite("Schema and reader on changed protocols")
struct SchemaAgreementTests {
  @Test("They agree, by PyPI's jsonschema")
  func agreement() throws {
    var random = Exchanger(seed: 1)
    let good = try Corpus.good.names.map { try JSONReader.read(Corpus.good.bytes(of: $0)).value }
    let values = (0..<1200).map { number in
      var value = good[number % good.count]
      for _ in 0...random.below(2) { value = random.change(value) }
      return value
    }
    let input = ([Repository.root] + values.map { $0.text() }).joined(separator: "\n")
    let run = try Program.run(Repository.python, ["-c", Self.script], input: input)
    try #require(run.status == 0, "\(run.error)")
    let verdicts = run.output.split(separator: "\n").map { $0 == "good" }
    try #require(verdicts.count == values.count)
    for (value, isGood) in zip(values, verdicts) {
      let reasons = Self.reasons(value).filter { reason in !Self.beyondSchema.contains { reason.contains($0) } }
      #expect(reasons.isEmpty == isGood, "\(value.text())\n\(reasons)")
    }
    let share = Double(verdicts.count { $0 }) / Double(verdicts.count)
    #expect((0.05...0.95).contains(share), "too few of one kind: \(share)")
  }

  private static let beyondSchema = [
    "finer than a millisecond", "is already used at", "the fades take", "must be the last step",
    "no step has this identifier", "must be above the minimum", "is not on the scale", "no order keeps this",
    "no factor has this name", "can keep this", "must lie in the protocol's folder", "the files beside it",
    "have a condition", "between the minimum and the maximum", "a session at most", "combinations of levels",
    "must not be below the minimum", "is already a choice", "and there are only", "not a date of the calendar",
    "must not be before the earliest", "no question is called", "cannot have been", "this does not fit the question",
    "no step has the identifier", "no way through the trial", "never reached", "no rule leads to the end",
    "this way back could", "cannot be combined with “never”", "before consent", "a second time", "includes itself",
    "move the mark", "Return ends this step", "the level begins at", "so that every answer passes",
  ]

  private static func reasons(_ value: JSONValue) -> [String] {
    do throws(ProtocolProblems) {
      _ = try StudyProtocolReader.read(value.encoded(), fileName: "p.json")
      return []
    } catch {
      return error.problems.map(\.reason)
    }
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    lines = sys.stdin.read().split("\\n")
    validator = Draft202012Validator(json.load(open(lines[0] + "/protocols/protocol.schema.json")))
    for line in lines[1:]:
        print("good" if validator.is_valid(json.loads(line)) else "bad")
    """
}

/// Exchanges values and keys of a protocol for others that could stand there.
private struct Exchanger {
  private var draws: UInt64
  private let values: [JSONValue] = [
    .null, true, false, 0, 1, -1, 30, 0.5, 86_401, "", "a", "two words", "music", "rest", "form", "instruction",
    "countdown", "walk", "consent", "sensorCheck", "fitnessCheck", [["text": "a"]], [["include": "a.json"]],
    "space", ["space", "b"], "session", "continuousRating", ["0": "low", "100": "high"],
    "completion", "trials", "condition", "silence", "randomBlocks",
    "random", "loop", "30", "heartRate", "rrInterval", "HKQuantityTypeIdentifierHeartRate", "ms", "count/min", "bpm",
    [], [:],
    ["a"], ["a", "a"], ["a", 1], ["choose": "random"], ["choose": "condition"], ["name": "a"], ["mood": "chill"],
    [["name": "a"]],
    ["conditions": [["name": "a"]], "order": "fixed"], ["target_LUFS": -23], ["folder": "c"],
    "operator", ["end": "Ende"],
    ["kind": "time", "identifier": "v"], ["kind": "text"], "choice", "integer", ["0": "a", "100": "b"], "2000-02-29",
    ["answer": "valence", "is": 5], ["step": "a", "is": "skipped"], ["not": ["answer": "a", "isMissing": true]],
    [["goTo": "a"]], [["end": true]], [["kind": "boolean", "identifier": "w"]], ["a", ["value": "b", "text": "c"]],
    ["kind": "rest", "identifier": "z"], ["kind": "scale", "minimum": 1, "maximum": 9],
    [["identifier": "y", "quantityType": "heartRate"]],
    "list", "hash", ["name": "B", "cap": 3], [["name": "A"], ["name": "B", "cap": 3]],
    ["assignment": "list", "groups": [["name": "A", "cap": 3], ["name": "B"]]],
  ]
  private let keys = [
    "$schema", "format", "identifier", "version", "title", "clips", "display", "phrases", "continue", "end", "default",
    "kinds", "question", "minimum", "maximum", "anchors",
    "required", "questions", "maximumLength", "choices", "earliest", "latest", "value", "skipWhen", "navigation",
    "when", "goTo", "answer", "step", "is", "isNot", "below",
    "includes", "isMissing", "all", "any", "not",
    "sensorCheck", "steps", "folder", "embed", "kind", "text",
    "detailText",
    "optional", "clip", "whenShorter", "fadeIn_ms", "fadeOut_ms", "loudness", "stepDuration", "shouldContinueOnFinish",
    "spokenInstruction", "recorderConfigurations", "choose", "from", "mood", "name", "target_LUFS",
    "truePeakLimit_dBTP",
    "design", "conditions", "factors", "levels", "order", "repetitions", "maxRun", "clipReuse", "practice", "breaks",
    "every", "trials", "distribution", "tag", "sessions", "quantityType", "unit", "settle_s", "motionContext",
    "groups", "assignment", "cap", "sections", "agreement", "signature", "limit_s", "walkDuration", "restDuration",
    "rounds", "maxErrors", "attempts", "volume", "step_dB", "lowest_dB", "highest_dB", "start_dB",
    "maximumLevel_dBSPL", "language", "marker",
    "include", "prefix", "keys", "scope", "anchors", "recorderConfigurations", "x-note", "unknown",
  ]

  init(seed: UInt64) { draws = seed << 32 }

  mutating func change(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(var members) where below(8) > 0:
      let sorted = members.keys.sorted()
      switch below(sorted.isEmpty ? 1 : 6) {
      case 0: members[keys[below(keys.count)]] = values[below(values.count)]
      case 1: members[sorted[below(sorted.count)]] = nil
      default:
        let key = sorted[below(sorted.count)]
        members[key] = members[key].map { change($0) }
      }
      return .object(members)
    case .array(var elements) where below(8) > 0 && !elements.isEmpty:
      let index = below(elements.count)
      elements[index] = change(elements[index])
      return .array(elements)
    default: return values[below(values.count)]
    }
  }

  /// A number from a hash of how many were made before: the same everywhere.
  mutating func below(_ bound: Int) -> Int {
    draws += 1
    var state = draws &* 0x9E37_79B9_7F4A_7C15
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((state ^ state >> 31) >> 1) % bound
  }
}
