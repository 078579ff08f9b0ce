import Basics

/// Plans the session of a protocol with `trials` steps.
struct SessionPlanner {
  private let studyProtocol: StudyProtocol
  private let clips: [Clip]
  private let seed: UInt64
  private let place: PlanPlace
  private var trials: [PlannedTrial] = []

  init(_ studyProtocol: StudyProtocol, _ clips: [Clip], _ seed: UInt64, _ place: PlanPlace) {
    (self.studyProtocol, self.clips, self.seed, self.place) = (studyProtocol, clips, seed, place)
  }

  /// Makes the plan.
  consuming func plan() throws(PlanError) -> Plan {
    var steps: [Step] = []
    for step in studyProtocol.steps where step.isFor(place.group) {
      guard let trials = step.trials?.of(place.group) else {
        steps.append(step.drawn(place.purpose + "jitter/\(step.identifier)", seed))
        continue
      }
      guard !trials.design.conditions.isEmpty else { continue }
      let first = self.trials.count + 1
      try add(trials, of: step)
      steps += Self.parts(of: step, trials, numbers: first...self.trials.count).map {
        $0.drawn(place.purpose + "jitter/\($0.identifier)", seed)
      }
    }
    return Plan(seed: seed, place: place, steps: steps, trials: trials)
  }

  /// The step, parted by its breaks.
  private static func parts(of step: Step, _ trials: TrialsStep, numbers: ClosedRange<Int>) -> [Step] {
    func part(_ numbers: ClosedRange<Int>) -> Step {
      var (part, content) = (step, trials)
      content.numbers = Array(numbers)
      part.kind = content
      return part
    }
    let practice = trials.practice?.trials ?? 0
    guard let breaks = trials.breaks else { return [part(numbers)] }
    var parts: [Step] = []
    var start = numbers.lowerBound
    // Practice is not counted.
    while start <= numbers.upperBound {
      let every = breaks.every + (start == numbers.lowerBound ? practice : 0)
      let end = min(start + every - 1, numbers.upperBound)
      parts += (parts.isEmpty ? [] : breaks.steps) + [part(start...end)]
      start = end + 1
    }
    return parts
  }

  private mutating func add(_ step: TrialsStep, of outer: Step) throws(PlanError) {
    let order = try order(of: step.design, outer, place)
    let draws = ClipDraws(step, outer.identifier, clips, seed, sessionsEach: studyProtocol.sessions)
    let stimuli = try draws.stimuli(of: place) { self.practice(of: step, outer, $0) }
    var (forPractice, byCondition) = (stimuli.practice[...], stimuli.byCondition.map { $0[...] })
    let practice = practice(of: step, outer, place)
    let size = step.design.order == .random ? step.design.trials : step.design.conditions.count
    for (position, condition) in practice.enumerated() {
      add(
        step, outer, condition, block: 1, position: position + 1, isPractice: true, &forPractice)
    }
    for (position, condition) in order.enumerated() {
      add(
        step, outer, condition, block: position / size + 1, position: position + 1, isPractice: false,
        &byCondition[condition])
    }
  }

  private mutating func add(
    _ step: TrialsStep, _ outer: Step, _ index: Int, block: Int, position: Int, isPractice: Bool,
    _ stimuli: inout ArraySlice<ClipDraws.Drawn>
  ) {
    let number = trials.count + 1
    let condition = step.design.conditions[index]
    let steps = step.steps.map { template -> Step in
      var drawn = template.drawn(place.purpose + "jitter/\(template.identifier)/\(number)", seed)
      drawn.pictureChoice = drawn.pictureChoice?.of(condition)
      guard condition.sound == .silence, let music = drawn.music?.music else { return drawn }
      var silence = drawn
      silence.kind = RestStep(music.activeStep)
      return silence
    }
    let music = steps.lazy.compactMap(\.music).first
    let drawn = music == nil ? nil : stimuli.popFirst()
    trials.append(
      PlannedTrial(
        number: number,
        placement: TrialPlacement(
          step: outer.identifier, condition: condition.name,
          factors: condition.factors.isEmpty ? nil : condition.factors, block: block, position: position,
          isPractice: isPractice,
          silentStep: condition.sound == .silence ? step.music?.step.identifier : nil),
        steps: steps,
        stimulus: drawn.flatMap { drawn in
          music.map {
            PlannedStimulus(step: $0.step.identifier, music: $0.music, clip: drawn.clip, draw: drawn.draw)
              .drawn("\(place.purpose)\($0.step.identifier)/\(number)", seed)
          }
        }))
  }

  // MARK: Orders

  private func order(of design: TrialDesign, _ outer: Step, _ place: PlanPlace) throws(PlanError) -> [Int] {
    var random = Draw.generator(for: place.purpose + "order/\(outer.identifier)", seed: seed)
    do {
      return try design.order.cells(
        design.conditions.count, repetitions: design.repetitions, row: place.row, constraints: design.constraints,
        random: &random)
    } catch {
      throw .noOrder(design: outer.identifier, error)
    }
  }

  /// The conditions of practice trials: each once, in random order, before one comes again.
  private func practice(of step: TrialsStep, _ outer: Step, _ place: PlanPlace) -> [Int] {
    guard let practice = step.practice else { return [] }
    var random = Draw.generator(for: place.purpose + "order/\(outer.identifier)/practice", seed: seed)
    var conditions: [Int] = []
    while conditions.count < practice.trials {
      conditions += Array(step.design.conditions.indices).shuffled(by: &random)
    }
    return Array(conditions.prefix(practice.trials))
  }
}

extension Step {
  /// Whether participants of a group perform it.
  func isFor(_ group: String?) -> Bool { groups.map { $0.contains(group ?? "") } ?? true }
}
