import Basics
import Bundles
import Laboratory
import Quantities
import Session
import Study

extension Command {
  /// What a participant's session will do: every trial in order, with its clip.
  static let plan = Command(
    "plan", operands: "PROTOCOL", "shows what a session will do: every trial in order, with its clip",
    options: [
      .init("participant", value: "ID", "plan this participant's next session, without enrolling anyone"),
      .participants, .resultsOfSettings,
      .init("index", value: "N", "the participant's index in the study (default: 1)"),
      .init("group", value: "NAME", "the participant's group"),
      .init("session", value: "N", "the number of the participant's session (default: 1)"),
      .init("seed", value: "N", "the study's seed (default: 0)"), .clips, .json(),
    ]
  ) { arguments in
    let participant = try arguments.code("participant")
    let session = try arguments.wholeNumber("session", 1...1000)
    let given = PlanPlace(
      index: try arguments.wholeNumber("index", 1...1_000_000) ?? 1, group: arguments["group"], session: session ?? 1)
    let seed = try arguments.wholeNumber("seed", 0...Draw.maxSeed)
    if participant != nil, arguments.has("index") {
      throw arguments.refusal("--participant and --index cannot be combined: the participants' list has the index")
    }
    for option in ["participants", "results"] where participant == nil && arguments.has(option) {
      throw arguments.refusal("--\(option) needs --participant, for example --participant p07")
    }
    let results = arguments.results
    let participants = try ParticipantsLocation(arguments, AppliedSettings(results: results), results: results)
    let loaded = try LoadedStudy(arguments.operands[0], clipsFolder: arguments["clips"], participant: participant)
    let study = loaded.studyProtocol
    if loaded.lacksParticipant {
      throw arguments.refusal("the clips depend on the participant; add --participant, for example --participant p07")
    }
    let groups = study.groups?.groups.map(\.name) ?? []
    if let group = given.group, !groups.contains(group) {
      throw arguments.refusal("no group is called “\(group.visible)”; \(Spelling.advice(for: group, among: groups))")
    }
    var next: NextSession?
    if let participant, study.enrolsParticipants {
      let list = try await participants.openIfThere()
      next = try await NextSession.find(
        participant, in: study, list: list, results: ResultsFolder(results), given: (session, given.group), seed: seed)
      await list?.close()
    } else if participant != nil, !loaded.isPersonal {
      throw arguments.refusal(
        "--participant is for protocols with “groups”, “sessions” or a “trials” step; this one is a single trial")
    }
    let place = next?.place ?? given
    if place.group == nil, !groups.isEmpty {
      throw arguments.refusal("the plan depends on the group; add --group, for example --group \(groups[0])")
    }
    let plan = try Plan.make(
      for: study, clips: loaded.clips, seed: next?.seed ?? seed ?? 0, place: place,
      trials: next?.repeats?.trials, withReplacement: next?.repeats?.withReplacement ?? false)
    let forecast = SessionForecast(plan, of: study)
    let caveats = PlanCaveat.all(of: study, clips: loaded.clips, plan: plan) + loaded.clipCaveats
    Console.standard.answer(
      arguments, plan.json(next, forecast, caveats),
      (next?.lines(in: plan) ?? []) + plan.lines(forecast) + (caveats.isEmpty ? [] : [""])
        + caveats.map { "caveat: \($0.description.visible)" })
    return .done
  }
}

extension NextSession {
  /// Whose session it is, for people.
  fileprivate func lines(in plan: Plan) -> [String] {
    let group = place.group.map { ", group \($0)" } ?? ""
    let who = "participant \(participant): index \(place.index)\(group), session \(place.session)"
    var lines =
      switch standing {
      case .begins: [who]
      case .notEnrolled:
        [who, "\(participant) is not enrolled; the next participant to be enrolled gets this index"]
      case .resumes(let done, let planned):
        ["\(who), interrupted after \(done) of \(planned.counted("trial")); “station run --resume” goes on"]
      }
    if seed == nil {
      lines.append("the study has no seed yet: the first session draws one, unless it is given --seed \(plan.seed)")
    }
    return lines.map(\.visible)
  }

