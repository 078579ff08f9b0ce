import Basics
import Bundles
import Quantities
import Study

extension RestStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour { ActiveBehaviour(step, trial) }
}

extension CountdownStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour { ActiveBehaviour(step, trial) }
}

extension WalkStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour { ActiveBehaviour(step, trial) }
}

extension MusicStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour { ActiveBehaviour(step, trial, self) }
}

/// A step that lasts and records, and may play a stimulus.
///
/// Its order is ResearchKit's: it starts with the timer, the view, the recorders, vibration, sound, speech; it finishes
/// with the timer, the recorders, sound, vibration, speech, and only then goes forward. A music step differs in one thing:
/// its time counts from the measured onset of the stimulus, not from the view. A step that is not finished but skipped,
/// stopped or failed takes its sounds with it; a tone of a finished one is heard to its end. What a step says at its finish
/// is heard before the next step is shown, unless Return is pressed.
struct ActiveBehaviour: StepBehaviour {
  enum Phase: Hashable, Sendable {
    /// It waits to be started.
    case waiting
    case running
    /// It is paused; `goesOn` says that it is to go on as soon as its sound, which still fades, is over.
    case paused(goesOn: Bool)
    /// It has finished; `isLeft` says that it is left as soon as what it says at its finish has been said.
    case done(isLeft: Bool)
  }

  private let active: ActiveStep
  private let music: MusicStep?
  private(set) var phase = Phase.waiting
  private var segment = 0
  private var timeLeft = Duration.zero
  /// How much of the stimulus was played before the segment that is under way.
  private var framesPlayed = 0
  private var played = Duration.zero
  /// The stimulus that was asked for and has not ended.
  private var sound: SoundID?
  private var isSoundDone = true
  private var isTimeUp = false
  private var saidHalfway = false
  /// What was said of the countdown, or is going to be.
  private var counted: Set<Utterance> = []
  /// What was said last.
  private var spoken: String?
  private var rating: Int?
  /// When its stimulus starts for the first time.
  private var onset: Moment?

  init(_ step: Step, _ trial: StepContext, _ music: MusicStep? = nil) {
    active = step.active ?? ActiveStep()
    self.music = music
    if active.shouldStartTimerAutomatically || trial.isUnattended { phase = .running }
  }

  /// Whether the step has no time of its own: it is finished from its start, and lasts until Return.
  private var startsFinished: Bool { active.stepDuration == .zero }

  var isRated: Bool { phase == .running }

  var isPaused: Bool { if case .paused = phase { true } else { false } }

  var waitsForPerson: Bool {
    switch phase {
    case .waiting: true
    case .running: startsFinished
    case .paused: false
    case .done(let isLeft): !isLeft
    }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) {
    // What is on the screen is not repeated.
    screen.spoken = spoken.flatMap { screen.texts.contains($0) ? nil : $0 }
    if screen.picture?.picture.start == .sound {
      if let onset { screen.picture?.from = onset } else { screen.picture = nil }
    }
    switch phase {
    case .waiting: screen.buttons.insert(.start, at: 0)
    case .running:
      screen.keys = active.keys
      screen.look =
        active.shouldShowFixationCross
        ? .cross
        : trial.timerEnd.flatMap { active.showsTime ? .time(until: $0, of: active.stepDuration) : nil }
      if startsFinished {
        screen.buttons.insert(.finish, at: 0)
      } else if active.shouldUseNextAsSkipButton {
        screen.buttons.insert(.next, at: 0)
      }
    case .paused: break
    case .done(let isLeft): if !isLeft { screen.buttons = [.goOn] }
    }
    let rated = active.recorderConfigurations.first { $0.quantityType == .continuousRating }
    if let rating, let rated { screen.entry = .line(rating, anchors: rated.anchors) }
  }

  // MARK: Start and finish

  mutating func begin(_ trial: inout StepContext) { if phase == .running { start(&trial) } }

  private mutating func start(_ trial: inout StepContext) {
    let step = trial.index
    phase = .running
    timeLeft = active.stepDuration
    trial.perform(.begin(step: step))
    if music == nil, !startsFinished { trial.startTimer(until: trial.now.advanced(by: timeLeft)) }
    trial.perform(.startRecorders(step: step, segment: 0))
    if active.shouldVibrateOnStart { trial.perform(.signal(step: step, .vibrate)) }
    if active.shouldPlaySoundOnStart { trial.playTone(.startTone) }
    say(active.spokenInstruction, .instruction, &trial)
    if music != nil { play(&trial) }
    if startsFinished, trial.isUnattended { finish(.finished, &trial) }
  }

