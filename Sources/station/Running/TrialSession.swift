import Basics
import Bundles
import Experiment
import Quantities
import Sound
import Study

/// One run of `station run`: what must stand before the trial, the trial, and its bundle.
struct TrialSession: Sendable {
  let command: RunCommand
  let study: LoadedStudy
  let recorders: AssignedSensors
  let console: Console
  /// Who takes interrupts; it was started before the study was read.
  let interrupts: InterruptRouter
  let clock = MonotonicClock()

  /// How long a sensor may take to answer before the trial is refused.
  static let sensorPatience = Duration.seconds(15)

  func run() async throws -> ExitStatus {
    // From here on nothing waits for the terminal.
    console.decouple()
    let inhibitor = SessionInhibitor { [console] reason in
      console.complain("the computer may fall asleep during the session: \(reason)")
    }
    defer { inhibitor.release() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await interrupts.run() }
      defer { group.cancelAll() }
      return try await prepareAndRun()
    }
  }

  private func prepareAndRun() async throws -> ExitStatus {
    let results = ResultsFolder(command.results)
    try results.check()
    try results.awaitTurn()
    RecoverCommand.tell(try results.recover().filter { $0.fate != .running })

    let plan = Plan.make(
      for: study.studyProtocol, clips: study.clips, seed: command.seed ?? .random(in: 0...Draw.largestSeed))
    var loaded: LoadedStimulus?
    if let stimulus = plan.stimulus { loaded = try await StimulusLoader().loaded(stimulus.clip, for: stimulus.music) }
    if let stimulus = plan.stimulus,
      let caveat = Caveat.loudness(
        of: stimulus.clip.name, reached: loaded?.reachedLoudness, target: stimulus.music.loudness)
    {
      console.line("note: \(caveat)")
    }
    let speaker = try await openSpeaker(for: loaded?.stimulus)
    let hub = try SensorHub(recorders.sensors, clock: clock)
    let bundle: Bundle?
    do {
      bundle = try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await hub.run() }
        defer { group.cancelAll() }
        try await awaitSensors(hub)
        try await checkSensors(hub)
        return try await run(plan, loaded, speaker, hub, into: results)
      }
    } catch {
      await speaker?.close()
      throw error
    }
    await speaker?.close()
    guard let bundle else { return .failed }
    await store(bundle)
    return bundle.record.verdict == .good ? .done : .suspect
  }

  // MARK: Before the trial

  private func openSpeaker(for stimulus: Stimulus?) async throws -> PulseSpeaker? {
    let signals = study.studyProtocol.steps.contains {
      $0.active.map { $0.shouldPlaySoundOnStart || $0.shouldPlaySoundOnFinish } ?? false
    }
    guard stimulus != nil || signals else { return nil }
    let speaker = try await command.speaker.open(outputLatency: command.outputLatency)
    if let stimulus { try await speaker.prepare(stimulus.format) }
    for note in speaker.description.notes { console.line("note: \(note)") }
    return speaker
  }

  private func awaitSensors(_ hub: SensorHub) async throws {
    await hub.settle(within: Self.sensorPatience)
    guard let (name, reason) = hub.missing.min(by: { $0.key < $1.key }) else { return }
    throw Failure("cannot record from the sensor “\(name)”: \(reason); see that it is on and in reach, and try again")
  }

  // MARK: The trial

  /// Runs the trial; its bundle, or `nil` where it was discarded.
  private func run(
    _ plan: Plan, _ loaded: LoadedStimulus?, _ speaker: PulseSpeaker?, _ hub: SensorHub, into results: ResultsFolder
  ) async throws -> Bundle? {
    hub.keepReadings()
    let zero = clock.wallReading()
    let identifier = TrialIdentifier(time: zero.wall)
    let embeds = study.studyProtocol.clips?.embed ?? false
    let trouble = JournalTrouble(console: console)
    interrupts.trialOpens()
    let open = try results.openTrial(
      identifier: identifier, protocolBytes: study.read.bytes, clipToEmbed: embeds ? plan.stimulus?.clip : nil,
      clock: clock, report: { trouble.report($0) })
    open.journal.append(
      time: .zero, event: .trialOpened(opening(identifier, zero, plan, speaker?.description)))
    if let stimulus = plan.stimulus, let loaded {
      open.journal.append(
        time: zero.moment.duration(to: clock.now), event: .clipChosen(chosen(stimulus, loaded)))
    }

    let participant = showsParticipant ? ParticipantPresenter(console: console, phrases: phrases) : nil
    let trial = Trial(
      PreparedTrial(
        steps: study.studyProtocol.steps, stimulus: loaded?.stimulus,
        sensors: recorders.names, isUnattended: command.isUnattended, phrases: phrases),
      zero: zero.moment, clock: clock, speaker: speaker, hub: hub, journal: open.journal,
      presenters: Presenters(participant ?? operatorPresenter))
    let control = TrialControl(
      trial, console: console, canAsk: console.isTerminal && Keyboard.isTerminal && !command.isUnattended)
    await interrupts.trialBegins(control)

    defer { console.leaveScreen() }
    return try await Keyboard.unbuffered {
      try await withThrowingTaskGroup(of: Void.self) { group in
        if !command.isUnattended {
          group.addTask { for await key in Keyboard.keys() { await control.take(key) } }
        }
        defer { group.cancelAll() }
        let (end, decision) = (await trial.run(), await control.decision())
        console.show(status: "")
        guard decision == .keep else {
          try await open.discard()
          return nil
        }
        interrupts.trialIsOver()
        let endBell = Bell()
        if end == .completed, let participant {
          await control.awaitEnd(endBell)
          participant.showEnd()
        }
        let bundle = try await close(open, end, zero)
        if end == .completed, participant != nil { await waitForOperator(endBell) }
        summarize(bundle, end)
        return bundle
      }
    }
  }

  private var phrases: Phrases { study.studyProtocol.phrases }

  private var showsParticipant: Bool {
    study.studyProtocol.display == .participant && console.canRedraw && !command.isUnattended
  }

  private var operatorPresenter: any Presenter {
    console.canRedraw ? TerminalPresenter(console: console) : LinePresenter(console: console)
  }

  /// Leaves the end on the participant's screen until the operator comes.
  private func waitForOperator(_ bell: Bell) async {
    interrupts.ring(bell)
    _ = await bell.wait()
  }

  // MARK: After the trial

  private func close(_ open: OpenTrial, _ end: TrialEnd, _ zero: WallReading) async throws -> Bundle {
    let now = clock.wallReading()
    open.journal.append(
      time: zero.moment.duration(to: clock.now),
      event: .trialClosed(
        TrialClosing(outcome: Outcome(end), reason: end.reason, calendar: .init(now, since: zero.moment))))
    return try Bundle(await finish(open))
  }

  private func summarize(_ bundle: Bundle, _ end: TrialEnd) {
    console.leaveScreen()
    console.line()
    for line in BundleSummary(bundle).lines { console.line(line) }
    if case .failed(let reason) = end { console.complain("the trial failed: \(reason)") }
  }

  /// Makes the bundle; as long as records are nowhere but in memory it waits for room on the disk, until an interrupt
  /// gives them up.
  private func finish(_ open: OpenTrial) async throws -> String {
    var hasTold = false
    while true {
      do {
        return try await open.finish()
      } catch BundleError.unwritten(let trial, let count, let error) {
        guard !interrupts.givesUp else {
          throw Failure(
            "\(error); \(count.counted("record")) of trial \(trial) \(count == 1 ? "was" : "were") only in memory and \(count == 1 ? "is" : "are") lost; “station recover” makes a "
              + "bundle of the others when there is room")
        }
        if !hasTold {
          console.leaveScreen()
          console.complain(
            "the trial is over, but \(count.counted("record is", "records are")) only in memory: make room on the disk of “\(command.results.visible)”; "
              + "Ctrl-C gives them up")
        }
        hasTold = true
        try await clock.sleep(for: .seconds(1))
      }
    }
  }
}

extension Outcome {
  fileprivate init(_ end: TrialEnd) {
    switch end {
    case .completed: self = .completed
    case .stopped: self = .stopped
    case .failed: self = .failed
    }
  }
}

extension TrialEnd {
  fileprivate var reason: String? {
    switch self {
    case .completed: nil
    case .stopped: "the operator ended it"
    case .failed(let reason): reason
    }
  }
}
