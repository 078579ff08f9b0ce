import Basics
import Bundles
import Quantities
import Study

/// The course of a trial as a pure state machine: what happens goes in, what is to be done comes out.
///
/// It knows no kind of step: what a step does is its `StepBehaviour`, which runs inside of the machine's phase.
struct TrialMachine: Sendable {
  /// Where the trial is.
  enum Phase: Sendable {
    /// Nothing has begun.
    case ready
    /// A step is shown, and does what it does.
    case step(any StepBehaviour)
    /// No step is left; the last sound and, unless they are in, late samples are awaited.
    case settling(TrialEnd, isSettled: Bool)
    case closed
  }

  private(set) var phase = Phase.ready
  private let steps: [Step]
  private var trial: StepContext
  /// The steps that come next whatever the rules say: after an interruption, those to be repeated and the next one.
  private var ahead: ArraySlice<Int>
  /// The rules that were followed, in a run without a participant.
  private var ways: Set<Way> = []
  private var hasInputEnded = false
  private var shown: Screen?

  /// A step that is about to be shown, and what the rules see then.
  private struct Way: Hashable, Sendable {
    let step: Int
    let facts: RuleFacts
  }

  static let noReport = "no playback report from the sound server for 10 s"

  private static let noKeyboard =
    "a step waits for Return, but standard input has ended; run it at a terminal, or with --unattended"

  private static let endless =
    "the protocol's navigation repeats the same steps endlessly when no question is answered; run it with a participant, or change the "
    + "rules so that missing answers lead on"

  /// A machine for these steps.
  ///
  /// - Parameters:
  ///   - steps: the steps.
  ///   - isUnattended: whether it goes on wherever a step would wait for Return.
  ///   - phrases: what the station itself says to the participant.
  ///   - highestNoise: the highest gain at which noise is played, in dB.
  ///   - seed: the session's seed.
  ///   - trial: the number of the trial in its session, if participants are to see it.
  ///   - course: what was done of the steps before an interruption; `nil` begins with the first.
  ///   - pageSteps: the steps that are shown on a page, by their identifiers.
  init(
    steps: [Step], isUnattended: Bool, phrases: Phrases = Phrases(), highestNoise: Double = .infinity, seed: UInt64 = 0,
    trial: Screen.Count? = nil, resuming course: StepCourse? = nil, pageSteps: Set<String> = []
  ) {
    self.steps = steps
    self.trial = StepContext(
      isUnattended: isUnattended, phrases: phrases, seed: seed, highestNoise: highestNoise, trial: trial,
      facts: course?.facts ?? RuleFacts(), pageSteps: pageSteps)
    ahead = (course?.ahead ?? [])[...]
  }

  /// The step that is shown, by its index; `nil` before the first and after the last.
  var step: Int? { if case .step = phase { trial.index } else { nil } }

  /// The keys whose presses are recorded now, by `KeyName`.
  var recordedKeys: [String] { step == nil ? [] : shown?.keys ?? [] }

  /// Whether the step that runs can be rated.
  var isRated: Bool { if case .step(let behaviour) = phase { behaviour.isRated } else { false } }

  /// Takes what happened and says what is to be done; what does not fit the phase is ignored.
  mutating func handle(_ input: TrialInput, at now: Moment) -> [TrialAction] {
    trial.now = now
    take(input)
    if hasInputEnded, case .step(let behaviour) = phase, behaviour.waitsForPerson {
      end(.failed(reason: Self.noKeyboard))
    }
    show()
    if case .settling(let end, isSettled: true) = phase, trial.stimuli.isEmpty {
      phase = .closed
      trial.perform(.close(end))
    }
    defer { trial.actions = [] }
    return trial.actions
  }

  private mutating func take(_ input: TrialInput) {
    switch input {
    case .begin:
      if case .ready = phase { enter(ahead.popFirst() ?? trial.facts.firstShown(from: 0, of: steps)) }
    case .answered(let answer): take(answer)
    case .key(let name, let made):
      if shown?.keys.contains(name) ?? false { trial.perform(.recordKey(step: trial.index, name, made: made)) }
    case .rated(let percent): tell(.rated(percent))
    case .awaitsDecision: if case .step(let behaviour) = phase, !behaviour.isPaused { _ = pause(true) }
    case .page(let incident): trial.perform(.recordPage(incident, at: trial.now))
    case .painted(let paint):
      guard paint.screen == trial.screen, step != nil, let shown else { return }
      trial.perform(
        .recordPaint(step: trial.index, shown.asked, paint, shown.pictures.filter { paint.pictures[$0.sha256] != nil }))
    case .command(let command): take(command)
    case .inputEnded: hasInputEnded = true
    case .tick(let timer, let remaining): if trial.isCurrent(timer) { tell(.tick(remaining)) }
    case .timeUp(let timer):
      guard trial.isCurrent(timer) else { return }
      trial.timerEnded()
      tell(.timeUp)
    case .soundScheduled(let sound, let onset): if sound.step == step { tell(.soundScheduled(sound, at: onset)) }
    case .soundStarted(let sound, let onset): if sound.step == step { tell(.soundStarted(sound, at: onset)) }
    case .soundEnded(let sound, let frames, let played):
      trial.forget(sound)
      if sound.step == step { tell(.soundEnded(sound, frames: frames, played: played)) }
    case .soundFailed(let sound, let reason): fail(sound, reason)
    case .soundOverdue(let sound):
      guard trial.givesUp(sound) else { return }
      trial.perform(.giveUpSound(sound, reason: Self.noReport))
      fail(sound, Self.noReport)
    case .performed(.completed): tell(.performed)
    case .performed(let result): end(result)
    case .failed(let reason): end(.failed(reason: reason))
    case .pressed, .marked: break
    case .settled: if case .settling(let end, _) = phase { phase = .settling(end, isSettled: true) }
    }
  }

