import Basics
import Bundles
package import Quantities
import Sound
import Study

/// One visit of a participant: opens sensors and sound server once, performs the trials of its plan, and makes their bundles.
///
/// It is made from values, so that a command, a rehearsal or a test can run one.
package struct Session: Sendable {
  private let setup: SessionSetup
  private let desk: any SessionOperator
  private let followers: [any BundleFollower]
  private let clock: any StationClock

  /// How long a sensor may take to answer before the session is refused.
  private static let sensorPatience = Duration.seconds(15)

  /// How often a bundle is tried again while the disk has no room for it.
  private static let roomPatience = Duration.seconds(1)

  private var studyProtocol: StudyProtocol { setup.study.studyProtocol }

  /// A session of this setup, run by this operator.
  ///
  /// - Parameters:
  ///   - setup: what it does.
  ///   - desk: who runs it.
  ///   - followers: what is done with each bundle after its verdict was shown, beside the next trial.
  ///   - clock: the clock of trials, sound and sensors.
  package init(
    _ setup: SessionSetup, operator desk: any SessionOperator, followers: [any BundleFollower] = [],
    clock: any StationClock = MonotonicClock()
  ) {
    self.setup = setup
    self.desk = desk
    self.followers = followers
    self.clock = clock
  }

  /// What is open as long as the session lasts.
  private struct Equipment: Sendable {
    let results: ResultsFolder
    let hub: SensorHub
    let speaker: PulseSpeaker?
    let followers: FollowerQueue
  }

  /// Recovers what a crash left, opens what the protocol needs, and performs the trials.
  ///
  /// It ends after a trial that was stopped or failed, and where the operator gives up between two trials.
  ///
  /// - Returns: what came of the trials.
  /// - Throws: ``SessionError``, `PlanError`, or what keeps the folder, the speaker or a clip from being used; bundles that
  ///   were made before remain.
  package func run() async throws -> SessionOutcome {
    let results = ResultsFolder(setup.results)
    try results.check()
    try results.awaitTurn()
    desk.inform(.recovered(try results.recover().filter { $0.fate != .running }))

    let plan = try Plan.make(
      for: studyProtocol, clips: setup.study.clips, seed: setup.seed ?? .random(in: 0...Draw.largestSeed),
      trials: setup.trials, withReplacement: setup.drawsWithReplacement)
    let first = try await load(plan.trials.first?.stimulus)
    let speaker = try await openSpeaker(for: first?.stimulus)
    let equipment = Equipment(
      results: results, hub: try SensorHub(setup.recorders.sensors, clock: clock), speaker: speaker,
      followers: FollowerQueue(followers))
    let outcome: SessionOutcome
    do {
      outcome = try await desk.attend { try await perform(plan, first, equipment) }
    } catch {
      await speaker?.close()
      await desk.awaitFollowers(equipment.followers)
      throw error
    }
    await speaker?.close()
    await desk.awaitFollowers(equipment.followers)
    return outcome
  }

  private func perform(_ plan: Plan, _ first: LoadedStimulus?, _ equipment: Equipment) async throws -> SessionOutcome {
    let run = TrialIdentifier(time: clock.wallReading().wall).description
    let boot = StationFacts.boot
    var outcome = SessionOutcome(planned: plan.trials.count)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await equipment.hub.run() }
      defer { group.cancelAll() }
      try await awaitSensors(equipment.hub)
      var next = first
      for (index, trial) in plan.trials.enumerated() {
        let loaded = next
        if let stimulus = loaded?.stimulus, index > 0 { try await equipment.speaker?.prepare(stimulus.format) }
        guard try await checkSensors(equipment.hub, isFirst: index == 0) else { break }
        let place = SessionPlace(
          run: run, trial: trial.number, trials: plan.trials.count, boot: boot, zero: .zero)
        let following = index + 1 < plan.trials.count ? plan.trials[index + 1].stimulus : nil
        // The next clip is decoded while this trial runs, so that nothing delays its onset.
        async let decoded = following == trial.stimulus ? loaded : load(following)
        let concluded = try await perform(trial, plan.seed, place, loaded, equipment)
        if let bundle = concluded.bundle {
          outcome.verdicts.append(bundle.record.verdict)
          equipment.followers.add(bundle)
        }
        guard concluded.end == .completed, !desk.givesUp else { break }
        next = try await decoded
      }
      if outcome.verdicts.count < plan.trials.count, plan.trials.count > 1 {
        desk.inform(.endedEarly(after: outcome.verdicts.count, of: plan.trials.count))
      }
      return outcome
    }
  }

  // MARK: Before a trial

  private func load(_ stimulus: PlannedStimulus?) async throws -> LoadedStimulus? {
    guard let stimulus else { return nil }
    return try await StimulusLoader().loaded(stimulus.clip, for: stimulus.music)
  }

  private func openSpeaker(for stimulus: Stimulus?) async throws -> PulseSpeaker? {
    let hasTones = studyProtocol.steps.contains {
      $0.active.map { $0.shouldPlaySoundOnStart || $0.shouldPlaySoundOnFinish } ?? false
    }
    guard stimulus != nil || hasTones else { return nil }
    let speaker = try await setup.speaker.open(outputLatency: setup.outputLatency)
    if let stimulus { try await speaker.prepare(stimulus.format) }
    desk.inform(.speaker(speaker.description.notes))
    return speaker
  }

  private func awaitSensors(_ hub: SensorHub) async throws {
    await hub.settle(within: Self.sensorPatience)
    guard let (name, reason) = hub.missing.min(by: { $0.key < $1.key }) else { return }
    throw SessionError.sensorMissing(name, reason: reason)
  }

  /// Waits until every recorder's sensor has sent a plausible sample, before anything is recorded.
  ///
  /// Where samples are missing the operator decides; without one the trial is refused.
  ///
  /// - Returns: whether the trial is to begin: not if the operator gives up before a later one.
  private func checkSensors(_ hub: SensorHub, isFirst: Bool) async throws -> Bool {
    let limit = setup.checksSensors ? studyProtocol.sensorCheck : .zero
    guard limit > .zero else { return true }
    let needs = setup.recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
    while true {
      desk.inform(.awaitsSamples(true))
      let shortfalls = await firstResult(
        of: { await SensorCheck(needs, within: limit).run(hub) }, unless: desk.awaitGivingUp)
      desk.inform(.awaitsSamples(false))
      guard !desk.givesUp, let shortfalls else { return false }
      guard !shortfalls.isEmpty else { return true }
      switch await desk.decide(about: shortfalls) {
      case .again: continue
      case .without:
        for shortfall in shortfalls {
          await hub.note("did not pass the check before the trial: \(shortfall.reason)", of: shortfall.need.sensor)
        }
        return true
      case .end where !isFirst: return false
      case .end: throw SessionError.notStarted
      case nil: throw SessionError.noPlausibleSample(shortfalls)
      }
    }
  }

  // MARK: A trial

  private func perform(
    _ planned: PlannedTrial, _ seed: UInt64, _ place: SessionPlace, _ loaded: LoadedStimulus?, _ equipment: Equipment
  ) async throws -> ConcludedTrial {
    equipment.hub.keepReadings()
    let zero = clock.wallReading()
    var place = place
    place.zero = .nanoseconds(zero.moment.nanoseconds)
    let identifier = TrialIdentifier(time: zero.wall)
    let embeds = studyProtocol.clips?.embed ?? false
    desk.inform(.trialOpens(place))
    if let stimulus = planned.stimulus, let loaded,
      let caveat = Caveat.loudness(
        of: stimulus.clip.name, reached: loaded.reachedLoudness, target: stimulus.music.loudness)
    {
      desk.inform(.caveat(caveat))
    }
    let open = try equipment.results.openTrial(
      identifier: identifier, protocolBytes: setup.study.read.bytes,
      clipToEmbed: embeds ? planned.stimulus?.clip : nil, clock: clock,
      report: { [desk] in desk.inform(.journal($0)) })
    let opening = opening(identifier, zero, seed, place, equipment.speaker?.description)
    open.journal.append(time: .zero, event: .trialOpened(opening))
    let waveforms = try TrialWaveforms(opening, in: open)
    if let stimulus = planned.stimulus, let loaded {
      open.journal.append(
        time: zero.moment.duration(to: clock.now), event: .clipChosen(Self.chosen(stimulus, loaded)))
    }
    let trial = Trial(
      PreparedTrial(
        steps: studyProtocol.steps, stimulus: loaded?.stimulus, sensors: setup.recorders.names,
        isUnattended: setup.isUnattended, phrases: setup.phrases),
      zero: zero.moment, clock: clock, speaker: equipment.speaker, hub: equipment.hub, journal: open.journal,
      waveforms: waveforms, presenters: desk.presenters)
    return try await desk.perform(trial, at: place) { end, isKept in
      guard isKept else {
        try await open.discard()
        return ConcludedTrial(end: end, bundle: nil)
      }
      return ConcludedTrial(end: end, bundle: try await close(open, end, zero))
    }
  }

  /// What the head of the journal says.
  private func opening(
    _ trial: TrialIdentifier, _ zero: WallReading, _ seed: UInt64, _ place: SessionPlace,
    _ speaker: SpeakerDescription?
  ) -> TrialOpening {
    var facts = speaker?.facts
    facts?.isNamed = setup.speaker.sinkName != nil
    let head = TrialHead(
      trial: trial.description,
      studyProtocol: ProtocolReference(
        identifier: studyProtocol.identifier, version: studyProtocol.version,
        sha256: "\(SHA256.digest(of: setup.study.read.bytes))"),
      participant: setup.participant, session: setup.session, place: place, language: setup.language.rawValue,
      seed: seed,
      zero: CalendarReading(zero, since: zero.moment), station: setup.station,
      speaker: facts,
      isUnattended: setup.isUnattended, thresholds: studyProtocol.verdict)
    return TrialOpening(head: head, recorders: setup.recorders.recorders)
  }

  /// What the journal says about the clip.
  private static func chosen(_ stimulus: PlannedStimulus, _ loaded: LoadedStimulus) -> ChosenClip {
    ChosenClip(
      step: stimulus.step, clip: stimulus.clip, draw: stimulus.draw, requested: stimulus.music.active.stepDuration,
      gain: loaded.gain, loudness: loaded.loudness?.integrated, truePeak: loaded.loudness?.truePeak,
      target: stimulus.music.loudness, warnings: loaded.warnings)
  }

  // MARK: After the trial

  private func close(_ open: OpenTrial, _ end: TrialEnd, _ zero: WallReading) async throws -> Bundle {
    let now = clock.wallReading()
    open.journal.append(
      time: zero.moment.duration(to: clock.now),
      event: .trialClosed(
        TrialClosing(outcome: end.outcome, reason: end.reason, calendar: .init(now, since: zero.moment))))
    return try Bundle(await finish(open))
  }

  /// Makes the bundle; as long as records are nowhere but in memory it waits for room on the disk, until the operator
  /// gives them up.
  private func finish(_ open: OpenTrial) async throws -> String {
    while true {
      do {
        return try await open.finish()
      } catch BundleError.unwritten(let trial, let count, let error) {
        guard !desk.givesUp else { throw SessionError.recordsLost(trial: trial, count: count, error) }
        desk.inform(.awaitsRoom(records: count))
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
    case .stopped: .stopped
    case .failed: .failed
    }
  }

  fileprivate var reason: String? {
    switch self {
    case .completed: nil
    case .stopped: "the operator ended it"
    case .failed(let reason): reason
    }
  }
}
