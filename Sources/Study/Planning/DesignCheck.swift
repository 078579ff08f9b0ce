import Basics

/// Finds the caveats of one design, as a group has it.
struct DesignCheck {
  private let identifier: String
  private let trials: TrialsStep
  private let studyProtocol: StudyProtocol
  private let clips: [Clip]
  private let plan: Plan

  private var design: TrialDesign { trials.design }

  init(
    _ identifier: String, _ trials: TrialsStep, _ studyProtocol: StudyProtocol, _ clips: [Clip], _ plan: Plan
  ) {
    (self.identifier, self.trials, self.studyProtocol) = (identifier, trials, studyProtocol)
    (self.clips, self.plan) = (clips, plan)
  }

  /// The caveats, those of time first.
  var caveats: [PlanCaveat] {
    [unequalWindows, unequalTrials, unbalancedPositions, carryOver, anyClip, oneClip, clipsOfEarlierSessions]
      .compactMap(\.self)
  }

  // MARK: Time

  /// Recordings whose duration is drawn, and stimuli that end with their clip.
  private var unequalWindows: PlanCaveat? {
    let drawn = trials.steps.filter { $0.records && $0.active?.jitter != nil }
    var ranges = drawn.compactMap { step in step.active?.jitter.map { ($0.minimum, $0.maximum) } }
    var steps = drawn.map(\.identifier)
    if let music = trials.music, music.step.records, music.music.whenShorter == .end {
      let own = plan.trials.filter { $0.placement?.step == identifier }
      let played = own.map { trial in
        let length = trial.stimulus?.music.activeStep.stepDuration ?? music.music.activeStep.stepDuration
        return min(length, trial.stimulus?.clip.duration ?? length)
      }
      if let shortest = played.min(), let longest = played.max(), shortest < longest {
        ranges.append((shortest, longest))
        if !steps.contains(music.step.identifier) { steps.append(music.step.identifier) }
      }
    }
    guard let shortest = ranges.map(\.0).min(), let longest = ranges.map(\.1).max() else { return nil }
    return .unequalWindows(steps: steps, shortest_s: shortest.seconds, longest_s: longest.seconds)
  }

  /// Little rest between two stimuli, where no order balances which condition follows which.
  private var carryOver: PlanCaveat? {
    guard trials.music != nil, design.trials > 1, design.order != .balancedLatinSquare else { return nil }
    let between = trials.steps.reduce(Duration.zero) { sum, step in
      step.kind is RestStep ? sum + step.shortest : sum
    }
    guard between < PlanCaveat.minBetweenStimuli else { return nil }
    return .carryOver(
      design: identifier, between_s: between.seconds, least_s: PlanCaveat.minBetweenStimuli.seconds)
  }

  // MARK: Balance

  private func cells(_ counts: [String: Int]) -> (fewest: PlanCaveat.Cell, most: PlanCaveat.Cell)? {
    let sorted = counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let first = sorted.first, let last = sorted.last, first.value < last.value else { return nil }
    return (PlanCaveat.Cell(first.key, first.value), PlanCaveat.Cell(last.key, last.value))
  }

  /// Conditions of one name that are listed more often than others.
  private var unequalTrials: PlanCaveat? {
    let names = design.conditions.map(\.name)
    let counts = names.reduce(into: [:]) { $0[$1, default: 0] += design.repetitions }
    return cells(counts).map { .unequalTrials(design: identifier, fewest: $0.fewest, most: $0.most) }
  }

  /// The first position at which conditions do not come equally often, over the participants of the group.
  private var unbalancedPositions: PlanCaveat? {
    let names = design.conditions.map(\.name)
    guard Set(names).count > 1 else { return nil }
    if design.order == .fixed { return .fixedOrder(design: identifier) }
    guard let square = design.order.square(names.count), unequalTrials == nil else { return nil }
    let rows = rows(of: square.count)
    // The square as a whole is balanced.
    guard rows.count < square.count else { return nil }
    for position in names.indices {
      var counts = Dictionary(names.map { ($0, 0) }) { first, _ in first }
      for row in rows { counts[names[square[row][position]], default: 0] += 1 }
      if let (fewest, most) = cells(counts) {
        return .unbalancedPositions(
          design: identifier, participants: rows.count, position: position + 1, fewest: fewest, most: most)
      }
    }
    return nil
  }

  /// The rows of a square that the group's participants get, who come in turn where groups go by the index.
  private func rows(of count: Int) -> Set<Int> {
    guard let groups = studyProtocol.groups, groups.assignment == .index,
      let place = groups.groups.firstIndex(where: { $0.name == plan.place.group })
    else { return Set(0..<count) }
    return Set((0..<count).map { (place + $0 * groups.groups.count + plan.place.session - 1) % count })
  }

  // MARK: Clips

  /// Conditions that say nothing of clips beside others that do.
  private var anyClip: PlanCaveat? {
    guard trials.music?.music.clip == .condition else { return nil }
    let pools = design.conditions.compactMap { condition in condition.pool.map { (condition.name, $0) } }
    let names = pools.filter { $0.1 == ClipPool() }.map(\.0)
    return names.isEmpty || names.count == pools.count ? nil : .anyClip(design: identifier, conditions: names)
  }

  /// Conditions that are compared, with a single clip each.
  private var oneClip: PlanCaveat? {
    guard trials.music?.music.clip == .condition, design.conditions.count > 1 else { return nil }
    // Conditions of one name share their clips.
    var byName: [String: Set<String>] = [:]
    var known: [ClipPool: Set<String>] = [:]
    for condition in design.conditions {
      guard case .clips(let pool) = condition.sound else { continue }
      let names = known[pool] ?? Set(pool.clips(among: clips).map(\.name))
      known[pool] = names
      byName[condition.name, default: []].formUnion(names)
    }
    let lone = byName.filter { $0.value.count == 1 }.keys.sorted()
    return lone.isEmpty ? nil : .oneClip(design: identifier, conditions: lone)
  }

  /// Clips that may come again in another session of the participant.
  private var clipsOfEarlierSessions: PlanCaveat? {
    guard studyProtocol.sessions > 1, trials.music != nil, [.always, .nextSession].contains(design.clipReuse) else {
      return nil
    }
    return .clipsOfEarlierSessions(design: identifier, sessions: studyProtocol.sessions)
  }
}

extension TrialsStep {
  /// The step as a group performs it.
  func of(_ group: String?) -> TrialsStep {
    var trials = self
    trials.design = design.of(group)
    trials.steps.removeAll { !$0.isFor(group) }
    trials.breaks?.steps.removeAll { !$0.isFor(group) }
    return trials
  }
}
