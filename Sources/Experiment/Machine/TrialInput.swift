public import Bundles
public import Quantities

/// Something that happens to a trial, from outside of its machine.
public enum TrialInput: Hashable, Sendable {
  /// The trial begins.
  case begin
  /// Return was pressed.
  case next
  /// The participant asks to skip the step.
  case skip
  /// The trial is to pause, or to go on when it is paused.
  case togglePause
  /// Nobody will press Return any more: standard input has ended.
  case inputEnded
  /// Somebody stops the trial.
  case stop
  /// So much of the step's time is left, in whole seconds; `timer` says which timer.
  case tick(timer: Int, remaining: Duration)
  /// The step's time is over.
  case timeUp(timer: Int)
  /// The first frame of the stimulus left the sink.
  case soundStarted(at: Moment)
  /// Its last frame left the sink; `frames` counts those that were played since the last start.
  case soundEnded(frames: Int)
  /// The sound was lost.
  case soundFailed(reason: String)
  /// Nothing was heard of the sound for too long; `timer` says which wait is meant.
  case soundOverdue(timer: Int)
  /// Late samples have arrived, or may not any more.
  case settled
}

/// What a trial's machine wants done, in this order.
public enum TrialAction: Hashable, Sendable {
  /// Show this step; `waits` says that it goes on with Return.
  case show(step: Int, waits: Bool)
  /// The step now waits for Return.
  case awaitNext(step: Int)
  /// Run a timer until this moment, with a tick at every whole second that is left.
  case startTimer(Int, until: Moment)
  /// Show how much time is left.
  case showRemaining(step: Int, Duration)
  /// Start this segment of the step's recorders.
  case startRecorders(step: Int, segment: Int)
  /// Stop them.
  case stopRecorders(step: Int, segment: Int)
  /// Give a signal.
  case signal(step: Int, Signal)
  /// Play the stimulus from this frame on, as this segment.
  case play(step: Int, segment: Int, fromFrame: Int)
  /// Let the sound fade out now.
  case stopSound
  /// Send ``TrialInput/soundOverdue(timer:)`` at this moment.
  case startSoundTimer(Int, until: Moment)
  /// Wait for the sound no longer.
  case giveUpSound(reason: String)
  /// The step is over.
  case leave(step: Int, StepEnd)
  /// The trial is paused, or goes on.
  case pause(Bool)
  /// Wait for late samples.
  case settle
  /// The trial is over.
  case close(TrialEnd)
}

/// What a step says besides its text.
public enum Signal: Hashable, Sendable {
  /// Something that is felt or flashes.
  case vibrate
  /// A short tone.
  case sound
  /// Words.
  case speech(String)
}

/// How a trial ended.
public enum TrialEnd: Hashable, Sendable {
  /// Every step was done.
  case completed
  /// Somebody stopped it.
  case stopped
  /// Something broke.
  case failed(reason: String)
}
