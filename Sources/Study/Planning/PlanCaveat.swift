import Basics
import Quantities

/// A methodologist's question about a session's plan, with its numbers.
///
/// A new one is a case here, its words and where it holds are below.
package enum PlanCaveat: Hashable, Sendable, TaggedInJSON {
  /// Nothing is recorded at rest before the first stimulus.
  case noBaseline
  /// Steps are too short for the variability of the heart rate that is recorded in them.
  case shortForVariability(steps: [String], shortest_s: Double, least_s: Double)
  /// Windows that are compared last differently long from trial to trial.
  case unequalWindows(steps: [String], shortest_s: Double, longest_s: Double)
  /// Conditions have different numbers of trials: the one with the fewest, and the one with the most.
  case unequalTrials(design: String, fewest: Cell, most: Cell)
  /// Every participant has the conditions in the same order.
  case fixedOrder(design: String)
  /// A condition comes more often at one position than at another, over so many participants of the group.
  case unbalancedPositions(design: String, participants: Int, position: Int, fewest: Cell, most: Cell)
  /// Little time lies between two stimuli, and no balanced order makes up for it.
  case carryOver(design: String, between_s: Double, least_s: Double)
  /// No condition is silent.
  case noControl
  /// The participants of these groups perform the same steps and conditions.
  case groupsAlike(groups: [String])
  /// No step and no condition names this group, and some name others.
  case groupUnnamed(group: String)
  /// These conditions say nothing of clips, beside others that do, and so play any.
  case anyClip(design: String, conditions: [String])
  /// Each of these conditions has a single clip to draw from.
  case oneClip(design: String, conditions: [String])
  /// A clip is played several times in the session.
  case repeatedClip(clip: String, times: Int)
  /// A later session of the participant may play the same clips.
  case clipsOfEarlierSessions(design: String, sessions: Int)
  /// Questions are asked between the stimulus and the recording of the recovery.
  case askedBeforeRecovery(question: String, recovery: String)
  /// These steps are for the operator, and shown on the terminal that is the participant's in the others.
  case operatorOnParticipantScreen(steps: [String])
  /// These questions take a text of any kind, which touch alone cannot answer on a page.
  case typedByTouch(questions: [String])
  /// These steps show pictures, which only a page can.
  case needsPage(steps: [String])
  /// Something is wrong with the file of a clip that may be played.
  case clipFaulty(clip: String, fault: String)

  /// How many trials a condition has.
  package struct Cell: Hashable, Sendable, Codable {
    let condition: String
    let trials: Int

    init(_ condition: String, _ trials: Int) { (self.condition, self.trials) = (condition, trials) }
  }

  /// The member that says which.
  package static var jsonTag: String { "caveat" }
}

