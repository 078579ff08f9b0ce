import Bundles
import Quantities
import Sound
import Study

/// A session under way: performs the trials of its plan, and the steps around them, each with a bundle of its own.
actor SessionRun {
  private let setup: SessionSetup
  private let plan: Plan
  private let equipment: SessionEquipment
  private let desk: any SessionOperator
  private let identifier: String
  /// What was done, of a session with steps around its trials.
  private var progress: SessionProgress?
  private var outcome: SessionOutcome
  /// The next stimulus to be played, decoded.
  private var next: LoadedStimulus?
  /// What kept a trial inside of the session's own steps from being performed.
  private var failure: (any Error)?
  private var hasBegun = false

  init(
    _ setup: SessionSetup, _ plan: Plan, _ equipment: SessionEquipment, operator desk: any SessionOperator,
    progress: SessionProgress?, first: LoadedStimulus?
  ) {
    self.progress = progress
    (self.setup, self.plan, self.equipment, self.desk) = (setup, plan, equipment, desk)
    next = first
    identifier = progress?.record.session ?? TrialIdentifier(time: equipment.clock.wallReading().wall).description
    outcome = SessionOutcome(planned: progress?.trialsLeft.count ?? plan.trials.count)
  }

  /// Performs the whole plan, as far as nobody stops it.
  ///
  /// - Returns: what came of it.
  /// - Throws: ``SessionError``, or what kept a bundle from being made.
  func perform() async throws -> SessionOutcome {
    if let progress {
      try await performAround(progress)
    } else {
      _ = try await performTrials(plan.trials.map(\.number))
    }
    if outcome.trials < outcome.planned, plan.trials.count > 1 {
      desk.inform(.endedEarly(after: outcome.trials, of: outcome.planned))
    }
    return outcome
  }

  /// Performs the session's own steps, which have the trials inside of them.
  private func performAround(_ left: SessionProgress) async throws {
    guard try await checkSensors() else { return }
    try progress?.begin()
    let part = part(nil, steps: left.steps(of: plan), nil) { [desk] numbers in
      await desk.performInside { await self.end(ofTrials: numbers) }
    }
    let concluded = try await part.perform { identifier in
      note(.init(bundle: identifier.description, number: nil, steps: left.stepsLeft))
    }
    if let bundle = concluded.bundle {
      outcome.around = bundle.record.verdict
      note(bundle, nil)
      equipment.followers.add(bundle)
    }
    do {
      // The protocol's rules may end it before the last trial.
      if concluded.end == .completed { outcome.planned = outcome.trials }
      try progress?.end(isComplete: concluded.end == .completed)
    } catch {
      desk.inform(.sessionNotWritten("\(error)"))
    }
    if let failure { throw failure }
  }

  /// Notes a part of the session; where that cannot be written the bundles still say it.
  private func note(_ part: SessionRecord.Performed) {
    do {
      try progress?.add(part)
    } catch {
      desk.inform(.sessionNotWritten("\(error)"))
    }
  }

  private func note(_ bundle: Bundle, _ number: Int?) {
    let record = bundle.record
    note(.init(bundle: record.trial, number: number, outcome: record.closing.outcome, verdict: record.verdict))
  }

  /// How the last of these trials ended; what kept one from being performed is thrown when the session's steps are over.
  private func end(ofTrials numbers: [Int]) async -> TrialEnd {
    do {
      return try await performTrials(numbers)
    } catch {
      failure = error
      return .failed(reason: "\(error)")
    }
  }

  private func performTrials(_ numbers: [Int]) async throws -> TrialEnd {
    for number in numbers {
      let trial = plan.trials[number - 1]
      let loaded = trial.stimulus == nil ? nil : next
      if let stimulus = loaded?.stimulus, hasBegun { try await equipment.speaker?.prepare(stimulus.format) }
      guard try await checkSensors() else { return .stopped }
      let following = plan.trials.dropFirst(number).filter { isLeft($0.number) }.firstStimulus
      let current = next
      // The next clip is decoded while this trial runs, so that nothing delays its onset.
      async let decoded = following == trial.stimulus || trial.stimulus == nil ? current : following?.loaded()
      desk.inform(.trialOpens(place(of: number, .zero), remaining: plan.duration(from: number)))
      let concluded = try await part(trial.number, steps: trial.steps, trial, loaded).perform()
      if let bundle = concluded.bundle {
        outcome.verdicts.append(bundle.record.verdict)
        note(bundle, number)
        equipment.followers.add(bundle)
      }
      guard concluded.end == .completed else { return concluded.end }
      guard !desk.givesUp else { return .stopped }
      next = try await decoded
    }
    return .completed
  }

  private func isLeft(_ number: Int) -> Bool { progress?.trialsLeft.contains(number) ?? true }

  private func part(
    _ number: Int?, steps: [Step], _ planned: PlannedTrial?, _ loaded: LoadedStimulus? = nil,
    performTrials: (@Sendable ([Int]) async -> TrialEnd)? = nil
  ) -> SessionPart {
    SessionPart(
      setup: setup, equipment: equipment, desk: desk, plan: plan, place: place(of: number, .zero), steps: steps,
      planned: planned, loaded: loaded, performTrials: performTrials)
  }

  private func place(of number: Int?, _ zero: Duration) -> SessionPlace {
    SessionPlace(
      run: identifier, trial: number, trials: plan.trials.count, boot: StationFacts.boot, zero: zero)
  }

  /// Waits until every recorder's sensor has sent a plausible sample, before anything is recorded.
  ///
  /// Where samples are missing the operator decides; without one the trial is refused.
  ///
  /// - Returns: whether the trial is to begin: not if the operator gives up before a later one.
  private func checkSensors() async throws -> Bool {
    let isFirst = !hasBegun
    hasBegun = true
    let limit = setup.checksSensors ? setup.study.studyProtocol.sensorCheck : .zero
    guard limit > .zero else { return true }
    let needs = setup.recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
    while true {
      desk.inform(.awaitsSamples(true))
      let shortfalls = await firstResult(
        of: { [equipment] in await SensorCheck(needs, within: limit).run(equipment.hub) },
        unless: desk.awaitGivingUp)
      desk.inform(.awaitsSamples(false))
      guard !desk.givesUp, let shortfalls else { return false }
      guard !shortfalls.isEmpty else { return true }
      switch await desk.decide(about: shortfalls) {
      case .again: continue
      case .without:
        for shortfall in shortfalls {
          await equipment.hub.note(
            "did not pass the check before the trial: \(shortfall.reason)", of: shortfall.need.sensor)
        }
        return true
      case .end where !isFirst: return false
      case .end: throw SessionError.notStarted
      case nil: throw SessionError.noPlausibleSample(shortfalls)
      }
    }
  }
}