  private mutating func say(_ words: String?, _ utterance: Utterance, _ trial: inout StepContext) {
    guard let words else { return }
    tell(words, &trial)
    trial.speak(utterance, segment: segment)
  }

  private mutating func tell(_ words: String, _ trial: inout StepContext) {
    spoken = words
    trial.perform(.signal(step: trial.index, .speech(words)))
  }

  private mutating func finishWhenDone(_ trial: inout StepContext) {
    if isTimeUp, isSoundDone { finish(.finished, &trial) }
  }

  private mutating func finish(_ outcome: StepEnd, _ trial: inout StepContext) {
    let step = trial.index
    stop(&trial)
    trial.stopSpeech { $0.step == step }
    if outcome != .finished { trial.stopTones { $0.step == step } }
    if isPaused { trial.perform(.pause(false)) }
    phase = .done(isLeft: false)
    let endsNow = outcome != .finished || startsFinished
    if !endsNow {
      if active.shouldPlaySoundOnFinish { trial.playTone(.finishTone) }
      if active.shouldVibrateOnFinish { trial.perform(.signal(step: step, .vibrate)) }
      say(active.finishedSpokenInstruction, .finished, &trial)
    }
    guard endsNow || active.shouldContinueOnFinish || trial.isUnattended else { return trial.beginScreen() }
    if trial.stimuli.keys.contains(where: { $0.step == step && $0.utterance == .finished }) {
      phase = .done(isLeft: true)
    } else {
      trial.leave(outcome)
    }
  }

