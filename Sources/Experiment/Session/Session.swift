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

    let (plan, progress) = try plan(in: results)
    let left = plan.trials.filter { progress?.trialsLeft.contains($0.number) ?? true }
    let first = try await left.firstStimulus?.loaded()
    let speaker = try await openSpeaker(for: first?.stimulus)
    let equipment = SessionEquipment(
      results: results, hub: try SensorHub(setup.recorders.sensors, clock: clock), speaker: speaker,
      followers: FollowerQueue(followers), clock: clock)
    let outcome: SessionOutcome
    do {
      outcome = try await desk.attend { try await perform(plan, progress, first, equipment) }
    } catch {
      await speaker?.close()
      await desk.awaitFollowers(equipment.followers)
      throw error
    }
    await speaker?.close()
    await desk.awaitFollowers(equipment.followers)
    return outcome
  }

  private func perform(
    _ plan: Plan, _ progress: SessionProgress?, _ first: LoadedStimulus?, _ equipment: SessionEquipment
  ) async throws -> SessionOutcome {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await equipment.hub.run() }
      defer { group.cancelAll() }
      try await awaitSensors(equipment.hub)
      return try await SessionRun(setup, plan, equipment, operator: desk, progress: progress, first: first)
        .perform()
    }
  }

  /// Plans the session, and finds out what is left of it.
  private func plan(in results: ResultsFolder) throws -> (Plan, SessionProgress?) {
    let studyProtocol = setup.study.studyProtocol
    guard studyProtocol.hasTrials else { return (try setup.plan(), nil) }
    let sessions = try results.sessions(of: setup.participant, in: studyProtocol.identifier)
    let reference = setup.protocolReference
    guard setup.resumes else {
      var begun = setup
      begun.place.session = try number(after: sessions)
      let plan = try begun.plan()
      let now = clock.wallReading().wall
      let record = SessionRecord(
        session: TrialIdentifier(time: now).description, studyProtocol: reference,
        participant: setup.participant, startDate: now, plan: plan)
      return (plan, SessionProgress(record, plan, in: results))
    }
    guard let record = sessions.last, record.state != .completed else {
      throw SessionError.nothingToResume(participant: setup.participant)
    }
    var resumed = setup
    resumed.seed = record.seed
    resumed.place = PlanPlace(index: record.index, group: record.group, session: record.number)
    let plan = try resumed.plan()
    return (plan, try SessionProgress(resuming: record, plan, of: reference, in: results))
  }

  /// The number of the session that begins: the one that was given, or the next one.
  private func number(after sessions: [SessionRecord]) throws -> Int {
    if let number = Int(setup.session ?? "") { return number }
    if let last = sessions.last, last.state != .completed {
      throw SessionError.unfinished(
        participant: setup.participant, session: last.number, done: last.trialsDone.count, of: last.plan.count)
    }
    let number = (sessions.map(\.number).max() ?? 0) + 1
    let planned = setup.study.studyProtocol.sessions
    guard number <= planned else {
      throw SessionError.participantIsDone(participant: setup.participant, sessions: planned)
    }
    return number
  }

  private func openSpeaker(for stimulus: Stimulus?) async throws -> PulseSpeaker? {
    let hasTones = setup.study.studyProtocol.allSteps.contains {
      $0.step.active.map { $0.shouldPlaySoundOnStart || $0.shouldPlaySoundOnFinish } ?? false
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
}

/// What is open as long as a session lasts.
struct SessionEquipment: Sendable {
  let results: ResultsFolder
  let hub: SensorHub
  let speaker: PulseSpeaker?
  let followers: FollowerQueue
  let clock: any StationClock
}

extension [PlannedTrial] {
  /// The first stimulus that any of the trials plays.
  var firstStimulus: PlannedStimulus? { lazy.compactMap(\.stimulus).first }
}

extension PlannedStimulus {
  /// The stimulus decoded and shaped.
  func loaded() async throws -> LoadedStimulus { try await StimulusLoader().loaded(clip, for: music) }
}
