import Basics
import Bundles
import Quantities
import Sound
import Study

/// A part of a session with a bundle of its own: one trial, or what lies around the trials.
struct SessionPart: Sendable {
  let setup: SessionSetup
  let equipment: SessionEquipment
  let sessionOperator: any SessionOperator
  let plan: Plan
  let place: SessionPlace
  let steps: [Step]
  /// What was done of the steps before the session was interrupted.
  let course: StepCourse?
  /// The trial; `nil` for what lies around the trials.
  let planned: PlannedTrial?
  let loaded: LoadedStimulus?
  /// The gain that the participant has chosen before.
  let volume: Double?
  /// What the session does inside of it.
  let services: PreparedTrial.Services

  /// How often a bundle is tried again while the disk has no room for it.
  private static let roomPatience = Duration.seconds(1)

  private var studyProtocol: StudyProtocol { setup.study.studyProtocol }
  private var clock: any StationClock { equipment.clock }

  /// Opens the part's journal, performs its steps, and makes its bundle.
  ///
  /// - Parameter opens: told the part's identifier before anything of it is written.
  /// - Returns: how it ended, and the bundle.
  /// - Throws: ``SessionError``, or what kept the bundle from being made.
  func perform(opens: (TrialIdentifier) -> Void = { _ in }) async throws -> ConcludedTrial {
    let identifier = equipment.environment.identify(clock.wallReading().wall)
    opens(identifier)
    equipment.hub.keepSamples()
    let zero = clock.wallReading()
    let embeds = studyProtocol.clips?.embed ?? false
    if let stimulus = planned?.stimulus, let loaded,
      let caveat = Caveat.loudness(
        of: stimulus.clip.name, reached: loaded.reachedLoudness, target: stimulus.music.loudness)
    {
      sessionOperator.inform(.caveat(caveat))
    }
    let opening = opening(identifier, zero)
    let open = try equipment.archive.open(
      opening, as: identifier, protocolBytes: setup.study.protocolBytes,
      clipToEmbed: embeds ? planned?.stimulus?.clip : nil, clock: clock,
      report: { [sessionOperator] in sessionOperator.inform(.journal($0)) })
    let waveforms = try TrialWaveforms(opening) { try open.waveform($0) }
    if let stimulus = planned?.stimulus, let loaded {
      open.journal.append(
        time: zero.moment.duration(to: clock.now), event: .clipChosen(Self.chosen(stimulus, loaded)))
    }
    var prepared = PreparedTrial(
      steps: steps, stimulus: loaded?.stimulus, sensors: setup.recorders.names,
      isUnattended: setup.isUnattended, phrases: setup.phrases, services: services)
    (prepared.recorders, prepared.course) = (recorders, course)
    prepared.seed = plan.seed
    if let number = place.trial, place.trials > 1 {
      prepared.trial = Screen.Count(number: number, count: place.trials)
    }
    prepared.marking.outputs = equipment.markers
    if let planned {
      (prepared.marking.number, prepared.marking.condition) = (planned.number, planned.placement?.condition)
      prepared.marking.code = studyProtocol.markerCodes[planned.placement?.condition]
      prepared.marking.silentStep = planned.placement?.silentStep
    }
    (prepared.lock, prepared.heartbeats) = (heartLock, equipment.heartbeats)
    prepared.level.chosen = volume
    prepared.level.calibrated = setup.calibration(of: equipment.speaker)?.level
    prepared.level.maximum = studyProtocol.maximumLevel
    (prepared.level.loudness, prepared.level.gain) = (loaded?.loudness, loaded?.gain ?? 0)
    prepared.speech = speech(beside: loaded?.stimulus.format, gain: prepared.level.speechGain)
    let trial = Trial(
      prepared, zero: zero.moment, clock: clock, speaker: equipment.speaker, hub: equipment.hub, journal: open.journal,
      waveforms: waveforms, presenters: sessionOperator.presenters)
    return try await sessionOperator.perform(trial, at: place) { end, isKept in
      guard isKept else {
        try await clock.hold { try await open.discard() }
        return ConcludedTrial(end: end)
      }
      let (record, bundle) = try await close(open, end, zero)
      return ConcludedTrial(end: end, record: record, bundle: bundle)
    }
  }

  /// The heartbeats that the stimulus follows; simulated time has none that are in time.
  private var heartLock: HeartLock.Settings? {
    let music = steps.lazy.compactMap { step in step.music.map { (step: step.identifier, lock: $0.music.onset) } }.first
    guard let music, let lock = music.lock, !equipment.environment.isSimulated else { return nil }
    let recorders = setup.recorders.recorders.filter {
      $0.step == music.step || $0.configuration.scope != .step
    }
    let recorder = lock.quantities.lazy.compactMap { quantity in
      recorders.first { $0.configuration.quantityType.identifier == quantity }
    }.first
    return recorder.map { HeartLock.Settings(sensor: $0.sensor.name, lock: lock) }
  }