  private mutating func take(_ answer: ScreenAnswer) {
    guard answer.screen == trial.screen, case .step(let behaviour) = phase, !behaviour.isPaused else { return }
    guard answer.deed != .skip else { return take(.skipStep) }
    run { $0.take(answer.deed, answer.input, &$1) }
  }

  private mutating func take(_ command: OperatorCommand) {
    switch command {
    case .annotate(let text, let moment): trial.perform(.annotate(text, at: moment))
    case .skipStep: if steps.indices.contains(trial.index), steps[trial.index].isOptional { run { $0.skip(&$1) } }
    case .skipTrial: end(.skipped)
    case .repeatTrial: end(.repeated)
    // They are the session's.
    case .pauseAfterTrial, .answer: break
    case .end: end(.stopped)
    case .togglePause: if case .step(let behaviour) = phase { _ = pause(!behaviour.isPaused) }
    case .pause, .resume:
      guard case .step(let behaviour) = phase, behaviour.isPaused != (command == .pause) else { return }
      if !pause(command == .pause), command == .pause { trial.perform(.refusePause(step: trial.index)) }
    }
  }

  private mutating func pause(_ isPaused: Bool) -> Bool {
    guard case .step(var behaviour) = phase else { return false }
    let isDone = behaviour.pause(isPaused, &trial)
    phase = .step(behaviour)
    goOn()
    return isDone
  }

  /// A sound was lost: a stimulus ends the trial; the trial goes on without a tone or speech, and its verdict says so.
  private mutating func fail(_ sound: SoundID, _ reason: String) {
    trial.forget(sound)
    if sound.step == step { tell(.soundFailed(sound)) }
    if sound.isStimulus { end(.soundLost(reason: reason)) }
  }

  private mutating func tell(_ event: StepEvent) { run { $0.take(event, &$1) } }

  /// Lets the step that runs do something, and follows where that leads.
  private mutating func run(_ body: (inout any StepBehaviour, inout StepContext) -> Void) {
    guard case .step(var behaviour) = phase else { return }
    body(&behaviour, &trial)
    phase = .step(behaviour)
    goOn()
  }

  // MARK: Steps

  private mutating func enter(_ index: Int) {
    guard index < steps.count else { return settle(.completed) }
    let step = steps[index]
    trial.enter(index, step)
    let behaviour = (step.kind as? any StepWithBehaviour)?.behaviour(of: step, in: trial) ?? ReadingBehaviour()
    trial.perform(.enter(step: index, hasScreen: behaviour.hasScreen))
    phase = .step(behaviour)
    show()
    run { $0.begin(&$1) }
  }

  /// Leaves the step that wants to be left, and enters the one to which its rules lead.
  private mutating func goOn() {
    switch trial.exit {
    case nil: return
    case .end(let result): end(result)
    case .leave(let outcome):
      guard case .step(var behaviour) = phase else { return }
      let left = trial.index
      behaviour.end(outcome, &trial)
      trial.perform(.leave(step: left, outcome))
      trial.facts.take(outcome == .skipped ? .skipped : .finished, ofStep: steps[left].identifier)
      if let next = ahead.popFirst() { return enter(next) }
      let next = trial.facts.next(after: left, of: steps)
      // With the same answers and results, an unattended trial would come here again and again.
      guard
        !trial.isUnattended || next == steps.count || ways.insert(Way(step: next, facts: trial.facts)).inserted
      else { return settle(.failed(reason: Self.endless)) }
      enter(next)
    }
  }

  // MARK: The screen

  /// Shows what has changed on the screen of the step that runs.
  private mutating func show() {
    guard case .step(let behaviour) = phase, behaviour.hasScreen else { return }
    let step = trial.step
    var screen = Screen(
      number: trial.screen, step: step.identifier, place: .init(number: trial.index + 1, count: steps.count),
      trial: trial.trial, title: step.title, texts: [step.text, step.detailText].compactMap(\.self),
      buttons: step.isOptional ? [.skip] : [])
    (screen.language, screen.isRightToLeft) = (trial.phrases.tag, trial.phrases.isRightToLeft)
    screen.isPaused = behaviour.isPaused
    screen.picture = step.picture.map { .init(picture: $0) }
    behaviour.draw(&screen, trial)
    guard screen != shown else { return }
    shown = screen
    trial.perform(.show(screen))
  }

  // MARK: The end

  private mutating func end(_ result: TrialEnd) {
    let outcome: StepEnd =
      [.stopped, .skipped, .repeated].contains(result) ? .stopped : result == .declined ? .finished : .failed
    switch phase {
    case .settling, .closed: return
    case .ready: break
    case .step(var behaviour):
      behaviour.end(outcome, &trial)
      trial.stopTones()
      trial.stopSpeech()
      trial.perform(.leave(step: trial.index, outcome))
    }
    settle(result)
  }

  private mutating func settle(_ result: TrialEnd) {
    phase = .settling(result, isSettled: false)
    trial.perform(.settle)
  }

  /// Whether the step that runs does something at every whole second that is left.
  ///
  /// - Parameter isShown: whether the time that is left is shown to anyone.
  /// - Returns: whether ticks are needed.
  func countsSeconds(isShown: Bool) -> Bool {
    guard let active = trial.step.active else { return isShown }
    return isShown && active.showsTime || active.shouldSpeakCountDown
      || active.shouldSpeakRemainingTimeAtHalfway
  }
}
