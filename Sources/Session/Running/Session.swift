import Basics
import Bundles
import Laboratory
import Quantities
import Sound
import Study

/// One visit of a participant: opens sensors and sound server once, and performs the trials of its plan and the steps around
/// them, each with its own bundle.
///
/// Commands, rehearsals and tests run the same session.
package actor Session {
  let setup: SessionSetup
  let sessionOperator: any SessionOperator
  let environment: SessionEnvironment
  let archive: any SessionArchive
  /// The plan and the progress of an enrolled participant; `nil` for a single trial that enrols no one.
  private let enrolled: EnrolledSession?
  let plan: Plan
  /// How long the active steps last from each trial to the end.
  let durationsLeft: [Duration]
  let identifier: String
  let hub: SensorHub
  let outputs: SessionOutputs
  /// Rendered speech, by its text.
  let speech: [String: Speech]
  let followers: FollowerQueue
  /// The heartbeats that sounds follow.
  let heartbeats = HeartLockMemory()
  /// The record of what was done; `nil` for a single trial that enrols no one.
  private(set) var progress: SessionProgress?
  var outcome: SessionOutcome
  /// The next stimulus to be played, decoded.
  var next: LoadedStimulus?
  /// The error that ended the trials inside the session's own steps.
  private var failure: (any Error)?
  /// Whether the sensors have been checked; a later check that fails ends the session rather than refusing it.
  var hasCheckedSensors = false
  /// Whether something of it may be recorded.
  private var hasBegun = false
  /// The gain that the participant has chosen, in this part of the session or before it was resumed.
  private(set) var volume: Double?

  nonisolated var clock: any StationClock { environment.clock }

  /// How long a sensor may take to answer before the session is refused.
  private static let sensorPatience = Duration.seconds(15)

  /// Recovers what a crash left, opens what the protocol needs, and performs the trials.
  ///
  /// The session ends after a trial that was stopped or failed, and where the operator gives up between two trials.
  ///
  /// - Parameters:
  ///   - setup: what the session does.
  ///   - sessionOperator: who runs it.
  ///   - followers: process each bundle after its verdict is shown, while the next trial runs.
  ///   - environment: what it takes from the computer.
  /// - Returns: what came of the trials.
  /// - Throws: `SessionError`, `PlanError`, or what keeps the folder, the speaker or a clip from being used; bundles that
  ///   were made before remain.
  package static func run(
    _ setup: SessionSetup, operator sessionOperator: any SessionOperator, followers: [any BundleFollower] = [],
    environment: SessionEnvironment = .here
  ) async throws -> SessionOutcome {
    let clock = environment.clock
    let speech = try await clock.hold { try await setup.study.speech(in: setup.language, by: environment.speak) }
    let archive = environment.archive(setup.results)
    if !environment.isSimulated { try await SimulationRefusal.checkForSession(ResultsFolder(setup.results)) }
    let holder = SessionHolder.here(
      participant: setup.participant, study: setup.study.studyProtocol.identifier, since: clock.wallReading().wall)
    let (claim, recovered) = try archive.begin(holder)
    sessionOperator.watcher?.begin(at: claim?.socket)
    defer {
      sessionOperator.watcher?.end()
      claim?.end()
    }
    sessionOperator.inform(.recovered(recovered))
    let session = try await Session(opening: setup, sessionOperator, followers, environment, archive, speech)
    do {
      let outcome = try await sessionOperator.attend {
        // The next session need not wait for the followers of this one.
        defer {
          sessionOperator.watcher?.end()
          claim?.end()
        }
        return try await session.performBesideSensors()
      }
      await session.close()
      return outcome
    } catch {
      await session.close()
      throw error
    }
  }

  /// Enrols the participant where the study does that, and opens sensors and outputs.
  private init(
    opening setup: SessionSetup, _ sessionOperator: any SessionOperator, _ followers: [any BundleFollower],
    _ environment: SessionEnvironment, _ archive: any SessionArchive, _ spoken: [String: Speech]
  ) async throws {
    let clock = environment.clock
    let enrolled = try await clock.hold {
      try await EnrolledSession.make(setup, in: archive, environment, at: clock.wallReading().wall)
    }
    let (plan, speech): (Plan, [String: Speech])
    do {
      plan = try enrolled?.plan ?? setup.plan()
      guard !setup.isUnattended || !plan.asksForConsent else { throw SessionError.consentNeedsParticipant }
      speech = try await clock.hold { try await setup.speech(of: plan, besides: spoken, by: environment.speak) }
      let first = plan.stimulus(from: 1) { enrolled?.progress.trialsLeft.contains($0) ?? true }
      next = try await environment.loaded(first, for: setup)
      hub = try SensorHub(setup.recorders.sensors, clock: clock, on: environment.isSimulated ? nil : SampleExecutor())
      outputs = try await SessionOutputs.open(
        for: setup, stimulus: next?.stimulus, speaks: !speech.isEmpty, sessionOperator, environment)
    } catch {
      await clock.hold { await enrolled?.undoEnrolment() }
      throw error
    }
    self.setup = setup
    self.sessionOperator = sessionOperator
    self.environment = environment
    self.archive = archive
    self.enrolled = enrolled
    self.plan = plan
    durationsLeft = plan.durationsLeft
    self.speech = speech
    self.followers = FollowerQueue(followers)
    progress = enrolled?.progress
    volume = enrolled?.progress.record.volume
    identifier = enrolled?.progress.record.session ?? environment.identify(clock.wallReading().wall).description
    outcome = SessionOutcome(planned: enrolled?.progress.trialsLeft.count ?? plan.trials.count)
  }

  /// Closes the outputs, and waits for the followers as long as the operator lets it.
  private func close() async {
    await outputs.close()
    await clock.hold {
      if !hasBegun { await enrolled?.undoEnrolment() }
      await sessionOperator.awaitFollowers(followers)
    }
  }

  /// Performs the plan as soon as every sensor has answered.
  private func performBesideSensors() async throws -> SessionOutcome {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.hub.run() }
      defer { group.cancelAll() }
      if let watcher = sessionOperator.watcher {
        watcher.see(.planned(head))
        await hub.listen { watcher.see(.heard($0, $1.shown)) }
      }
      if sessionOperator.awaitsStart { try await awaitStart() } else { try await awaitSensors() }
      return try await perform()
    }
  }

  private func awaitSensors() async throws {
    await hub.settle(within: Self.sensorPatience)
    if let (name, reason) = hub.missing.min(by: { $0.key < $1.key }) {
      throw SessionError.sensorMissing(name, reason: reason)
    }
  }

  /// Performs the whole plan, until the end or until it is stopped.
  private func perform() async throws -> SessionOutcome {
    if let progress {
      try await performEnrolled(progress)
    } else {
      _ = try await performTrials(plan.trials.map(\.number))
    }
    if outcome.trials < outcome.planned, plan.trials.count > 1 {
      sessionOperator.inform(.endedEarly(after: outcome.trials, of: outcome.planned))
    }
    return outcome
  }

  /// Performs what is left of the session of an enrolled participant, and notes it in its record and the participants' list.
  private func performEnrolled(_ left: SessionProgress) async throws {
    guard try await checkSensors() else { return }
    if !setup.resumes { try await clock.hold { try await enrolled?.begin(setup) } }
    hasBegun = true
    sessionOperator.inform(.begins)
    try progress?.begin()
    let ending =
      setup.study.studyProtocol.hasTrials
      ? try await performAround(left) : await performInside(left.trialsLeft.sorted())
    do {
      // The protocol's rules, or a participant who does not consent, may end it before the last trial.
      let isComplete = ending == .completed || ending == .declined
      if isComplete { outcome.planned = outcome.trials }
      try progress?.end(isComplete: isComplete)
      // If the participants' list cannot be written, the session's record still holds the end.
      if let record = progress?.record {
        let now = clock.wallReading().wall
        try await clock.hold { try await enrolled?.end(record, at: now) }
      }
    } catch {
      sessionOperator.inform(.sessionNotWritten("\(error)"))
    }
    if let failure { throw failure }
  }

  /// Performs the session's own steps, which have the trials inside of them.
  private func performAround(_ left: SessionProgress) async throws -> TrialEnd {
    let concluded = try await perform(.around(left.steps(of: plan), after: left.course)) { identifier in
      note(.init(bundle: identifier.description, number: nil, steps: left.stepsLeft))
    }
    outcome.around = concluded.record?.verdict
    return concluded.end
  }

  /// Performs trials and returns how the last one ended; an error is kept, and thrown after the session's own steps.
  func performInside(_ numbers: [Int]) async -> TrialEnd {
    do {
      return try await performTrials(numbers)
    } catch {
      failure = error
      return .failed(reason: "\(error)")
    }
  }

  /// What is known of it before it begins.
  private var head: SessionHead {
    SessionHead(
      session: identifier, studyProtocol: setup.study.reference, participant: setup.participant,
      number: setup.session ?? "\(plan.place.session)", language: setup.phrases.tag, isUnattended: setup.isUnattended,
      plan: plan, sensors: setup.recorders.names)
  }

  func place(of number: Int?) -> SessionPlace {
    SessionPlace(run: identifier, trial: number, trials: plan.trials.count, boot: environment.boot, zero: .zero)
  }

  /// Keeps the gain that the participant has chosen.
  func choose(volume gain: Double) {
    volume = gain
    write { progress in try progress.choose(volume: gain) }
  }

  /// Notes a part of the session.
  func note(_ part: SessionRecord.Performed) { write { progress in try progress.add(part) } }

  /// Changes the session's record; where that cannot be written the bundles still say it.
  private func write(_ change: (inout SessionProgress) throws -> Void) {
    guard var progress else { return }
    defer { self.progress = progress }
    do {
      try change(&progress)
    } catch {
      sessionOperator.inform(.sessionNotWritten("\(error)"))
    }
  }
}

extension SessionSetup {
  /// Renders every text that the steps of a plan speak, drawn durations included.
  ///
  /// - Parameters:
  ///   - plan: the plan.
  ///   - spoken: what was spoken already, by its text.
  ///   - speak: speaks a text.
  /// - Returns: the speech, by its text.
  /// - Throws: `SpeechError`.
  fileprivate func speech(
    of plan: Plan, besides spoken: [String: Speech], by speak: SpeechRenderer
  ) async throws -> [String: Speech] {
    var speech = spoken
    for step in plan.steps + plan.trials.flatMap(\.steps) {
      for (_, text) in step.active?.speech(phrases) ?? [] where speech[text] == nil {
        speech[text] = try await speak(text, phrases.tag)
      }
    }
    return speech
  }
}

extension SessionEnvironment {
  /// The sound of a planned stimulus; `nil` where there is none.
  func loaded(_ stimulus: PlannedStimulus?, for setup: SessionSetup) async throws -> LoadedStimulus? {
    guard let stimulus else { return nil }
    return try await load(stimulus, setup.needsLoudness)
  }
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