  /// Stops what runs, apart from tones and speech.
  private mutating func stop(_ trial: inout StepContext) {
    trial.perform(.finish(step: trial.index))
    trial.stopTimer()
    if let sound { trial.stop(sound) }
    if phase == .running { trial.perform(.stopRecorders(step: trial.index, segment: segment)) }
  }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    switch phase {
    case .waiting, .done: break
    case .running, .paused: stop(&trial)
    }
  }

  // MARK: What happens

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    guard deed == .goOn else { return }
    switch phase {
    case .waiting:
      trial.beginScreen()
      start(&trial)
    case .running:
      if startsFinished {
        finish(.finished, &trial)
      } else if active.shouldUseNextAsSkipButton {
        finish(.skipped, &trial)
      }
    case .paused: break
    case .done:
      trial.stopSpeech { [step = trial.index] in $0.step == step }
      trial.leave(.finished)
    }
  }

  mutating func skip(_ trial: inout StepContext) {
    switch phase {
    case .waiting: trial.leave(.skipped)
    case .running, .paused: finish(.skipped, &trial)
    case .done: break
    }
  }

  mutating func take(_ event: StepEvent, _ trial: inout StepContext) {
    switch event {
    case .tick(let remaining): if phase == .running { tick(remaining, &trial) }
    case .timeUp:
      guard phase == .running else { return }
      (isTimeUp, timeLeft) = (true, .zero)
      finishWhenDone(&trial)
    case .soundScheduled(let sound, let moment): if self.sound == sound { onset = onset ?? moment }
    case .soundStarted(let sound, let onset):
      // A step that is paused already learns from the sound's end how much of it was played.
      guard phase == .running, self.sound == sound, trial.timerEnd == nil else { return }
      let end = onset.advanced(by: timeLeft)
      trial.startTimer(until: end)
      trial.expect(sound, by: end)
    case .soundEnded(let sound, let frames, let played): soundEnded(sound, frames, played, &trial)
    case .soundFailed(let sound):
      leaveWhenSpoken(sound, &trial)
      if self.sound == sound { (self.sound, isSoundDone) = (nil, true) }
    case .rated(let percent): rating = percent
    case .performed: break
    }
  }

  // MARK: Its stimulus

  /// Plays what is left of the stimulus, as the segment that runs.
  private mutating func play(_ trial: inout StepContext) {
    isSoundDone = false
    sound = trial.play(
      segment: segment, fromFrame: framesPlayed, isLocked: framesPlayed == 0 && music?.onset != nil)
  }

  private mutating func soundEnded(
    _ sound: SoundID, _ frames: Int, _ played: Duration, _ trial: inout StepContext
  ) {
    leaveWhenSpoken(sound, &trial)
    guard self.sound == sound else { return }
    self.sound = nil
    framesPlayed += frames
    self.played += played
    switch phase {
    case .running:
      isSoundDone = true
      // Where nothing was left to play, the rest of the step is silence.
      if trial.timerEnd == nil, !isTimeUp { trial.startTimer(until: trial.now.advanced(by: timeLeft)) }
      finishWhenDone(&trial)
    case .paused(let goesOn):
      // The step lasts as long as its stimulus, to the frame, however long the speaker took to report and to stop it.
      timeLeft = max(.zero, active.stepDuration - self.played)
      if goesOn { resume(&trial) }
    case .waiting, .done: break
    }
  }

  /// Leaves a step that waits for the end of what it says.
  private func leaveWhenSpoken(_ sound: SoundID, _ trial: inout StepContext) {
    if phase == .done(isLeft: true), sound.utterance == .finished { trial.leave(.finished) }
  }

  // MARK: Pauses

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool {
    switch (isPaused, phase) {
    case (true, .running):
      guard !startsFinished else { return false }
      suspend(&trial)
    case (false, .paused(let goesOn)):
      if sound == nil {
        resume(&trial)
      } else {
        // The sound still fades, so where it stopped is not known yet; another key takes it back.
        phase = .paused(goesOn: !goesOn)
      }
    default: return false
    }
    return true
  }

  private mutating func suspend(_ trial: inout StepContext) {
    if let end = trial.timerEnd { timeLeft = max(.zero, trial.now.duration(to: end)) }
    trial.stopTimer()
    if let sound { trial.stop(sound) }
    // The numbers that have not sounded are due at other moments.
    let counted = counted
    self.counted = []
    trial.stopSpeech { $0.utterance.map(counted.contains) ?? false }
    trial.perform(.stopRecorders(step: trial.index, segment: segment))
    trial.perform(.pause(true))
    phase = .paused(goesOn: false)
  }

  private mutating func resume(_ trial: inout StepContext) {
    phase = .running
    segment += 1
    // A stimulus that lasts as long as its step may have sounded to its end before the pause took effect.
    if music != nil, timeLeft == .zero { (isSoundDone, isTimeUp) = (true, true) }
    trial.perform(.pause(false))
    if !isTimeUp, music == nil || isSoundDone { trial.startTimer(until: trial.now.advanced(by: timeLeft)) }
    trial.perform(.startRecorders(step: trial.index, segment: segment))
    if music != nil, !isSoundDone { play(&trial) }
    finishWhenDone(&trial)
  }

  // MARK: Its time

  private mutating func tick(_ remaining: Duration, _ trial: inout StepContext) {
    if active.showsTime { trial.perform(.showRemaining(step: trial.index, remaining)) }
    let seconds = Int(remaining.seconds.rounded())
    if active.shouldSpeakRemainingTimeAtHalfway, !saidHalfway, remaining * 2 < active.stepDuration {
      saidHalfway = true
      tell(trial.phrases.remaining(seconds: seconds), &trial)
      sayRemaining(remaining, &trial)
    } else if active.shouldSpeakCountDown, (1...3).contains(seconds) {
      tell("\(seconds)", &trial)
    }
    countDown(remaining, &trial)
  }

  /// Asks for the numbers that are due within the next second, each for its own moment.
  private mutating func countDown(_ remaining: Duration, _ trial: inout StepContext) {
    guard active.shouldSpeakCountDown, let end = trial.timerEnd else { return }
    for (utterance, due) in Utterance.countDown
    where due <= remaining && remaining <= due + .seconds(1) && counted.insert(utterance).inserted {
      trial.speak(utterance, segment: segment, notBefore: end.advanced(by: .zero - due))
    }
  }

  /// From so many seconds on, the remaining time has been said before the countdown begins.
  private static let secondsToSayRemaining = 6

  /// Says the remaining time at halfway, unless that would take the time of the countdown.
  private func sayRemaining(_ remaining: Duration, _ trial: inout StepContext) {
    guard let seconds = active.secondsAtHalfway, remaining == .seconds(seconds),
      !active.shouldSpeakCountDown || seconds > Self.secondsToSayRemaining
    else { return }
    trial.speak(.remaining, segment: segment)
  }
}