extension PlanCaveat: CustomStringConvertible {
  /// The caveat in a sentence or two: what it is, and what to do.
  package var description: String {
    switch self {
    case .noBaseline:
      "Nothing is recorded at rest before the first stimulus, so that there is no baseline to compare it with; add a "
        + "“rest” step with the recorders."
    case .shortForVariability(let steps, let shortest, let least):
      (steps.count == 1
        ? "The step \(Self.list(steps)) lasts \(shortest.brief) s"
        : "The steps \(Self.list(steps)) last \(shortest.brief) s or more")
        + ", and RMSSD, SDNN and similar measures of heart-rate variability need \(least.brief) s; lengthen "
        + "\(steps.count == 1 ? "it" : "them"), or analyse heart rate only."
    case .unequalWindows(let steps, let shortest, let longest):
      "The recordings of \(Self.list(steps)) last from \(shortest.brief) to \(longest.brief) s, and some measures "
        + "depend on the duration; compare the same seconds of each trial, with --window."
    case .unequalTrials(let design, let fewest, let most):
      "The design “\(design)” has \(Self.words(fewest)), but \(Self.words(most)); repeat each condition equally often."
    case .fixedOrder(let design):
      "Every participant has the conditions of “\(design)” in the same order, so that their effect cannot be told from "
        + "that of time; choose another “order”."
    case .unbalancedPositions(let design, let participants, let position, let fewest, let most):
      "Over \(participants.counted("participant")) of the group, position \(position) of “\(design)” has "
        + "\(Self.words(fewest)), but \(Self.words(most)); assign groups by “list”, or choose a random “order”."
    case .carryOver(let design, let between, let least):
      "Between two stimuli of “\(design)” lie \(between.brief) s of rest, less than \(least.brief) s, and the order "
        + "does not balance which condition follows which; add a “rest” step, or use “balancedLatinSquare”."
    case .noControl:
      "No condition is silent, so that an effect of all conditions cannot be told from that of time; add one with "
        + "“clips”: “silence”, unless another condition is the control."
    case .groupsAlike(let groups):
      "The groups \(Self.list(groups)) differ in nothing; write “groups” in the steps or conditions that are for some of "
        + "them, or leave the groups out."
    case .groupUnnamed(let group):
      "No step and no condition names the group “\(group)”, so that it has only what every group has; write it into "
        + "“groups” of its own steps, unless this is meant."
    case .anyClip(let design, let conditions):
      "In “\(design)” \(Self.list(conditions)) \(conditions.count == 1 ? "says" : "say") no “clips”, so that any clip is "
        + "played; name them, or write “clips”: “silence”."
    case .oneClip(let design, let conditions):
      "In “\(design)” \(Self.list(conditions)) \(conditions.count == 1 ? "has" : "have") a single clip"
        + "\(conditions.count == 1 ? "" : " each"): an effect of the condition cannot be told from that of the clip; add "
        + "clips."
    case .repeatedClip(let clip, let times):
      "The clip “\(clip)” is played \(times) times in the session; a piece that is known has another effect."
    case .clipsOfEarlierSessions(let design, let sessions):
      "In the \(sessions) sessions of a participant, clips of “\(design)” may come again; see “clipReuse”."
    case .askedBeforeRecovery(let question, let recovery):
      "The step “\(question)” asks between the stimulus and the recording of “\(recovery)”, and answering changes the heart rate; "
        + "ask after it."
    case .operatorOnParticipantScreen(let steps):
      "One terminal serves participant and operator: \(Self.list(steps)) \(steps.count == 1 ? "is" : "are") for the operator, "
        + "and the participant sees heart rate and clip there; leave them to the participant in “display”, and follow the "
        + "session with “station show --live”. With --page the terminal is the operator's."
    case .typedByTouch(let questions):
      "The \(questions.count == 1 ? "question" : "questions") \(Self.list(questions)) "
        + "\(questions.count == 1 ? "takes" : "take") free text: on a touch screen without a keyboard the system's on-screen "
        + "keyboard is needed, or the participant answers to the operator; offer choices where they do."
    case .needsPage(let steps):
      "\(Self.list(steps)) \(steps.count == 1 ? "shows" : "show") pictures, which a terminal cannot; run the study with --page or "
        + "--browser."
    case .clipFaulty(let clip, let fault): "The clip “\(clip)” has a fault: \(fault)."
    }
  }

  private static func words(_ cell: Cell) -> String {
    "\(cell.trials.counted("trial")) of “\(cell.condition)”"
  }

  /// The most names in a sentence.
  private static let maxNames = 5

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(maxNames).map { "“\($0)”" }.joined(separator: ", ")
    return names.count > maxNames ? "\(shown) and \(names.count - maxNames) more" : shown
  }
}

extension PlanCaveat {
  /// The shortest recording for measures of heart-rate variability, in plans and in analyses.
  ///
  /// Five minutes are the standard (Task Force of the European Society of Cardiology, Circulation 93, 1996, 1043–1065), and
  /// shorter ones are mostly not validated (Shaffer, Meehan & Zerr, Frontiers in Neuroscience 14, 2020, 594880).
  package static let minForVariability = Duration.seconds(300)

