package import Bundles
package import Quantities
import Study

/// Something that happens to a trial, from outside of its machine.
enum TrialInput: Hashable, Sendable {
  case begin
  /// A key was pressed at the terminal: its presenter says what it means.
  case pressed(OperatorKey)
  /// The participant did something on the screen.
  case answered(ScreenAnswer)
  /// A key was pressed whose presses the step may record.
  case key(String, made: MeasuredMoment)
  /// The participant moves the mark of a continuous rating here, in percent.
  case marked(Int)
  /// The mark of a continuous rating was moved, in percent.
  case rated(Int)
  /// The participant has asked to stop, and the operator has not decided.
  case awaitsDecision
  /// Something happened to the participant's page.
  case page(PageIncident)
  /// A screen was painted, or a picture on it.
  case painted(ScreenPaint)
  /// The operator asks for something.
  case command(OperatorCommand)
  /// Return cannot be pressed any more: standard input has ended.
  case inputEnded
  /// The time of the step that is left, in whole seconds; `timer` says which timer.
  case tick(timer: Int, remaining: Duration)
  /// The step's time is over.
  case timeUp(timer: Int)
  /// A stimulus is going to start at a moment.
  case soundScheduled(SoundID, at: Moment)
  /// The first frame of a stimulus left the sink.
  case soundStarted(SoundID, at: Moment)
  /// The last frame of a sound left the sink, or none will; `frames` counts those that were played since its start, and
  /// `played` is how long they last.
  case soundEnded(SoundID, frames: Int, played: Duration)
  /// A sound was lost, or could not be played.
  case soundFailed(SoundID, reason: String)
  /// The moment has come at which a sound's start or end is overdue.
  case soundOverdue(SoundID)
  /// The session has done what was asked of it, or could not.
  case performed(TrialEnd)
  /// Something broke that the trial cannot do without.
  case failed(reason: String)
  /// Late samples have arrived, or may not any more.
  case settled
}

/// What a participant does elsewhere than at a key of the station, such as at a page.
package enum ParticipantInput: Hashable, Sendable {
  case answered(ScreenAnswer)
  /// A key was pressed whose presses the step may record.
  case key(String, made: MeasuredMoment)
  /// The mark of a continuous rating is moved here, in percent.
  case marked(Int)
  /// The participant calls the operator.
  case called(ParticipantCall)
  /// The participant has asked to stop, and the operator has not decided: the trial is paused where it can be.
  case awaitsDecision
  /// Something happened to the participant's page.
  case page(PageIncident)
  /// A screen was painted, or a picture on it.
  case painted(ScreenPaint)
}

/// That a screen was painted for the first time, or that pictures appeared on it.
package struct ScreenPaint: Hashable, Sendable {
  /// The number of the screen in its trial.
  package var screen: Int
  package var painted: MeasuredMoment
  /// The pictures that were painted, by their digest, and their size in CSS pixels.
  package var pictures: [String: PictureSize]

  package init(screen: Int, painted: MeasuredMoment, pictures: [String: PictureSize]) {
    (self.screen, self.painted, self.pictures) = (screen, painted, pictures)
  }
}

/// Why a participant calls the operator; the words of the remark in the journal.
package enum ParticipantCall: String, Hashable, Sendable {
  case help = "the participant needs help"
  case stop = "the participant wants to stop"
}