  fileprivate var json: JSONValue {
    let (name, done): (JSONValue, JSONValue) =
      switch standing {
      case .notEnrolled: ("notEnrolled", .null)
      case .begins: ("begins", .null)
      case .resumes(let done, _): ("resumes", .integer(done))
      }
    return ["participant": .string(participant), "standing": name, "trialsDone": done, "hasSeed": .bool(seed != nil)]
  }
}

extension Plan {
  /// The plan for people: the steps around the trials, and a row for each trial.
  fileprivate func lines(_ forecast: SessionForecast) -> [String] {
    var table = TextTable([
      ("trial", .right), ("condition", .left), ("block", .right), ("position", .right), ("clip", .left),
      ("active steps, s", .right),
    ])
    for trial in trials {
      let length = trial.steps.compactMap { $0.active?.stepDuration }.reduce(.zero, +)
      let condition = trial.placement.map { $0.condition + ($0.isPractice ? " (practice)" : "") } ?? "–"
      table.add([
        "\(trial.number)", condition, trial.placement.map { "\($0.block)" } ?? "–",
        trial.placement.map { "\($0.position)" } ?? "–", trial.stimulus.map(\.words)?.visible ?? "–",
        length.seconds.fixed(1),
      ])
    }
    let around = steps.map { step -> String in
      guard let numbers = step.trials?.numbers, let first = numbers.first, let last = numbers.last else {
        return step.identifier
      }
      return first == last ? "trial \(first)" : "trials \(first) to \(last)"
    }
    // A single trial has no steps around it.
    let order = around.isEmpty ? trials.first?.steps.map(\.identifier) ?? [] : around
    return (order.isEmpty ? [] : ["order: " + order.joined(separator: ", ")])
      + (factors.isEmpty ? [] : ["factors: " + factors.joined(separator: ", ")]) + [
        "seed \(seed), \(trials.count.counted("trial"))", "\(forecast)", "",
      ] + table.lines
  }

  /// The factors with their levels, and the conditions that have none: `tempo (fast, slow; none for silence)`.
  private var factors: [String] {
    let placements = trials.compactMap(\.placement)
    return Set(placements.flatMap { ($0.factors ?? [:]).keys }).sorted().map { factor in
      let levels = Set(placements.compactMap { $0.factors?[factor] }).sorted()
      let without = Set(placements.filter { $0.factors?[factor] == nil }.map(\.condition)).sorted()
      let rest = without.isEmpty ? "" : "; none for \(without.joined(separator: ", "))"
      return "\(factor) (\(levels.joined(separator: ", "))\(rest))".visible
    }
  }

  fileprivate func json(_ next: NextSession?, _ forecast: SessionForecast, _ caveats: [PlanCaveat]) -> JSONValue {
    [
      "next": next?.json ?? .null, "caveats": .array(caveats.map(\.json)),
      "seed": .integer(seed), "index": .integer(place.index), "group": .text(place.group),
      "session": .integer(place.session), "activeSteps_s": .number(duration.seconds),
      "forecast": forecast.json,
      "trials": .array(
        trials.map { trial in
          [
            "number": .integer(trial.number), "condition": .text(trial.placement?.condition),
            "factors": .object((trial.placement?.factors ?? [:]).mapValues { .string($0) }),
            "block": trial.placement.map { .integer($0.block) } ?? .null,
            "position": trial.placement.map { .integer($0.position) } ?? .null,
            "practice": .bool(trial.placement?.isPractice ?? false), "clip": .text(trial.stimulus?.clip.name),
            "clipStart_s": trial.stimulus.map { .number($0.start.seconds) } ?? .null,
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

extension PlannedStimulus {
  /// The clip's name, and from where on it is played.
  fileprivate var words: String { clip.name + (start == .zero ? "" : " from \(start.seconds.fixed(3)) s") }
}
