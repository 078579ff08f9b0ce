package import Bundles
package import Quantities
package import Study

/// Something that happens to a trial, from outside of its machine.
package enum TrialInput: Hashable, Sendable {
  /// The trial begins.
  case begin
  /// Return was pressed.
  case next
  /// The participant asks to skip the step.
  case skip
  /// The trial is to pause, or to go on when it is paused.
  case togglePause
  /// The trial is to pause, or to go on, whichever it does now.
  case setPause(Bool)
  /// Return cannot be pressed any more: standard input has ended.
  case inputEnded
  /// A key was pressed: the presenter of an open question takes it, otherwise it is a command.
  case pressed(OperatorKey)
  /// A question was answered.
  case answered(step: String, question: String, AnswerValue)
  /// The open question was painted.
  case painted(step: String, question: String, at: Moment)
  /// The operator stops the trial.
  case stop
  /// The operator goes on with the next trial.
  case skipTrial
  /// So much of the step's time is left, in whole seconds; `timer` says which timer.
  case tick(timer: Int, remaining: Duration)
  /// The step's time is over.
  case timeUp(timer: Int)
  /// The first frame of a stimulus left the sink.
  case soundStarted(SoundID, at: Moment)
  /// The last frame of a sound left the sink, or none will; `frames` counts those that were played since its start, and
  /// `played` is how long they last.
  case soundEnded(SoundID, frames: Int, played: Duration)
  /// A sound was lost, or could not be played.
  case soundFailed(SoundID, reason: String)
  /// The moment has come at which a sound's start or end is overdue.
  case soundOverdue(SoundID)
  /// The trials of a step have been performed, or the last of them ended otherwise; or its sensors were checked.
  case performed(TrialEnd)
  /// Something broke that the trial cannot do without.
  case failed(reason: String)
  /// The operator remarked something at a moment.
  case annotated(String, at: Moment)
  /// Late samples have arrived, or may not any more.
  case settled
}

/// What a trial's machine wants done, in this order.
package enum TrialAction: Hashable, Sendable {
  /// Show this step; `waits` says that it goes on with Return.
  case show(step: Int, waits: Bool)
  /// The step's active part begins.
  case begin(step: Int)
  /// It is finished; the step may still wait for Return.
  case finish(step: Int)
  /// The step now waits for Return.
  case awaitNext(step: Int)
  /// Run a timer until this moment, with a tick at every whole second that is left.
  case startTimer(Int, until: Moment)
  /// Cancel that timer.
  case stopTimer(Int)
  /// Show how much time is left.
  case showRemaining(step: Int, Duration)
  /// Start this segment of the step's recorders.
  case startRecorders(step: Int, segment: Int)
  /// Stop them.
  case stopRecorders(step: Int, segment: Int)
  /// Give a signal without a sound.
  case signal(step: Int, Signal)
  /// Give the signal of a tone, after the sounds that were asked for before.
  case playTone(SoundID)
  /// Say what the step says, after the sounds that were asked for before, and not before this moment.
  case speak(SoundID, at: Moment?)
  /// Play noise of −23 LUFS with this gain, in decibels, after the sounds that were asked for before.
  case playNoise(SoundID, gain: Double)
  /// Show the gain that is being chosen.
  case showVolume(step: Int, gain: Double)
  /// The participant has chosen this gain for the rest of the session.
  case chooseVolume(step: Int, gain: Double)
  /// Play noise on one side, after the sounds that were asked for before.
  case playSide(SoundID)
  /// Show that the participant is to say on which side noise sounds, or that the check has failed (`nil`).
  case showListening(step: Int, HeadphoneCheckStep.Side?)
  /// Record the answer of a round.
  case recordRound(step: Int, HeadphoneAnswer)
  /// Record how an attempt of a headphone check ended.
  case recordHeadphones(step: Int, attempt: Int, errors: Int, isPassed: Bool)
  /// Play the stimulus from this frame on, after the sounds that were asked for before.
  case play(SoundID, fromFrame: Int)
  /// Let that sound fade out now, or do not play it where it still waits.
  case stopSound(SoundID)
  /// Send ``TrialInput/soundOverdue(_:)`` at this moment, and not at the one that was asked for earlier.
  case startSoundTimer(SoundID, until: Moment)
  /// Do not send it.
  case stopSoundTimer(SoundID)
  /// Wait for that sound no longer.
  case giveUpSound(SoundID, reason: String)
  /// Perform the trials of this step, and send ``TrialInput/performed(_:)``.
  case performTrials(step: Int, numbers: [Int])
  /// Wait for the sensors no longer than this before the operator is asked, and send ``TrialInput/performed(_:)``.
  case checkSensors(step: Int, limit: Duration)
  /// Record whether the participant consents.
  case consent(step: Int, isGiven: Bool)
  /// Keep the participant's signature apart.
  case sign(step: Int, name: String)
  /// Ask this question of the step.
  case ask(step: Int, Question)
  /// Record a remark of the operator.
  case annotate(String, at: Moment)
  /// Record that a key was pressed.
  case recordKey(step: Int, String, at: Moment)
  /// Record an answer, or that a required one is missing.
  case record(TrialAnswer)
  /// Show that the open question needs an answer, or another one.
  case refuse(step: Int, AnswerProblem)
  /// The step is over.
  case leave(step: Int, StepEnd)
  /// The trial is paused, or goes on.
  case pause(Bool)
  /// Tell the operator that the step cannot be paused.
  case refusePause(step: Int)
  /// Wait for late samples.
  case settle
  /// The trial is over.
  case close(TrialEnd)
}

/// What a step says besides its text.
package enum Signal: Hashable, Sendable {
  /// Something that is felt or flashes.
  case vibrate
  /// A short tone.
  case sound
  /// Words.
  case speech(String)
}

/// How a trial ended.
package enum TrialEnd: Hashable, Sendable {
  /// Every step was done.
  case completed
  /// The participant did not consent.
  case declined
  /// It was stopped by hand.
  case stopped
  /// The operator went on with the next trial.
  case skipped
  /// Its stimulus could not be played to its end; another trial may succeed.
  case soundLost(reason: String)
  /// Something broke.
  case failed(reason: String)

  /// Whether its stimulus could not be played to its end.
  package var isSoundLost: Bool { if case .soundLost = self { true } else { false } }

  /// Why it failed; `nil` for a trial that did not.
  package var failure: String? {
    switch self {
    case .soundLost(let reason), .failed(let reason): reason
    case .completed, .declined, .stopped, .skipped: nil
    }
  }
}
