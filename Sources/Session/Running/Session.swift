import Bundles
import Laboratory
import Quantities
import Sound
import Study

/// One visit of a participant: opens sensors and sound server once, performs the trials of its plan, and makes their bundles.
///
/// It is made from values, so that a command, a rehearsal or a test can run one.
package struct Session: Sendable {
  private let setup: SessionSetup
  private let sessionOperator: any SessionOperator
  private let followers: [any BundleFollower]
  private let environment: SessionEnvironment
  private var clock: any StationClock { environment.clock }

  /// How long a sensor may take to answer before the session is refused.
  private static let sensorPatience = Duration.seconds(15)

  /// A session of this setup, run by this operator.
  ///
  /// - Parameters:
  ///   - setup: what it does.
  ///   - sessionOperator: who runs it.
  ///   - followers: what is done with each bundle after its verdict was shown, beside the next trial.
  ///   - environment: what it takes from the computer.
  package init(
    _ setup: SessionSetup, operator sessionOperator: any SessionOperator, followers: [any BundleFollower] = [],
    environment: SessionEnvironment = .here
  ) {
    self.setup = setup
    self.sessionOperator = sessionOperator
    self.followers = followers
    self.environment = environment
  }

  /// Recovers what a crash left, opens what the protocol needs, and performs the trials.
  ///
  /// It ends after a trial that was stopped or failed, and where the operator gives up between two trials.
  ///
  /// - Returns: what came of the trials.
  /// - Throws: ``SessionError``, `PlanError`, or what keeps the folder, the speaker or a clip from being used; bundles that
  ///   were made before remain.
  package func run() async throws -> SessionOutcome {
    var speech = try await clock.hold { try await setup.study.speech(in: setup.language, by: environment.speak) }
    let archive = environment.archive(setup.results)
    if !environment.isSimulated { try SimulationRefusal.checkForSession(ResultsFolder(setup.results)) }
    let (claim, recovered) = try archive.begin(
      .here(
        participant: setup.participant, study: setup.study.studyProtocol.identifier, since: clock.wallReading().wall))
    defer { claim?.end() }
    sessionOperator.inform(.recovered(recovered))

    let entry = try await clock.hold {
      try await SessionEntry.make(setup, in: archive, environment, at: clock.wallReading().wall)
    }
    let plan = try entry?.plan ?? setup.plan()
    guard !setup.isUnattended || !plan.asksForConsent else { throw SessionError.consentNeedsParticipant }
    try await clock.hold { try await addSpeech(of: plan, to: &speech) }
    let first = try await load(plan.stimulus(from: 1) { entry?.progress.trialsLeft.contains($0) ?? true })
    let (speaker, markers) = try await openOutputs(for: first?.stimulus, speaks: !speech.isEmpty)
    defer { markers.close() }
    let equipment = SessionEquipment(
      archive: archive,
      hub: try SensorHub(
        setup.recorders.sensors, clock: clock, on: environment.isSimulated ? nil : SampleExecutor()),
      speaker: speaker,
      markers: markers, speech: speech, followers: FollowerQueue(followers), environment: environment)
    let outcome: SessionOutcome
    do {
      outcome = try await sessionOperator.attend {
        // The next session need not wait for the followers of this one.
        defer { claim?.end() }
        return try await perform(plan, entry, first, equipment)
      }
    } catch {
      await speaker?.close()
      await clock.hold { await sessionOperator.awaitFollowers(equipment.followers) }
      throw error
    }
    await speaker?.close()
    await clock.hold { await sessionOperator.awaitFollowers(equipment.followers) }
    return outcome
  }

  private func perform(
    _ plan: Plan, _ entry: SessionEntry?, _ first: LoadedStimulus?, _ equipment: SessionEquipment
  ) async throws -> SessionOutcome {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await equipment.hub.run() }
      defer { group.cancelAll() }
      try await awaitSensors(equipment.hub)
      return try await SessionRun(setup, plan, equipment, operator: sessionOperator, entry: entry, first: first)
        .perform()
    }
  }

  private func load(_ stimulus: PlannedStimulus?) async throws -> LoadedStimulus? {
    guard let stimulus else { return nil }
    return try await environment.load(stimulus, setup.needsLoudness)
  }

  /// Adds what the steps of drawn durations say.
  private func addSpeech(of plan: Plan, to speech: inout [String: Speech]) async throws {
    for step in plan.steps + plan.trials.flatMap(\.steps) {
      for (_, text) in step.active?.speech(setup.phrases) ?? [] where speech[text] == nil {
        speech[text] = try await environment.speak(
          text, setup.phrases.tag)
      }
    }
  }

  /// Opens the speaker, where there is something to play, and the outputs of markers.
  private func openOutputs(
    for stimulus: Stimulus?, speaks: Bool
  ) async throws -> (speaker: (any Speaker)?, markers: MarkerOutputs) {
    let study = setup.study
    let speaker = try await openSpeaker(plays: stimulus != nil || speaks || setup.playsNoise)
    var markers = MarkerOutputs()
    do {
      markers = try await MarkerOutputs.open(
        setup.markers, for: study.studyProtocol, clips: study.clips, speaker: speaker)
      let notes = try await markers.unreceived(after: Self.patience, on: clock).map(MarkerOutputs.note(ofUnreceived:))
      guard let speaker else {
        sessionOperator.inform(.outputs(notes))
        return (nil, markers)
      }
      for format in formats(of: stimulus, speaks: speaks) {
        try await sessionOperator.prepare(speaker, for: markers.format(of: format))
      }
      sessionOperator.inform(.outputs(speaker.description.notes + setup.levelNotes(on: speaker) + notes))
      return (speaker, markers)
    } catch {
      markers.close()
      await speaker?.close()
      throw error
    }
  }

  /// The formats of all that is played, the stimulus's first: to open one in the middle of a trial can take seconds.
  private func formats(of stimulus: Stimulus?, speaks: Bool) -> [SoundFormat] {
    let main = stimulus?.format ?? PreparedSpeech.format
    var formats = [main]
    if speaks { formats.append(PreparedSpeech.format) }
    if setup.playsNoise { formats.append(SoundFormat(sampleRate: main.sampleRate, channels: 2)) }
    return formats
  }

  /// How long the session waits for programs that receive its streams of markers.
  private static let patience = Duration.seconds(5)

  private func openSpeaker(plays: Bool) async throws -> (any Speaker)? {
    let hasTones = setup.study.studyProtocol.allSteps.contains {
      $0.step.active.map { $0.shouldPlaySoundOnStart || $0.shouldPlaySoundOnFinish } ?? false
    }
    guard plays || hasTones else { return nil }
    let speaker = try await environment.openSpeaker(setup.speaker, setup.outputLatency)
    if setup.study.studyProtocol.allSteps.contains(where: { $0.step.music?.music.onset?.beat == .detected }) {
      speaker.useLowLatency()
    }
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
  let archive: any SessionArchive
  let hub: SensorHub
  let speaker: (any Speaker)?
  /// What other devices are told.
  let markers: MarkerOutputs
  /// What the steps say, by its text.
  let speech: [String: Speech]
  let followers: FollowerQueue
  let environment: SessionEnvironment
  /// The heartbeats that sounds follow.
  let heartbeats = HeartLockMemory()

  var clock: any StationClock { environment.clock }
}

extension Plan {
  /// Whether the participant is asked for consent.
  fileprivate var asksForConsent: Bool { (steps + (trials.first?.steps ?? [])).contains { $0.consent != nil } }

  /// The next stimulus that is played.
  ///
  /// - Parameters:
  ///   - number: the number of the first trial that may play it.
  ///   - isLeft: whether a trial is still to be performed.
  /// - Returns: the stimulus; `nil` if none is left.
  func stimulus(from number: Int, where isLeft: (Int) -> Bool) -> PlannedStimulus? {
    trials.dropFirst(number - 1).first { $0.stimulus != nil && isLeft($0.number) }?.stimulus
  }
}