  /// The shortest time between two stimuli that gives no caveat.
  ///
  /// Studies leave more: two minutes (Bernardi, Porta & Sleight, Heart 92, 2006, 445–452, who still found an effect of the
  /// order) to five (Roque and others, Clinics 68, 2013, 960–967).
  static let minBetweenStimuli = Duration.seconds(30)

  /// Finds what a methodologist would ask about.
  ///
  /// The effect of music is judged against a baseline and a silent control (Koelsch & Jäncke, European Heart Journal 36,
  /// 2015, 3043–3049). Clips are a sample of their condition as participants are one of people (Clark, Journal of Verbal
  /// Learning and Verbal Behavior 12, 1973, 335–359).
  ///
  /// - Parameters:
  ///   - studyProtocol: the protocol.
  ///   - clips: the clips of its library.
  ///   - plan: the plan of a session.
  /// - Returns: the caveats; those of the session first, then those of each design.
  package static func all(of studyProtocol: StudyProtocol, clips: [Clip], plan: Plan) -> [PlanCaveat] {
    let studyProtocol = studyProtocol.withRecordersInSteps
    let group = plan.place.group
    let designs = studyProtocol.steps.compactMap { step -> DesignCheck? in
      guard step.isFor(group), let trials = step.trials?.of(group), !trials.design.conditions.isEmpty else {
        return nil
      }
      return DesignCheck(step.identifier, trials, studyProtocol, clips, plan)
    }
    return ofSession(studyProtocol, plan) + ofGroups(studyProtocol) + designs.flatMap(\.caveats)
  }

  /// The caveats that concern the session as a whole.
  private static func ofSession(_ studyProtocol: StudyProtocol, _ plan: Plan) -> [PlanCaveat] {
    let steps = studyProtocol.steps.filter { $0.isFor(plan.place.group) }
    // The first trial stands for all of a design.
    let flat = steps.flatMap { step in step.trials?.of(plan.place.group).steps ?? [step] }
    var caveats: [PlanCaveat] = []
    if let first = flat.firstIndex(where: { $0.music != nil }), flat.contains(where: { $0.music != nil && $0.records }),
      !flat[..<first].contains(where: \.isRecordedRest)
    {
      caveats.append(.noBaseline)
    }
    let short = flat.filter(\.isShortForVariability)
    if let shortest = short.map(\.shortest).min() {
      caveats.append(
        .shortForVariability(
          steps: short.map(\.identifier), shortest_s: shortest.seconds, least_s: minForVariability.seconds))
    }
    let designs = studyProtocol.steps.compactMap(\.trials).filter { $0.music != nil }.map(\.design)
    if !designs.isEmpty, !designs.contains(where: { $0.conditions.contains { $0.sound == .silence } }) {
      caveats.append(.noControl)
    }
    let names = plan.trials.compactMap(\.stimulus?.clip.name)
    let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    if let (clip, times) = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), times > 1 {
      caveats.append(.repeatedClip(clip: clip, times: times))
    }
    for (place, step) in flat.enumerated() {
      // Recovery is recorded rest between a stimulus and the next one.
      guard case .questions = step.kind.effort,
        flat[..<place].last(where: { $0.music != nil || $0.isRecordedRest })?.music != nil,
        let next = flat[place...].first(where: { $0.music != nil || $0.isRecordedRest }), next.music == nil
      else { continue }
      caveats.append(.askedBeforeRecovery(question: step.identifier, recovery: next.identifier))
    }
    return caveats + displays(studyProtocol) + pages(studyProtocol)
  }

  /// The caveats that concern the groups.
  package static func ofGroups(_ studyProtocol: StudyProtocol) -> [PlanCaveat] {
    let names = studyProtocol.groups?.groups.map(\.name) ?? []
    let steps =
      studyProtocol.steps
      + studyProtocol.steps.compactMap(\.trials).flatMap { trials in
        trials.steps + (trials.breaks?.steps ?? [])
      }
    let choices =
      steps.map(\.groups) + studyProtocol.steps.compactMap(\.trials).flatMap { $0.design.conditions.map(\.groups) }
    let alike = Dictionary(grouping: names) { name in choices.map { $0?.contains(name) ?? true } }
    let unnamed = names.filter { name in !choices.contains { $0?.contains(name) ?? false } }
    let several = names.filter { name in alike.values.contains { $0.count > 1 && $0[0] == name } }
    let ofAlike = several.compactMap { first in alike.values.first { $0[0] == first } }
    return ofAlike.map { .groupsAlike(groups: $0) }
      + (unnamed.count == 1 ? [.groupUnnamed(group: unnamed[0])] : [])
  }

  private static func pages(_ studyProtocol: StudyProtocol) -> [PlanCaveat] {
    let steps = studyProtocol.allSteps.map(\.step)
    let typed = steps.flatMap { step in
      step.kind.questions.filter { if case .text = $0.format { true } else { false } }.map {
        $0.identifier == step.identifier ? $0.identifier : "\(step.identifier).\($0.identifier)"
      }
    }
    let shown = steps.filter { $0.pictureChoice != nil || $0.kind.questions.contains { !$0.pictures.isEmpty } }
    return (typed.isEmpty ? [] : [.typedByTouch(questions: typed)])
      + (shown.isEmpty ? [] : [.needsPage(steps: shown.map(\.identifier))])
  }

  private static func displays(_ studyProtocol: StudyProtocol) -> [PlanCaveat] {
    let steps = studyProtocol.allSteps.map(\.step).filter { $0.trials == nil }
    let ofOperator = steps.filter { studyProtocol.display[$0] == .operator }
    guard !ofOperator.isEmpty, ofOperator.count < steps.count else { return [] }
    return [.operatorOnParticipantScreen(steps: ofOperator.map(\.identifier))]
  }
}