  /// What the part's steps say.
  private func speech(beside format: SoundFormat?, gain: Double) -> [String: PreparedSpeech] {
    let texts = steps.compactMap(\.active).flatMap { $0.speech(setup.phrases).map(\.text) }
    return Set(texts).reduce(into: [:]) { prepared, text in
      prepared[text] = equipment.speech[text].map { PreparedSpeech($0, beside: format, gain: gain) }
    }
  }

  /// The recorders that run through the whole part: those of trials or of the session; both where it is one trial.
  private var recorders: [RecorderConfiguration] {
    let scopes: [RecorderConfiguration.Scope] =
      studyProtocol.hasTrials ? [place.trial == nil ? .session : .trial] : [.trial, .session]
    return studyProtocol.recorderConfigurations.filter { scopes.contains($0.scope) }
  }

  /// What of the part is simulated: all sensors of a session are a rehearsal's where one is.
  private var simulation: TrialSimulation {
    if equipment.environment.isSimulated { return .everything }
    let sensors = setup.recorders.simulated
    return sensors.isEmpty ? .none : .sensors(sensors)
  }

  /// What the head of the journal says.
  private func opening(_ trial: TrialIdentifier, _ zero: WallReading) -> TrialOpening {
    var facts = equipment.speaker?.description.facts
    facts?.isNamed = setup.speaker.sinkName != nil
    var place = place
    place.zero = .nanoseconds(zero.moment.nanoseconds)
    let head = TrialHead(
      trial: trial.description,
      studyProtocol: setup.study.reference,
      participant: setup.participant, session: setup.session ?? "\(plan.place.session)", place: place,
      design: planned?.placement,
      group: plan.place.group, language: setup.language.rawValue, seed: plan.seed,
      zero: CalendarReading(zero, since: zero.moment), station: setup.station, speaker: facts,
      isUnattended: setup.isUnattended, simulation: simulation,
      thresholds: studyProtocol.verdict)
    let mayCome = steps.indices.filter { course?.mayCome($0) ?? true }.map { steps[$0] }
    let ofSteps = mayCome.flatMap { $0.active?.recorderConfigurations ?? [] }
    let names = Set((recorders + ofSteps).map(\.identifier))
    return TrialOpening(
      head: head, recorders: setup.recorders.recorders.filter { names.contains($0.identifier) })
  }

  /// What the journal says about the clip.
  private static func chosen(_ stimulus: PlannedStimulus, _ loaded: LoadedStimulus) -> ChosenClip {
    ChosenClip(
      step: stimulus.step, clip: stimulus.clip, draw: stimulus.draw, requested: stimulus.music.activeStep.stepDuration,
      gain: loaded.gain, loudness: loaded.loudness?.integrated, truePeak: loaded.loudness?.truePeak,
      target: stimulus.music.loudness, warnings: loaded.warnings)
  }

  // MARK: After the steps

  private func close(
    _ open: any ArchivedTrial, _ end: TrialEnd, _ zero: WallReading
  ) async throws -> (record: TrialRecord, bundle: Bundle?) {
    let now = clock.wallReading()
    open.journal.append(
      time: zero.moment.duration(to: clock.now),
      event: .trialClosed(
        TrialClosing(outcome: end.outcome, reason: end.reason, calendar: .init(now, since: zero.moment))))
    return try await conclude(open)
  }

  /// Makes the bundle; as long as records are nowhere but in memory it waits for room on the disk, until the operator, who
  /// was told how many there are, gives them up.
  private func conclude(_ open: any ArchivedTrial) async throws -> (record: TrialRecord, bundle: Bundle?) {
    var before: Int?
    while true {
      do {
        return try await clock.hold { try await open.conclude() }
      } catch BundleError.unwritten(let trial, let count, let error) {
        if let before, sessionOperator.interruptions > before {
          sessionOperator.inform(.discarded(place, records: count))
          throw SessionError.recordsLost(trial: trial, count: count, error)
        }
        if before == nil {
          before = sessionOperator.interruptions
          sessionOperator.inform(.awaitsRoom(place, records: count))
        }
        try await clock.sleep(for: Self.roomPatience)
      }
    }
  }
}

extension TrialEnd {
  /// How the trial ended, as its bundle says it.
  fileprivate var outcome: Outcome {
    switch self {
    case .completed: .completed
    case .declined: .declined
    case .stopped: .stopped
    case .skipped: .skipped
    case .repeated: .repeated
    case .soundLost, .failed: .failed
    }
  }

  fileprivate var reason: String? {
    switch self {
    case .completed: nil
    case .declined: "the participant did not consent"
    case .stopped: "the operator ended it"
    case .skipped: "the operator went on with the next trial"
    case .repeated: "the operator had it performed again"
    case .soundLost(let reason), .failed(let reason): reason
    }
  }
}
