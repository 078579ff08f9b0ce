import Basics
import Experiment
import Quantities
import Study

/// `station plan PROTOCOL`: what a participant's session will do: every trial in order, with its clip.
struct PlanCommand: Command {
  static let syntax = CommandSyntax(
    "plan", operands: "PROTOCOL", count: 1...1, "shows what a session will do: every trial in order, with its clip",
    options: [
      .init("index", value: "N", "the participant's index in the study (default: 1)"),
      .init("group", value: "NAME", "the participant's group"),
      .init("session", value: "N", "the number of the participant's session (default: 1)"),
      .init("seed", value: "N", "the study's seed (default: 0)"),
      LoadedStudy.clipsOption,
      .init("json", "print one JSON object"),
    ])

  let path: String
  let place: PlanPlace
  let seed: UInt64
  let clipsFolder: String?
  let isJSON: Bool

  init(_ arguments: Arguments) throws {
    path = arguments.operands[0]
    place = PlanPlace(
      index: try arguments.wholeNumber("index", 1...1_000_000) ?? 1, group: arguments["group"],
      session: try arguments.wholeNumber("session", 1...1000) ?? 1)
    seed = try arguments.wholeNumber("seed", 0...Draw.largestSeed) ?? 0
    clipsFolder = arguments["clips"]
    isJSON = arguments.has("json")
  }

  func run() async throws -> ExitStatus {
    let study = try LoadedStudy(path, clipsFolder: clipsFolder)
    let groups = study.studyProtocol.groups?.groups.map(\.name) ?? []
    if let group = place.group, !groups.contains(group) {
      throw Self.refusal("no group is called “\(group.visible)”; \(Spelling.advice(for: group, among: groups))")
    }
    if place.group == nil, !groups.isEmpty {
      throw Self.refusal("the plan depends on the group; add --group, for example --group \(groups[0])")
    }
    let plan = try Plan.make(for: study.studyProtocol, clips: study.clips, seed: seed, place: place)
    if isJSON {
      Console.standard.write(plan.json.encoded(pretty: true))
    } else {
      for line in plan.lines { Console.standard.line(line) }
    }
    return .done
  }
}

extension Plan {
  /// The plan for people: the steps around the trials, and a row for each trial.
  fileprivate var lines: [String] {
    var table = TextTable([
      ("trial", .right), ("condition", .left), ("block", .right), ("position", .right), ("clip", .left),
      ("active steps, s", .right),
    ])
    for trial in trials {
      let length = trial.steps.compactMap { $0.active?.stepDuration }.reduce(.zero, +)
      let condition = trial.placement.map { $0.condition + ($0.isPractice ? " (practice)" : "") } ?? "–"
      table.add([
        "\(trial.number)", condition, trial.placement.map { "\($0.block)" } ?? "–",
        trial.placement.map { "\($0.position)" } ?? "–", (trial.stimulus?.clip.name ?? "–").visible,
        length.seconds.fixed(1),
      ])
    }
    let minutes = (duration(from: 1).seconds / 60).fixed(1)
    let around = steps.map { step -> String in
      guard let numbers = step.trials?.numbers, let first = numbers.first, let last = numbers.last else {
        return step.identifier
      }
      return first == last ? "trial \(first)" : "trials \(first) to \(last)"
    }
    return (around.isEmpty ? [] : ["order: " + around.joined(separator: ", ")])
      + ["seed \(seed), \(trials.count.counted("trial")), \(minutes) min of active steps", ""] + table.lines
  }

  /// The plan as JSON.
  fileprivate var json: JSONValue {
    [
      "seed": .integer(seed), "index": .integer(place.index), "group": .text(place.group),
      "session": .integer(place.session), "activeSteps_s": .number(duration(from: 1).seconds),
      "trials": .array(
        trials.map { trial in
          [
            "number": .integer(trial.number), "condition": .text(trial.placement?.condition),
            "factors": .object((trial.placement?.factors ?? [:]).mapValues { .string($0) }),
            "block": trial.placement.map { .integer($0.block) } ?? .null,
            "position": trial.placement.map { .integer($0.position) } ?? .null,
            "practice": .bool(trial.placement?.isPractice ?? false), "clip": .text(trial.stimulus?.clip.name),
            "durations_s": .object(
              Dictionary(
                trial.steps.compactMap { step in
                  step.active.map { (step.identifier, .number($0.stepDuration.seconds)) }
                }
              ) { first, _ in first }),
          ]
        }),
    ]
  }
}