extension StudyProtocol {
  /// The protocol with the recorders of trials and of the session in each step that they record.
  fileprivate var withRecordersInSteps: StudyProtocol {
    guard !recorderConfigurations.isEmpty else { return self }
    let ofSession = recorderConfigurations.filter { !hasTrials || $0.scope == .session }
    var studyProtocol = self
    studyProtocol.steps = steps.map { step in
      guard var trials = step.trials else { return step.recording(ofSession) }
      var step = step
      trials.steps = trials.steps.map { $0.recording(recorderConfigurations) }
      step.kind = trials
      return step
    }
    return studyProtocol
  }
}

extension Step {
  /// The step with more recorders, if it is active.
  fileprivate func recording(_ recorders: [RecorderConfiguration]) -> Step {
    guard var active else { return self }
    active.recorderConfigurations += recorders
    return with(active)
  }

  /// Whether something is recorded in it.
  var records: Bool { !(active?.recorderConfigurations.isEmpty ?? true) }

  /// Whether it is rest of some duration in which something is recorded.
  var isRecordedRest: Bool {
    guard let rest = kind as? RestStep else { return false }
    return records && rest.activeStep.stepDuration > .zero
  }

  var shortest: Duration { active.map { $0.jitter?.minimum ?? $0.stepDuration } ?? .zero }

  /// Whether it is too short for heart-rate variability, which can be computed from what is recorded.
  fileprivate var isShortForVariability: Bool {
    let givesVariability = active?.recorderConfigurations.contains { recorder in
      recorder.isOfHeartbeats
        || [.heartRateVariabilitySDNN, .heartRateVariabilityRMSSD, .electrocardiogram, .photoplethysmogram]
          .contains(recorder.quantityType)
    }
    return givesVariability ?? false && shortest > .zero && shortest < PlanCaveat.minForVariability
  }
}
