import Basics
import Bundles
package import Quantities
package import Study

/// The course of a trial as a pure state machine: what happens goes in, what is to be done comes out.
///
/// A step's order of actions is ResearchKit's: it starts with the timer, the view, the recorders, vibration, sound,
/// speech; it finishes with the timer, the recorders, sound, vibration, speech, and only then goes forward. A music
/// step differs in one thing: its time counts from the measured onset of the stimulus, not from the view. A step that
/// is not finished but skipped, stopped or failed takes its sounds with it; a tone of a finished one is heard to its end.
/// What a step says at its finish is heard before the next step is shown, unless Return is pressed.
package struct TrialMachine: Sendable {
  /// Where the trial is.
  package enum Phase: Hashable, Sendable {
    /// Nothing has begun.
    case ready
    /// A step is shown and waits to be started or read.
    case shown(step: Int)
    /// An active step runs.
    case running(step: Int)
    /// An active step is paused.
    case suspended(step: Int)
    /// An active step is done and waits for Return.
    case done(step: Int)
    /// The trials of a step are performed, each by a machine of its own, or its sensors are checked.
    case performing(step: Int)
    /// No step is left; the last sound and late samples are awaited.
    case settling(TrialEnd)
    /// Over.
    case closed
  }

  /// Where the trial is.
  package internal(set) var phase: Phase = .ready

  let steps: [Step]
  let isUnattended: Bool
  let phrases: Phrases
  var run = ActiveRun()
  /// The level of a volume step that is being chosen.
  var adjusting: Adjustment?
  /// The highest gain of a volume step's noise that the limit of the level allows.
  let highestNoise: Double
  /// The attempt of a headphone check that is under way.
  var listening: Listening?
  /// The session's seed, for the sides of headphone checks.
  let seed: UInt64
  /// The open question of a form.
  var asking: OpenQuestion?
  /// What the rules of steps and questions see.
  var facts: RuleFacts
  /// The steps that come next whatever the rules say: after an interruption, those to be repeated and the next one.
  var ahead: ArraySlice<Int>
  /// The rules that were followed, in a run without a participant.
  var ways: Set<Way> = []
  /// The stimuli and the speech that were asked for and are not over, those of left steps included, and when each is given
  /// up.
  var stimuli: [SoundID: Moment] = [:]
  /// The tones that were asked for and are not over.
  var tones: [SoundID] = []
  /// The number of the latest timer.
  private var timer = 0
  private var isSettled = false
  private var hasInputEnded = false

  static let noReport = "no playback report from the sound server for 10 s"

  private static let nobodyAnswers =
    "a step waits for Return, but standard input has ended; run it at a terminal, or with --unattended"

  /// A machine for these steps.
  ///
  /// - Parameters:
  ///   - steps: the steps.
  ///   - isUnattended: whether it goes on wherever a step would wait for Return.
  ///   - phrases: what the station itself says to the participant.
  ///   - highestNoise: the highest gain at which the noise of a volume step is played, in dB.
  ///   - seed: the session's seed.
  ///   - course: what was done of the steps before an interruption; `nil` begins with the first.
  package init(
    steps: [Step], isUnattended: Bool, phrases: Phrases = Phrases(), highestNoise: Double = .infinity, seed: UInt64 = 0,
    resuming course: StepCourse? = nil
  ) {
    self.seed = seed
    self.highestNoise = highestNoise
    self.steps = steps
    self.phrases = phrases
    self.isUnattended = isUnattended
    facts = course?.facts ?? RuleFacts()
    ahead = (course?.ahead ?? [])[...]
  }

  /// Takes what happened and says what is to be done; what does not fit the phase is ignored.
  package mutating func handle(_ input: TrialInput, at now: Moment) -> [TrialAction] {
    var actions = actions(for: input, at: now)
    if hasInputEnded, waitsForReturn { actions += end(.failed(reason: Self.nobodyAnswers), at: now) }
    guard case .settling(let end) = phase, isSettled, stimuli.isEmpty else { return actions }
    phase = .closed
    return actions + [.close(end)]
  }

  private mutating func actions(for input: TrialInput, at now: Moment) -> [TrialAction] {
    switch (input, phase) {
    case (.begin, .ready): return enterFirst(at: now)
    case (.pressed(let key), .running(let step)) where steps[step].active?.keys.contains(key.name) ?? false:
      return [.recordKey(step: step, key.name, at: now)]
    case (.pressed(let key), .shown(let step)) where adjusting != nil:
      return adjust(step, key) ?? key.command.map { actions(for: $0, at: now) } ?? []
    case (.pressed(let key), .shown(let step)) where listening != nil:
      return answerSide(step, key, at: now) ?? key.command.map { actions(for: $0, at: now) } ?? []
    case (.timeUp(let timer), .shown(let step)) where timer == self.timer && listening != nil:
      return listeningTimedOut(step, at: now)
    case (.pressed(let key), _): return key.command.map { actions(for: $0, at: now) } ?? []
    case (.answered(let step, let question, let value), _): return answer(step, question, value, at: now)
    case (.painted(let step, let question, let moment), _):
      showed(step, question, at: moment)
      return []
    case (.next, .shown(let step)): return nextWhileShown(step, at: now)
    case (.next, .done(let step)): return stopSpeech(of: step, at: now) + leave(step, .finished, at: now)
    case (.next, .running(let step)):
      guard let active = steps[step].active else { return [] }
      if startsFinished(step) { return finish(step, .finished, at: now) }
      return active.shouldUseNextAsSkipButton ? finish(step, .skipped, at: now) : []
    case (.skip, .shown(let step)) where steps[step].isOptional: return leave(step, .skipped, at: now)
    case (.skip, .suspended(let step)) where steps[step].isOptional && form(step) != nil:
      return [.pause(false)] + leave(step, .skipped, at: now)
    case (.skip, .running(let step)) where steps[step].isOptional,
      (.skip, .suspended(let step)) where steps[step].isOptional:
      return finish(step, .skipped, at: now)
    case (.tick(let timer, let remaining), .running(let step)) where timer == self.timer:
      return tick(step, remaining, at: now)
    case (.timeUp(let timer), .running(let step)) where timer == self.timer:
      run.isTimeUp = true
      run.timeLeft = .zero
      run.timerEnd = nil
      return finishWhenDone(step, at: now)
    case (.togglePause, .running(let step)): return suspend(step, at: now)
    case (.togglePause, .shown(let step)) where form(step) != nil: return suspendForm(step)
    case (.togglePause, .suspended(let step)):
      return form(step) == nil ? resume(step, at: now) : resumeForm(step)
    case (.setPause(true), .suspended), (.setPause(false), .shown), (.setPause(false), .running): return []
    case (.setPause(true), .shown(let step)), (.setPause(true), .running(let step)),
      (.setPause(true), .done(let step)), (.setPause(true), .performing(let step)):
      let actions = actions(for: .togglePause, at: now)
      return actions.isEmpty ? [.refusePause(step: step)] : actions
    case (.setPause, _): return actions(for: .togglePause, at: now)
    case (.soundStarted(let sound, let onset), _): return soundStarted(sound, at: onset)
    case (.soundEnded(let sound, let frames, let played), _): return soundEnded(sound, frames, played, at: now)
    case (.soundFailed(let sound, let reason), _): return soundFailed(sound, reason, at: now)
    case (.soundOverdue(let sound), _): return soundOverdue(sound, at: now)
    case (.inputEnded, _):
      hasInputEnded = true
      return []
    case (.performed(.completed), .performing(let step)): return leave(step, .finished, at: now)
    case (.performed(let result), .performing): return end(result, at: now)
    case (.annotated(let text, let moment), _): return [.annotate(text, at: moment)]
    case (.failed(let reason), _): return end(.failed(reason: reason), at: now)
    case (.stop, _): return end(.stopped, at: now)
    case (.skipTrial, _): return end(.skipped, at: now)
    case (.settled, .settling):
      isSettled = true
      return []
    default: return []
    }
  }

  private var waitsForReturn: Bool {
    switch phase {
    // A headphone check with a limit goes on without an answer.
    case .shown: listening?.check.limit == nil
    case .done: !run.leavesWhenSpoken
    case .running(let step): startsFinished(step)
    default: false
    }
  }

  // MARK: Steps

  mutating func enter(_ step: Int, at now: Moment) -> [TrialAction] {
    guard step < steps.count else { return settle(.completed) }
    phase = .shown(step: step)
    run = ActiveRun()
    if let form = form(step) { return enter(step, form, at: now) }
    if let check = steps[step].kind as? HeadphoneCheckStep { return enter(step, check, at: now) }
    if let volume = steps[step].kind as? VolumeStep { return enter(step, volume, at: now) }
    if let numbers = steps[step].trials?.numbers {
      phase = .performing(step: step)
      return [.performTrials(step: step, numbers: numbers)]
    }
    if let check = steps[step].kind as? SensorCheckStep {
      phase = .performing(step: step)
      return [.show(step: step, waits: false), .checkSensors(step: step, limit: check.limit)]
    }
    guard let active = steps[step].active else {
      let actions = [TrialAction.show(step: step, waits: !isUnattended)]
      return isUnattended ? actions + leave(step, .finished, at: now) : actions
    }
    let startsAlone = active.shouldStartTimerAutomatically || isUnattended
    return [.show(step: step, waits: !startsAlone)] + (startsAlone ? start(step, at: now) : [])
  }

  private mutating func nextWhileShown(_ step: Int, at now: Moment) -> [TrialAction] {
    if form(step) != nil { return goOn(step, at: now) }
    if listening != nil { return listenAgain(step, at: now) }
    if adjusting != nil { return acceptVolume(step, at: now) }
    return steps[step].active == nil ? leave(step, .finished, at: now) : start(step, at: now)
  }

  /// Whether the step has no time of its own: it is finished from its start, and lasts until Return.
  func startsFinished(_ step: Int) -> Bool { steps[step].active?.stepDuration == .zero }

  private mutating func start(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let active = steps[step].active else { return [] }
    phase = .running(step: step)
    run.timeLeft = active.stepDuration
    var actions: [TrialAction] = [.begin(step: step)]
    if !isMusic(step), !startsFinished(step) { actions += startTimer(from: now) }
    actions.append(.startRecorders(step: step, segment: 0))
    if active.shouldVibrateOnStart { actions.append(.signal(step: step, .vibrate)) }
    if active.shouldPlaySoundOnStart { actions.append(playTone(.startTone, of: step)) }
    if let words = active.spokenInstruction {
      actions.append(.signal(step: step, .speech(words)))
      actions += speak(.instruction, of: step, at: now)
    }
    if isMusic(step) { actions += play(step, at: now) }
    if startsFinished(step) {
      return isUnattended ? actions + finish(step, .finished, at: now) : actions + [.awaitNext(step: step)]
    }
    return actions
  }

  mutating func finishWhenDone(_ step: Int, at now: Moment) -> [TrialAction] {
    run.isTimeUp && run.isSoundDone ? finish(step, .finished, at: now) : []
  }

  private mutating func finish(_ step: Int, _ outcome: StepEnd, at now: Moment) -> [TrialAction] {
    guard let active = steps[step].active else { return [] }
    var actions = [.finish(step: step)] + stopTimer() + stopSound(at: now)
    actions += stopSpeech(of: step, at: now)
    if outcome != .finished { actions += stopTones(of: step) }
    if phase == .suspended(step: step) {
      actions.append(.pause(false))
    } else {
      actions.append(.stopRecorders(step: step, segment: run.segment))
    }
    if outcome == .finished, !startsFinished(step) {
      if active.shouldPlaySoundOnFinish { actions.append(playTone(.finishTone, of: step)) }
      if active.shouldVibrateOnFinish { actions.append(.signal(step: step, .vibrate)) }
      if let words = active.finishedSpokenInstruction {
        actions.append(.signal(step: step, .speech(words)))
        actions += speak(.finished, of: step, at: now)
      }
    }
    if outcome != .finished || startsFinished(step) || active.shouldContinueOnFinish || isUnattended {
      guard isSpeakingAtFinish(of: step) else { return actions + leave(step, outcome, at: now) }
      phase = .done(step: step)
      run.leavesWhenSpoken = true
      return actions
    }
    phase = .done(step: step)
    return actions + [.awaitNext(step: step)]
  }

  mutating func leave(_ step: Int, _ outcome: StepEnd, at now: Moment) -> [TrialAction] {
    endQuestions(of: step, at: now) + stopAdjusting(step) + stopListening(step)
      + [.leave(step: step, outcome)]
      + goOn(after: step, outcome, at: now)
  }

  // MARK: The end

  mutating func end(_ result: TrialEnd, at now: Moment) -> [TrialAction] {
    let outcome: StepEnd = [.stopped, .skipped].contains(result) ? .stopped : .failed
    switch phase {
    case .settling, .closed: return []
    case .ready: return settle(result)
    case .shown(let step), .done(let step), .performing(let step):
      return stopTimer() + stopTones() + stopSpeech(at: now) + [.leave(step: step, outcome)] + settle(result)
    case .suspended(let step):
      let finish: [TrialAction] = form(step) == nil ? [.finish(step: step)] : []
      return finish + stopTones() + stopSpeech(at: now) + [.leave(step: step, outcome)] + settle(result)
    case .running(let step):
      var actions = [.finish(step: step)] + stopTimer() + stopSound(at: now) + stopTones() + stopSpeech(at: now)
      actions += [.stopRecorders(step: step, segment: run.segment), .leave(step: step, outcome)]
      return actions + settle(result)
    }
  }

  mutating func settle(_ result: TrialEnd) -> [TrialAction] {
    phase = .settling(result)
    return [.settle]
  }

  // MARK: Time

  mutating func startTimer(from now: Moment) -> [TrialAction] {
    timer += 1
    let end = now.advanced(by: run.timeLeft)
    run.timerEnd = end
    return [.startTimer(timer, until: end)]
  }

  /// Cancels the timer; what it has sent already carries an old number and is ignored.
  mutating func stopTimer() -> [TrialAction] {
    guard run.timerEnd != nil else { return [] }
    run.timerEnd = nil
    timer += 1
    return [.stopTimer(timer - 1)]
  }

  /// Whether the step that runs does something at every whole second that is left.
  ///
  /// - Parameter isShown: whether the time that is left is shown to anyone.
  /// - Returns: whether ticks are needed.
  func countsSeconds(isShown: Bool) -> Bool {
    guard case .running(let step) = phase, let active = steps[step].active else { return true }
    return isShown && active.shouldShowDefaultTimer || active.shouldSpeakCountDown
      || active.shouldSpeakRemainingTimeAtHalfway
  }

  private mutating func tick(_ step: Int, _ remaining: Duration, at now: Moment) -> [TrialAction] {
    guard let active = steps[step].active else { return [] }
    var actions: [TrialAction] = []
    if active.shouldShowDefaultTimer { actions.append(.showRemaining(step: step, remaining)) }
    let seconds = Int(remaining.seconds.rounded())
    if active.shouldSpeakRemainingTimeAtHalfway, !run.saidHalfway, remaining * 2 < active.stepDuration {
      run.saidHalfway = true
      actions.append(.signal(step: step, .speech(phrases.remaining(seconds: seconds))))
      actions += sayRemaining(step, remaining, at: now)
    } else if active.shouldSpeakCountDown, (1...3).contains(seconds) {
      actions.append(.signal(step: step, .speech("\(seconds)")))
    }
    return actions + countDown(step, remaining, at: now)
  }
}
