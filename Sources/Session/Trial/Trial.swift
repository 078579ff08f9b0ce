import Bundles
package import Quantities
import Sensors
package import Sound
import Study

/// One trial under way: performs what its ``TrialMachine`` decides, and writes down what happens.
///
/// Inputs come from the keyboard, the timers, the speaker and the sensors through one queue, so that the machine sees
/// them one after the other. Readings do not pass through it: they go from the sensor's task straight to the journal,
/// so that a flood of them delays neither sound nor keys.
package actor Trial {
  let prepared: PreparedTrial
  private let clock: any StationClock
  let log: TrialLog
  let presenters: Presenters
  let hub: SensorHub
  let readings: ReadingsRecorder
  private let sound: SoundDirector
  private let markers: TrialMarkers
  private let lock: HeartLock?
  let inbox: TrialInbox
  var machine: TrialMachine
  private var timers: TrialTimers
  /// The step before whose end nothing of the participant is recorded; `nil` for a trial without one.
  let consentStep: Int?
  private var recordersStopped: [AwaitedChannel: Moment] = [:]
  private var settleEnd: Moment?
  /// The step that was left last.
  private var left: Int?
  /// Whether the recorders of the whole trial or session run.
  private var runsRecorders = false

  /// A trial whose times count from `zero`.
  ///
  /// - Parameters:
  ///   - prepared: the steps, the sound and the sensors' names.
  ///   - zero: the trial's zero, a moment that has passed.
  ///   - clock: the clock of sound, sensors and timers.
  ///   - speaker: what plays; `nil` for a trial without sound.
  ///   - hub: the session's sensors; the caller runs it.
  ///   - journal: where events are written; its first record is there already.
  ///   - waveforms: where waveforms are written.
  ///   - presenters: who shows the steps.
  package init(
    _ prepared: PreparedTrial, zero: Moment, clock: any StationClock, speaker: (any Speaker)?, hub: SensorHub,
    journal: any TrialJournal, waveforms: TrialWaveforms = TrialWaveforms(), presenters: Presenters
  ) {
    self.prepared = prepared
    self.clock = clock
    self.presenters = presenters
    self.hub = hub
    let inbox = TrialInbox(clock: clock)
    self.inbox = inbox
    timers = TrialTimers(clock: clock, inbox: inbox)
    machine = TrialMachine(
      steps: prepared.steps, isUnattended: prepared.isUnattended, phrases: prepared.phrases,
      highestNoise: prepared.level.highestNoise, seed: prepared.seed, trial: prepared.trial,
      resuming: prepared.course)
    let log = TrialLog(journal: journal, zero: zero, clock: clock)
    self.log = log
    readings = ReadingsRecorder(log: log, waveforms: waveforms, presenters: presenters, inbox: inbox)
    let done = prepared.course?.done ?? []
    consentStep = prepared.steps.indices.first { prepared.steps[$0].consent != nil && !done.contains($0) }
    if consentStep != nil { readings.refuse() }
    markers = TrialMarkers(marking: prepared.marking, log: log)
    lock = prepared.lock.map { HeartLock($0, prepared.heartbeats, log) }
    sound = SoundDirector(
      speaker: speaker, stimulus: prepared.stimulus, control: prepared.level, lock: lock, log: log, inbox: inbox,
      hub: hub, readings: readings, markers: markers)
  }

  /// Tells the trial that something happened; from anywhere, at any time.
  package nonisolated func send(_ input: TrialInput) { inbox.send(input) }

  /// The time on the trial's clock.
  nonisolated var now: Moment { inbox.clock.now }

  /// Tells the trial that a key was pressed, and waits while it has many of them to take.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - moment: when it was pressed; `nil` for one that counts from now on.
  package nonisolated func press(_ key: OperatorKey, at moment: Moment? = nil) async {
    await inbox.put(key, at: moment)
  }

  /// Runs the trial from its first step to its end, once, and says how it ended.
  ///
  /// End it early with ``OperatorCommand/end``; a cancelled task abandons it where it is.
  package func run() async -> TrialEnd {
    var end = TrialEnd.stopped
    defer { inbox.close() }
    await withDiscardingTaskGroup { group in
      group.addTask { [sound] in await sound.run() }
      let listening = await hub.listen { [readings, lock] sensor, event in
        lock?.hear(sensor, event)
        readings.hear(sensor, event)
      }
      let backlogs = hub.backlogs
      group.addTask { [readings] in await readings.present() }
      if consentStep == nil { startRecorders() }
      markers.trialBegan()
      inbox.send(.begin)
      trial: for await (input, moment) in inbox.inputs {
        inbox.took(input)
        if case .timeUp(let timer) = input { timers.stop(.step(timer)) }
        guard let input = meaning(of: input, at: moment) else { continue }
        for action in machine.handle(input, at: moment) {
          if case .close(let result) = action {
            end = result
            break trial
          }
          await perform(action, in: &group)
        }
        if case .soundStarted(let sound, _) = input, sound.step == machine.step { tell(.sounded, sound.step) }
      }
      await sound.finishTones(within: Self.patience)
      markers.trialEnded()
      await hub.catchUp(within: Self.patience)
      readings.tellDropped(await hub.stopListening(listening))
      readings.tellHeldBack(hub.backlogs, since: backlogs)
      lock?.keep()
      readings.tellSkipped()
      readings.tellDroppedFrames()
      group.cancelAll()
    }
    return end
  }

  /// How long the end of a trial waits for what had arrived, or sounds, already.
  static let patience = Duration.seconds(2)

  private func perform(_ action: TrialAction, in group: inout DiscardingTaskGroup) async {
    switch action {
    case .enter(let step, let hasScreen): enter(step, hasScreen: hasScreen)
    case .show(let screen): presenter(screen.place.number - 1).show(screen)
    case .begin(let step):
      log.append(.stepBegan(step: name(step)))
      markers.began(name(step))
    case .finish(let step):
      log.append(.stepFinished(step: name(step)))
      markers.finished(name(step))
    case .leave(let step, let outcome): leave(step, outcome)
    case .startTimer(let timer, let end):
      timers.startCountdown(
        timer, until: end, ticks: machine.countsSeconds(isShown: presenters.showProgress), in: &group)
    case .stopTimer(let timer): timers.stop(.step(timer))
    case .showRemaining(let step, let remaining): tell(.remaining(remaining), step)
    case .startRecorders(let step, let segment): startRecorders(step, segment)
    case .stopRecorders(let step, let segment): stopRecorders(step, segment)
    case .signal(let step, let signal): give(signal, step)
    case .playTone(let tone, let gain):
      if let signal = tone.kind.signal { give(signal, tone.step) }
      if case .noise(_, let side?) = tone.kind { tell(.noise(side), tone.step) }
      await sound.enqueue(SoundJob(tone, of: name(tone.step), gain: gain ?? 0))
    case .speak(let speech, let due): await speak(speech, notBefore: due)
    case .play(let stimulus, let frame):
      await sound.enqueue(SoundJob(stimulus, of: name(stimulus.step), fromFrame: frame))
    case .stopSound(let id): await sound.stop(id)
    case .startSoundTimer(let id, let due): timers.startWatch(of: id, until: due, in: &group)
    case .stopSoundTimer(let id): timers.stop(.sound(id))
    case .giveUpSound(let id, let reason): await sound.giveUp(id, reason)
    case .request(let request): await perform(request, in: &group)
    case .ask(let step, let question): log.append(.asked(step: name(step), question: question.identifier))
    case .record(let answer): record(answer)
    case .note(let step, let note, let moment): log.append(.noted(step: name(step), note), at: moment)
    case .annotate(let text, let moment): log.append(.annotated(text: text), at: moment)
    case .recordKey(let step, let key, let moment): log.append(.keyPressed(step: name(step), key: key), at: moment)
    case .pause(let isPaused): log.append(isPaused ? .suspended : .resumed)
    case .refusePause(let step):
      tell(.noticed("“/pause” did nothing: “\(name(step))” was not running anything that can be paused"), step)
    case .settle:
      if let left { tell(.concluded, left) }
      settle(in: &group)
    case .close: break
    }
  }

  // MARK: Steps

  private func enter(_ index: Int, hasScreen: Bool) {
    let step = prepared.steps[index]
    log.append(.stepStarted(step: step.identifier))
    if consentStep.map({ index > $0 }) ?? false { startTaking() }
    readings.show(hasScreen ? step : nil)
    if hasScreen { markers.showed(step.identifier) }
  }

  private func leave(_ index: Int, _ outcome: StepEnd) {
    log.append(.stepEnded(step: prepared.steps[index].identifier, reason: outcome))
    left = index
    tell(.left(outcome), index)
  }

  private func perform(_ request: SessionRequest, in group: inout DiscardingTaskGroup) async {
    switch request {
    case .trials(let numbers):
      group.addTask { [inbox, prepared] in
        inbox.send(.performed(await prepared.services.performTrials(numbers)))
      }
    case .sensors(let limit):
      group.addTask { [inbox, prepared] in
        inbox.send(.performed(await prepared.services.checkSensors(limit)))
      }
    case .signature(let name, let consent):
      do {
        try prepared.services.keepSignature(name, consent)
      } catch {
        inbox.send(.failed(reason: "the signature could not be kept: \(error)"))
      }
    case .recording: startTaking()
    case .volume(let gain):
      await sound.choose(gain)
      await prepared.services.chooseVolume(gain)
    }
  }

  private func give(_ signal: Signal, _ index: Int) {
    switch signal {
    case .vibrate: log.append(.signalled(step: name(index), what: "vibrate", text: nil))
    case .speech(let words): log.append(.signalled(step: name(index), what: "speech", text: words))
    case .sound: log.append(.signalled(step: name(index), what: "sound", text: nil))
    }
    tell(.signalled(signal), index)
  }

  /// Says what was rendered before the trial.
  private func speak(_ id: SoundID, notBefore due: Moment?) async {
    let text = id.utterance.flatMap { prepared.steps[id.step].active?.text(of: $0, prepared.phrases) }
    let speech = text.flatMap { prepared.speech[$0] }
    await sound.enqueue(SoundJob(id, of: name(id.step), speech: speech, due: due))
  }

  private func name(_ index: Int) -> String { prepared.steps[index].identifier }

  // MARK: Recorders

  func recorders(_ index: Int) -> [RecorderConfiguration] {
    prepared.steps[index].active?.recorderConfigurations ?? []
  }

  private func startRecorders(_ index: Int, _ segment: Int) {
    rate(.begin, index)
    for recorder in recorders(index) {
      log.append(
        .recorderStarted(recorder: recorder.identifier, step: prepared.steps[index].identifier, segment: segment))
    }
    tell(.started, index)
  }

  private func stopRecorders(_ index: Int, _ segment: Int) {
    stop(recorders(index), of: prepared.steps[index].identifier, segment)
    rate(.end, index)
  }

  /// Records samples from now on.
  private func startTaking() {
    readings.startTaking()
    startRecorders()
  }

  /// Starts the recorders of the whole trial or session, once.
  func startRecorders() {
    guard !runsRecorders else { return }
    runsRecorders = true
    for recorder in prepared.recorders {
      log.append(.recorderStarted(recorder: recorder.identifier, step: recorder.scope.rawValue, segment: 0))
    }
  }

  private func stopRecorders() {
    guard runsRecorders else { return }
    runsRecorders = false
    for recorder in prepared.recorders { stop([recorder], of: recorder.scope.rawValue, 0) }
  }

  private func stop(_ recorders: [RecorderConfiguration], of step: String, _ segment: Int) {
    let now = clock.now
    for recorder in recorders {
      log.append(.recorderStopped(recorder: recorder.identifier, step: step, segment: segment))
      guard let sensor = prepared.sensors[recorder.identifier] else { continue }
      let type = recorder.isOfHeartbeats ? nil : recorder.quantityType
      recordersStopped[AwaitedChannel(sensor: sensor, type: type)] = now
      settleEnd = max(settleEnd ?? now, now.advanced(by: recorder.settle))
    }
  }

  private func settle(in group: inout DiscardingTaskGroup) {
    stopRecorders()
    readings.show(nil)
    readings.awaitReadings(of: recordersStopped)
    guard let settleEnd else { return }
    group.addTask { [clock, inbox] in
      try? await clock.sleep(until: settleEnd, tolerance: nil)
      inbox.send(.settled)
    }
  }

  func presenter(_ index: Int) -> any Presenter { presenters.presenter(for: prepared.steps[index]) }

  func tell(_ event: PresentedEvent, _ index: Int) { presenter(index).tell(event, of: prepared.steps[index]) }
}

extension SoundID.Kind {
  /// The signal that a tone is; `nil` for other sounds.
  fileprivate var signal: Signal? {
    switch self {
    case .startTone, .finishTone: .sound
    case .stimulus, .noise, .speech: nil
    }
  }
}