/// What a trial's machine wants done, in this order.
enum TrialAction: Hashable, Sendable {
  /// A step is entered; one without a screen is not shown.
  case enter(step: Int, hasScreen: Bool)
  /// Show this, in the place of what was shown before.
  case show(Screen)
  /// The step's active part begins.
  case begin(step: Int)
  /// It is finished; the step may still wait for Return.
  case finish(step: Int)
  /// The step is over.
  case leave(step: Int, StepEnd)
  /// Run a timer until this moment, with a tick at every whole second that is left.
  case startTimer(Int, until: Moment)
  /// Cancel that timer.
  case stopTimer(Int)
  /// Show how much time is left.
  case showRemaining(step: Int, Duration)
  /// Start this segment of the step's recorders.
  case startRecorders(step: Int, segment: Int)
  case stopRecorders(step: Int, segment: Int)
  /// Give a signal without a sound.
  case signal(step: Int, Signal)
  /// Give a tone, or noise of −23 LUFS with this gain in decibels, after the sounds that were asked for before.
  case playTone(SoundID, gain: Double?)
  /// Say what the step says, after the sounds that were asked for before, and not before this moment.
  case speak(SoundID, at: Moment?)
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
  /// Have the session do something.
  case request(SessionRequest)
  /// Record samples from now on, which the participant has agreed to.
  case startRecording
  case ask(step: Int, Question)
  /// Record an answer, or that a required one is missing.
  case record(TrialAnswer)
  /// Record what the step notes, for this moment.
  case note(step: Int, NotedValue, at: Moment)
  /// Record a remark of the operator.
  case annotate(String, at: Moment)
  /// Record what happened to the participant's page.
  case recordPage(PageIncident, at: Moment)
  /// An answer of the step does not count any more.
  case withdraw(step: Int, Question)
  /// Record that the screen of a step was painted, or pictures on it.
  case recordPaint(step: Int, Question?, ScreenPaint, [StudyPicture])
  /// Record that a key was pressed.
  case recordKey(step: Int, String, made: MeasuredMoment)
  /// The trial is paused, or goes on.
  case pause(Bool)
  /// Tell the operator that the step cannot be paused.
  case refusePause(step: Int)
  /// Wait for late samples.
  case settle
  /// The trial is over.
  case close(TrialEnd)
}

/// What a step has its session do.
enum SessionRequest: Hashable, Sendable {
  /// Perform these trials, and send ``TrialInput/performed(_:)``.
  case trials([Int])
  /// Wait for the sensors no longer than this before the operator is asked, and send ``TrialInput/performed(_:)``.
  case sensors(within: Duration)
  /// Keep the name with which a consent was signed apart.
  case signature(ConsentSignature, ConsentStep)
  /// Play with this gain, in decibels, for the rest of the session.
  case volume(Double)
}

/// The answer to a question of a trial, or its absence.
struct TrialAnswer: Hashable, Sendable {
  /// The step's index.
  var step: Int
  /// The question's identifier.
  var question: String
  /// The answer; `nil` for a required question that was left without one.
  var value: AnswerValue?
  /// When the question was asked.
  var asked: Moment
  /// When it was left, by an answer or without one.
  var left: Moment
  /// How it was entered; `nil` for a question that was left without an answer.
  var input: AnswerInput?

  /// When it was shown: when its screen was painted, as far as that is known, else when it was asked.
  var shown: Moment { input?.painted?.moment ?? asked }

  /// When it was answered, or left: never before it was shown, although a pipe may have an answer earlier.
  var answered: Moment { max(shown, input?.made.moment ?? left) }
}

/// What a step says besides its text.
package enum Signal: Hashable, Sendable {
  /// Something that is felt or flashes.
  case vibrate
  /// A short tone.
  case sound
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
  /// The operator has it performed again.
  case repeated
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
    case .completed, .declined, .stopped, .skipped, .repeated: nil
    }
  }
}

/// Which sound of a trial is meant.
///
/// Every action on a sound and every event of the speaker carries it, so that what becomes of one sound is never taken
/// for another's.
struct SoundID: Hashable, Sendable {
  /// What a sound is in its step.
  enum Kind: Hashable, Sendable {
    /// The stimulus, or what is left of it after a pause, which is the next segment.
    case stimulus(segment: Int)
    /// The tone at the start of the step.
    case startTone
    case finishTone
    /// A noise of the step, numbered from 1: of one side of the headphones, or of both.
    case noise(Int, of: HeadphoneCheckStep.Side? = nil)
    /// What the step says; after a pause, what is asked for again is of the next segment.
    case speech(Utterance, segment: Int)
  }

  /// The step's index.
  var step: Int
  var kind: Kind

  init(step: Int, _ kind: Kind) {
    self.step = step
    self.kind = kind
  }

  /// Whether it is the stimulus, and not a tone or speech.
  var isStimulus: Bool {
    if case .stimulus = kind { true } else { false }
  }

  var isSpeech: Bool {
    if case .speech = kind { true } else { false }
  }
}
