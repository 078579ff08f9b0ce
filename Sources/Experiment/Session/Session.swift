import Basics
package import Bundles
package import Quantities
import Sound
import Study

/// One visit of a participant: opens sensors and sound server, performs a trial, and makes its bundle.
///
/// It is made from values, so that a command, a rehearsal or a test can run one.
package struct Session: Sendable {
  private let setup: SessionSetup
  private let desk: any SessionOperator
  private let clock: any StationClock

  /// How long a sensor may take to answer before the trial is refused.
  private static let sensorPatience = Duration.seconds(15)

  /// How often a bundle is tried again while the disk has no room for it.
  private static let roomPatience = Duration.seconds(1)

  private var studyProtocol: StudyProtocol { setup.study.studyProtocol }

  /// A session of this setup, run by this operator.
  package init(_ setup: SessionSetup, operator desk: any SessionOperator, clock: any StationClock = MonotonicClock()) {
    self.setup = setup
    self.desk = desk
    self.clock = clock
  }

  /// Recovers what a crash left, opens what the protocol needs, and performs the trial.
  ///
  /// - Returns: the trial's bundle; `nil` for a trial that was discarded.
  /// - Throws: ``SessionError``, or what keeps the folder, the speaker or the clip from being used.
  package func run() async throws -> Bundle? {
    let results = ResultsFolder(setup.results)
    try results.check()
    try results.awaitTurn()
    desk.inform(.recovered(try results.recover().filter { $0.fate != .running }))

    let plan = Plan.make(
      for: studyProtocol, clips: setup.study.clips, seed: setup.seed ?? .random(in: 0...Draw.largestSeed))
    let loaded = try await load(plan.stimulus)
    let speaker = try await openSpeaker(for: loaded?.stimulus)
    let hub = try SensorHub(setup.recorders.sensors, clock: clock)
    do {
      let bundle = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await hub.run() }
        defer { group.cancelAll() }
        try await awaitSensors(hub)
        try await checkSensors(hub)
        return try await perform(plan, loaded, speaker, hub, into: results)
      }
      await speaker?.close()
      return bundle
    } catch {
      await speaker?.close()
      throw error
    }
  }

  // MARK: Before the trial

  private func load(_ stimulus: PlannedStimulus?) async throws -> LoadedStimulus? {
    guard let stimulus else { return nil }
    let loaded = try await StimulusLoader().loaded(stimulus.clip, for: stimulus.music)
    let caveat = Caveat.loudness(
      of: stimulus.clip.name, reached: loaded.reachedLoudness, target: stimulus.music.loudness)
    if let caveat { desk.inform(.caveat(caveat)) }
    return loaded
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
  private func checkSensors(_ hub: SensorHub) async throws {
    let limit = setup.checksSensors ? studyProtocol.sensorCheck : .zero
    guard limit > .zero else { return }
    let needs = setup.recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
    while true {
      desk.inform(.awaitsSamples(true))
      let shortfalls = await SensorCheck(needs, within: limit).run(hub)
      desk.inform(.awaitsSamples(false))
      guard !shortfalls.isEmpty else { return }
      switch await desk.decide(about: shortfalls) {
      case .again: continue
      case .without:
        for shortfall in shortfalls {
          await hub.note("did not pass the check before the trial: \(shortfall.reason)", of: shortfall.need.sensor)
        }
        return
      case .end: throw SessionError.notStarted
      case nil: throw SessionError.noPlausibleSample(shortfalls)
      }
    }
  }

  // MARK: The trial

  private func perform(
    _ plan: Plan, _ loaded: LoadedStimulus?, _ speaker: PulseSpeaker?, _ hub: SensorHub, into results: ResultsFolder
  ) async throws -> Bundle? {
    hub.keepReadings()
    let zero = clock.wallReading()
    let identifier = TrialIdentifier(time: zero.wall)
    let embeds = studyProtocol.clips?.embed ?? false
    desk.inform(.trialOpens)
    let open = try results.openTrial(
      identifier: identifier, protocolBytes: setup.study.read.bytes, clipToEmbed: embeds ? plan.stimulus?.clip : nil,
      clock: clock, report: { [desk] in desk.inform(.journal($0)) })
    open.journal.append(time: .zero, event: .trialOpened(opening(identifier, zero, plan, speaker?.description)))
    if let stimulus = plan.stimulus, let loaded {
      open.journal.append(
        time: zero.moment.duration(to: clock.now), event: .clipChosen(Self.chosen(stimulus, loaded)))
    }
    let trial = Trial(
      PreparedTrial(
        steps: studyProtocol.steps, stimulus: loaded?.stimulus, sensors: setup.recorders.names,
        isUnattended: setup.isUnattended, phrases: setup.phrases),
      zero: zero.moment, clock: clock, speaker: speaker, hub: hub, journal: open.journal, presenters: desk.presenters)
    return try await desk.perform(trial) { end, isKept in
      guard isKept else {
        try await open.discard()
        return nil
      }
      return try await close(open, end, zero)
    }
  }

  /// What the head of the journal says.
  private func opening(
    _ trial: TrialIdentifier, _ zero: WallReading, _ plan: Plan, _ speaker: SpeakerDescription?
  ) -> TrialOpening {
    var facts = speaker?.facts
    facts?.isNamed = setup.speaker.sinkName != nil
    let head = TrialHead(
      trial: trial.description,
      studyProtocol: ProtocolReference(
        identifier: studyProtocol.identifier, version: studyProtocol.version,
        sha256: "\(SHA256.digest(of: setup.study.read.bytes))"),
      participant: setup.participant, session: setup.session, seed: plan.seed,
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
