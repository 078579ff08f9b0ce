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

    let entry = try await SessionEntry.make(setup, in: results, at: clock.wallReading().wall)
    let (plan, progress) = (try entry?.plan ?? setup.plan(), entry?.progress)
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
    if let entry { await end(entry, in: results) }
    return outcome
  }

  /// Tells the participants' list how the session ended; where that is not possible its record still says it.
  private func end(_ entry: SessionEntry, in results: ResultsFolder) async {
    do {
      try await entry.end(results.session(entry.progress.record.session), at: clock.wallReading().wall)
    } catch {
      desk.inform(.sessionNotWritten("\(error)"))
    }
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
