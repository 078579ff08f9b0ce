import Basics
import Quantities

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
  package static let minBetweenStimuli = Duration.seconds(30)

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
      guard step.form != nil, flat[..<place].last(where: { $0.music != nil || $0.isRecordedRest })?.music != nil,
        let next = flat[place...].first(where: { $0.music != nil || $0.isRecordedRest }), next.music == nil
      else { continue }
      caveats.append(.askedBeforeRecovery(question: step.identifier, recovery: next.identifier))
    }
    return caveats + displays(studyProtocol)
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

  /// Its shortest duration.
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
