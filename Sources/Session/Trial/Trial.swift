import Bundles
package import Quantities
import Sensors
import Sound
import Study

/// One trial under way: performs what its `TrialMachine` decides, and writes down what happens.
///
/// Inputs come from the keyboard, the timers, the speaker and the sensors through one queue, so that the machine sees
/// them one after the other. Readings do not pass through it: they go from the sensor's task straight to the journal,
/// so that a flood of them delays neither sound nor keys.
package actor Trial {
  let context: TrialContext
  nonisolated var log: TrialLog { context.log }
  let readings: ReadingsRecorder
  private let sound: SoundDirector
  private let markers: TrialMarkers
  private let lock: HeartLock?
  let inbox: TrialInbox
  var machine: TrialMachine
  private var timers: TrialTimers
  /// The index of the consent step, before whose end nothing about the participant is recorded; `nil` without one.
  let consentStep: Int?
  private var recordersStopped: [AwaitedChannel: Moment] = [:]
  private var settleEnd: Moment?
  /// The step that was left last.
  private var lastLeft: Int?
  /// Whether the recorders of the whole trial or session run.
  private var runsRecorders = false

  /// A trial that has everything it needs, and has not begun.
  init(_ context: TrialContext) {
    self.context = context
    let inbox = TrialInbox(clock: context.log.clock)
    self.inbox = inbox
    timers = TrialTimers(clock: context.log.clock, inbox: inbox)
    machine = TrialMachine(
      steps: context.steps, isUnattended: context.isUnattended, phrases: context.phrases,
      highestNoise: context.level.highestNoise, seed: context.seed, trial: context.trial, resuming: context.course,
      pageSteps: Set(
        context.steps.filter { context.presenters.presenter(for: $0).isPage }.map(\.identifier)))
    let readings = ReadingsRecorder(
      log: context.log, waveforms: context.waveforms, presenters: context.presenters, inbox: inbox)
    self.readings = readings
    let done = context.course?.done ?? []
    consentStep = context.steps.indices.first { context.steps[$0].consent != nil && !done.contains($0) }
    if consentStep != nil { readings.refuse() }
    markers = TrialMarkers(marking: context.marking, log: context.log)
    lock = context.lock.map { HeartLock($0, context.heartbeats, context.log) }
    sound = SoundDirector(context, lock: lock, inbox: inbox, readings: readings, markers: markers)
  }

  /// Tells the trial that something happened; from anywhere, at any time.
  nonisolated func send(_ input: TrialInput) { inbox.send(input) }

  /// Tells the trial what a participant did at a moment; from anywhere, at any time.
  package nonisolated func take(_ input: ParticipantInput, at moment: Moment) {
    switch input {
    case .answered(let answer): inbox.send(.answered(answer))
    case .key(let name, let made): inbox.send(.key(name, made: made), at: moment)
    case .marked(let percent): inbox.send(.marked(percent), at: moment)
    case .page(let incident): inbox.send(.page(incident), at: moment)
    case .painted(let paint): inbox.send(.painted(paint))
    case .called(let call): inbox.send(.command(.annotate(call.rawValue, at: moment)))
    case .awaitsDecision: inbox.send(.awaitsDecision)
    }
  }

  /// The time on the trial's clock.
  nonisolated var now: Moment { inbox.clock.now }

  /// Reports a key press to the trial; waits while many keys are queued.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - moment: when it was pressed; `nil` for one that counts from now on.
  nonisolated func press(_ key: OperatorKey, at moment: Moment? = nil) async {
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
      let listening = await context.hub.listen { [readings, lock] sensor, event in
        lock?.hear(sensor, event)
        readings.hear(sensor, event)
      }
      let backlogs = context.hub.backlogs
      group.addTask { [readings] in await readings.present() }
      if consentStep == nil { startRecorders() }
      markers.trialBegan()
      inbox.send(.begin)
      trial: for await (input, moment) in inbox.inputs {
        inbox.took(input)
        if case .timeUp(let timer) = input { timers.stop(.step(timer)) }
        guard let input = meaning(of: input, at: moment) else { continue }
        if case .command(let command) = input, let name = command.name {
          log.append(.commanded(command: name), at: moment)
        }
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
      await context.hub.catchUp(within: Self.patience)
      readings.tellDropped(await context.hub.stopListening(listening))
      readings.tellHeldBack(context.hub.backlogs, since: backlogs)
      lock?.keep()
      readings.tellSkipped()
      readings.tellDroppedFrames()
      group.cancelAll()
    }
    return end
  }

  /// How long the end waits for samples that have arrived, and for sounds that are playing.
  static let patience = Duration.seconds(2)

  private func perform(_ action: TrialAction, in group: inout DiscardingTaskGroup) async {
    switch action {
    case .enter(let step, let hasScreen): enter(step, hasScreen: hasScreen)
    case .show(let screen):
      presenter(screen.place.number - 1).show(screen)
      context.presenters.watch?(screen)
    case .begin(let step):
      log.append(.stepBegan(step: name(step)))
      markers.began(name(step))
    case .finish(let step):
      log.append(.stepFinished(step: name(step)))
      markers.finished(name(step))
    case .leave(let step, let outcome): leave(step, outcome)
    case .startTimer(let timer, let end):
      timers.startCountdown(
        timer, until: end, ticks: machine.countsSeconds(isShown: context.presenters.showProgress), in: &group)
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
    case .request(let request): await ask(for: request, in: &group)
    case .startRecording: startRecordingSamples()
    case .ask(let step, let question): log.append(.asked(step: name(step), question: question.identifier))
    case .record(let answer): record(answer)
    case .note(let step, let note, let moment): log.append(.noted(step: name(step), note), at: moment)
    case .annotate(let text, let moment): log.append(.annotated(text: text), at: moment)
    case .recordPage(let incident, let moment): log.append(.pageChanged(what: incident), at: moment)
    case .withdraw(let step, let question):
      log.append(.withdrawn(step: name(step), question: question.identifier))
    case .recordPaint(let step, let question, let paint, let pictures):
      log.append(.painted(log.screen(name(step), question, paint, pictures)), at: paint.painted.moment)
    case .recordKey(let step, let key, let made):
      log.append(.keyPressed(step: name(step), key: key, made: log.time(of: made)), at: made.moment)
    case .pause(let isPaused): log.append(isPaused ? .suspended : .resumed)
    case .refusePause(let step):
      tell(.noticed("“/pause” did nothing: “\(name(step))” was not running anything that can be paused"), step)
    case .settle:
      if let lastLeft { tell(.concluded, lastLeft) }
      settle(in: &group)
    case .close: break
    }
  }

  // MARK: Steps

  private func enter(_ index: Int, hasScreen: Bool) {
    let step = context.steps[index]
    log.append(.stepStarted(step: step.identifier))
    if consentStep.map({ index > $0 }) ?? false { startRecordingSamples() }
    readings.show(hasScreen ? step : nil)
    if hasScreen { markers.showed(step.identifier) }
  }

  private func leave(_ index: Int, _ outcome: StepEnd) {
    log.append(.stepEnded(step: context.steps[index].identifier, reason: outcome))
    lastLeft = index
    tell(.left(outcome), index)
  }

  /// Asks the session; trials and checks of sensors take their time beside the step.
  private func ask(for request: SessionRequest, in group: inout DiscardingTaskGroup) async {
    switch request {
    case .trials, .sensors: group.addTask { await self.pass(on: request) }
    case .signature: await pass(on: request)
    case .volume(let gain):
      await sound.choose(gain)
      await pass(on: request)
    }
  }

  private nonisolated func pass(on request: SessionRequest) async {
    if let input = await context.session.answer(request) { inbox.send(input) }
  }

  private func give(_ signal: Signal, _ index: Int) {
    switch signal {
    case .vibrate: log.append(.signalled(step: name(index), what: "vibrate", text: nil))
    case .speech(let words): log.append(.signalled(step: name(index), what: "speech", text: words))
    case .sound: log.append(.signalled(step: name(index), what: "sound", text: nil))
    }
    tell(.signalled(signal), index)
  }

  /// Plays speech that was rendered before the trial.
  private func speak(_ id: SoundID, notBefore due: Moment?) async {
    let text = id.utterance.flatMap { context.steps[id.step].active?.text(of: $0, context.phrases) }
    let speech = text.flatMap { context.speech[$0] }
    await sound.enqueue(SoundJob(id, of: name(id.step), speech: speech, due: due))
  }

  private func name(_ index: Int) -> String { context.steps[index].identifier }

  // MARK: Recorders

  func recorders(_ index: Int) -> [RecorderConfiguration] {
    context.steps[index].active?.recorderConfigurations ?? []
  }

  private func startRecorders(_ index: Int, _ segment: Int) {
    rate(.begin, index)
    for recorder in recorders(index) {
      log.append(
        .recorderStarted(recorder: recorder.identifier, step: context.steps[index].identifier, segment: segment))
    }
    tell(.started, index)
  }

  private func stopRecorders(_ index: Int, _ segment: Int) {
    stop(recorders(index), of: context.steps[index].identifier, segment)
    rate(.end, index)
  }

  /// Records samples from now on.
  private func startRecordingSamples() {
    readings.startTaking()
    startRecorders()
  }

  /// Starts the recorders of the whole trial or session, once.
  func startRecorders() {
    guard !runsRecorders else { return }
    runsRecorders = true
    for recorder in context.recorders {
      log.append(.recorderStarted(recorder: recorder.identifier, step: recorder.scope.rawValue, segment: 0))
    }
  }

  private func stopRecorders() {
    guard runsRecorders else { return }
    runsRecorders = false
    for recorder in context.recorders { stop([recorder], of: recorder.scope.rawValue, 0) }
  }

  private func stop(_ recorders: [RecorderConfiguration], of step: String, _ segment: Int) {
    let now = log.clock.now
    for recorder in recorders {
      log.append(.recorderStopped(recorder: recorder.identifier, step: step, segment: segment))
      guard let sensor = context.sensors[recorder.identifier] else { continue }
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
    group.addTask { [clock = log.clock, inbox] in
      try? await clock.sleep(until: settleEnd, tolerance: nil)
      inbox.send(.settled)
    }
  }

  func presenter(_ index: Int) -> any Presenter { context.presenters.presenter(for: context.steps[index]) }

  func tell(_ event: PresentedEvent, _ index: Int) { presenter(index).tell(event, of: context.steps[index]) }
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
