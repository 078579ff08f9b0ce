import Bundles
import Quantities
import Sound
import Study

/// A session under way: performs the trials of its plan, and the steps around them, each with a bundle of its own.
actor SessionRun {
  private let setup: SessionSetup
  private let plan: Plan
  private let equipment: SessionEquipment
  private let sessionOperator: any SessionOperator
  private let identifier: String
  /// How long the active steps last from each trial to the end.
  private let durationsLeft: [Duration]
  /// The session's place in its study; `nil` for a single trial that enrols no one.
  private let entry: SessionEntry?
  /// What was done, of a session that has a place in its study.
  private var progress: SessionProgress?
  private var outcome: SessionOutcome
  /// The next stimulus to be played, decoded.
  private var next: LoadedStimulus?
  /// What kept a trial inside of the session's own steps from being performed.
  private var failure: (any Error)?
  private var hasBegun = false
  /// The gain that the participant has chosen, in this part of the session or before it was resumed.
  private var volume: Double?

  init(
    _ setup: SessionSetup, _ plan: Plan, _ equipment: SessionEquipment, operator sessionOperator: any SessionOperator,
    entry: SessionEntry?, first: LoadedStimulus?
  ) {
    (self.entry, progress) = (entry, entry?.progress)
    (self.setup, self.plan, self.equipment, self.sessionOperator) = (setup, plan, equipment, sessionOperator)
    (next, durationsLeft) = (first, plan.durationsLeft)
    volume = entry?.progress.record.volume
    identifier =
      entry?.progress.record.session
      ?? equipment.environment.identify(equipment.clock.wallReading().wall).description
    outcome = SessionOutcome(planned: entry?.progress.trialsLeft.count ?? plan.trials.count)
  }

  /// Performs the whole plan, until the end or until it is stopped.
  ///
  /// - Returns: what came of it.
  /// - Throws: ``SessionError``, or what kept a bundle from being made.
  func perform() async throws -> SessionOutcome {
    if let progress {
      try await performEntered(progress)
    } else {
      _ = try await performTrials(plan.trials.map(\.number))
    }
    if outcome.trials < outcome.planned, plan.trials.count > 1 {
      sessionOperator.inform(.endedEarly(after: outcome.trials, of: outcome.planned))
    }
    return outcome
  }

  /// Performs what is left of a session that has a place in its study, and notes it in record and participants' list.
  private func performEntered(_ left: SessionProgress) async throws {
    guard try await checkSensors() else { return }
    if !setup.resumes { try await equipment.clock.hold { [entry, setup] in try await entry?.begin(setup) } }
    sessionOperator.inform(.begins)
    try progress?.begin()
    let ending =
      setup.study.studyProtocol.hasTrials
      ? try await performAround(left) : await end(ofTrials: left.trialsLeft.sorted())
    do {
      // The protocol's rules, or a participant who does not consent, may end it before the last trial.
      let isComplete = ending == .completed || ending == .declined
      if isComplete { outcome.planned = outcome.trials }
      try progress?.end(isComplete: isComplete)
      // Where the participants' list cannot be told, the session's record still says it.
      if let record = progress?.record {
        let now = equipment.clock.wallReading().wall
        try await equipment.clock.hold { [entry] in try await entry?.end(record, at: now) }
      }
    } catch {
      sessionOperator.inform(.sessionNotWritten("\(error)"))
    }
    if let failure { throw failure }
  }

  /// Performs the session's own steps, which have the trials inside of them.
  private func performAround(_ left: SessionProgress) async throws -> TrialEnd {
    let part = part(nil, steps: left.steps(of: plan), after: left.course, nil)
    let concluded = try await part.perform { identifier in
      note(.init(bundle: identifier.description, number: nil, steps: left.stepsLeft))
    }
    if let record = concluded.record {
      outcome.around = record.verdict
      note(record, nil)
    }
    if let bundle = concluded.bundle { equipment.followers.add(bundle) }
    return concluded.end
  }

  /// Keeps the gain that the participant has chosen.
  private func choose(volume gain: Double) {
    volume = gain
    do {
      try progress?.choose(volume: gain)
    } catch {
      sessionOperator.inform(.sessionNotWritten("\(error)"))
    }
  }

  /// Notes a part of the session; where that cannot be written the bundles still say it.
  private func note(_ part: SessionRecord.Performed) {
    do {
      try progress?.add(part)
    } catch {
      sessionOperator.inform(.sessionNotWritten("\(error)"))
    }
  }

  private func note(_ record: TrialRecord, _ number: Int?) {
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
    var lost: TrialEnd?
    for number in numbers {
      let trial = plan.trials[number - 1]
      let loaded = trial.stimulus == nil ? nil : next
      let following = plan.stimulus(from: number + 1, where: isLeft)
      let current = next
      // The next clip is decoded while this trial runs, so that nothing delays its onset.
      async let decoded = following == trial.stimulus || trial.stimulus == nil ? current : load(following)
      var isRepeated = false
      var losses = 0
      repeat {
        if let stimulus = loaded?.stimulus, let speaker = equipment.speaker, hasBegun {
          guard try await awaitSpeaker(speaker, for: stimulus.format) else { return .stopped }
        }
        guard try await checkSensors() else { return .stopped }
        let concluded = try await perform(trial, loaded, again: isRepeated)
        let end = concluded.end
        guard end == .completed || end == .skipped || end == .repeated || end.isSoundLost else { return end }
        guard !sessionOperator.givesUp, !concluded.endsSession else { return .stopped }
        let goesOn = number < plan.trials.count || end == .repeated
        if concluded.pausesSession, goesOn,
          await sessionOperator.answer(.paused(after: place(of: number, .zero))) == .end
        {
          return .stopped
        }
        guard !sessionOperator.givesUp else { return .stopped }
        losses += end.isSoundLost ? 1 : 0
        if end.isSoundLost, losses <= plan.lossesRepeated(ofTrial: number) {
          sessionOperator.inform(.repeats(place(of: number, .zero)))
          isRepeated = true
        } else {
          isRepeated = await repeats(number, concluded)
          guard !sessionOperator.givesUp else { return .stopped }
          if end.isSoundLost, !isRepeated { lost = end }
        }
      } while isRepeated
      next = try await decoded
    }
    // Steps around trials go on to their end; without them the session can be resumed.
    return setup.study.studyProtocol.hasTrials ? .completed : lost ?? .completed
  }

  /// Prepares the speaker for a sound; one that cannot be prepared is waited for, until the operator gives up.
  ///
  /// - Returns: whether it is ready.
  private func awaitSpeaker(_ speaker: any Speaker, for format: SoundFormat) async throws -> Bool {
    var isWaiting = false
    while true {
      do {
        try await sessionOperator.prepare(speaker, for: equipment.markers.format(of: format))
        guard isWaiting else { return true }
        // Nothing of what was prepared for the session may be left.
        if !equipment.speech.isEmpty {
          try await sessionOperator.prepare(speaker, for: equipment.markers.format(of: PreparedSpeech.format))
        }
        sessionOperator.inform(.awaitsSpeaker(nil))
        return true
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        if !isWaiting { sessionOperator.inform(.awaitsSpeaker("\(error)")) }
        isWaiting = true
        _ = await firstResult(
          of: { [clock = equipment.clock] in _ = try? await clock.sleep(for: Self.speakerPause) },
          unless: sessionOperator.awaitGivingUp)
        guard !sessionOperator.givesUp else {
          sessionOperator.inform(.awaitsSpeaker(nil))
          return false
        }
      }
    }
  }

  /// How often a speaker is tried again.
  private static let speakerPause = Duration.seconds(1)

  /// Performs one trial, and notes what came of it; `again` says that it replaces the trial that was performed last.
  private func perform(
    _ trial: PlannedTrial, _ loaded: LoadedStimulus?, again: Bool
  ) async throws -> ConcludedTrial {
    sessionOperator.inform(.trialOpens(place(of: trial.number, .zero), remaining: durationsLeft[trial.number - 1]))
    let concluded = try await part(trial.number, steps: trial.steps, trial, loaded).perform()
    if let record = concluded.record {
      if again { outcome.verdicts.removeLast() }
      outcome.verdicts.append(record.verdict)
      note(record, trial.number)
    }
    if let bundle = concluded.bundle { equipment.followers.add(bundle) }
    return concluded
  }

  /// Whether the operator has a trial performed again, which is asked of a bad one; its bundle is kept, and superseded.
  private func repeats(_ number: Int, _ concluded: ConcludedTrial) async -> Bool {
    guard progress != nil, let record = concluded.record else { return false }
    if concluded.end == .repeated { return true }
    guard record.verdict == .bad, concluded.end != .skipped else { return false }
    return await sessionOperator.answer(.badTrial(place(of: number, .zero), reasons: record.reasons)) == .again
  }

  private func load(_ stimulus: PlannedStimulus?) async throws -> LoadedStimulus? {
    guard let stimulus else { return nil }
    return try await equipment.environment.load(stimulus, setup.needsLoudness)
  }

  private func isLeft(_ number: Int) -> Bool { progress?.trialsLeft.contains(number) ?? true }

  private func part(
    _ number: Int?, steps: [Step], after course: StepCourse? = nil, _ planned: PlannedTrial?,
    _ loaded: LoadedStimulus? = nil
  ) -> SessionPart {
    SessionPart(
      setup: setup, equipment: equipment, sessionOperator: sessionOperator, plan: plan, place: place(of: number, .zero),
      steps: steps,
      course: course,
      planned: planned, loaded: loaded, volume: volume,
      services: PreparedTrial.Services(
        performTrials: { [sessionOperator] numbers in
          await sessionOperator.performInside { await self.end(ofTrials: numbers) }
        },
        checkSensors: { [sessionOperator] limit in
          await sessionOperator.performInside { await self.checkSensors(inStep: limit) }
        },
        keepSignature: { [self] name, consent in try keep(name, under: consent) },
        chooseVolume: { gain in await self.choose(volume: gain) }))
  }

  private nonisolated func keep(_ name: String, under consent: ConsentStep) throws {
    try equipment.archive.write(
      ConsentRecord(
        session: identifier, studyProtocol: setup.study.reference, participant: setup.participant,
        document: consent.document, sha256: consent.sha256, signature: name, date: equipment.clock.wallReading().wall))
  }

  /// Checks the sensors in a step of their own; without a plausible sample the operator decides.
  private func checkSensors(inStep limit: Duration) async -> TrialEnd {
    do {
      return try await checkSensors(within: limit, isFirst: true) ? .completed : .stopped
    } catch SessionError.notStarted {
      return .stopped
    } catch {
      return .failed(reason: "\(error)")
    }
  }

  private func place(of number: Int?, _ zero: Duration) -> SessionPlace {
    SessionPlace(
      run: identifier, trial: number, trials: plan.trials.count, boot: equipment.environment.boot, zero: zero)
  }

  /// Waits until every recorder's sensor has sent a plausible sample, before anything is recorded.
  ///
  /// Where samples are missing the operator decides; without one the trial is refused.
  ///
  /// - Returns: whether the trial is to begin: not if the operator gives up before a later one.
  private func checkSensors() async throws -> Bool {
    let isFirst = !hasBegun
    hasBegun = true
    return try await checkSensors(within: setup.study.studyProtocol.sensorCheck, isFirst: isFirst)
  }

  private func checkSensors(within limit: Duration, isFirst: Bool) async throws -> Bool {
    guard setup.checksSensors, limit > .zero else { return true }
    let needs = setup.recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
    while true {
      sessionOperator.inform(.awaitsSamples(true))
      let shortfalls = await firstResult(
        of: { [equipment] in await SensorCheck(needs, within: limit).run(equipment.hub) },
        unless: sessionOperator.awaitGivingUp)
      sessionOperator.inform(.awaitsSamples(false))
      guard !sessionOperator.givesUp, let shortfalls else { return false }
      guard !shortfalls.isEmpty else { return true }
      switch await sessionOperator.answer(.sensors(shortfalls)) {
      case .again: continue
      case .goOn:
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

extension Plan {
  /// How often a trial is performed again whose sound was lost.
  fileprivate func lossesRepeated(ofTrial number: Int) -> Int {
    steps.lazy.compactMap(\.trials).first { $0.numbers?.contains(number) ?? false }?.repeatsLost ?? 0
  }
}
