import Bundles
import Quantities
import Study

/// A kind of step that does something in a trial beside showing its texts.
protocol StepWithBehaviour: StepContent {
  /// What a step with this content does.
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour
}

/// What a step does in a trial: a pure state machine inside of the trial's.
protocol StepBehaviour: Sendable {
  /// The step has been shown.
  mutating func begin(_ trial: inout StepContext)

  /// The participant did something on the step's screen.
  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext)

  /// Something else happened.
  mutating func take(_ event: StepEvent, _ trial: inout StepContext)

  /// Pauses, or goes on.
  ///
  /// - Returns: whether it can.
  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool

  /// The step is skipped, where it may be.
  mutating func skip(_ trial: inout StepContext)

  /// The step is left, finished or not: stops what it has started.
  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext)

  /// Adds what the step shows to the texts of every step.
  func draw(_ screen: inout Screen, _ trial: StepContext)

  /// Whether participants see it.
  var hasScreen: Bool { get }

  /// Whether it would wait for a person without an end.
  var waitsForPerson: Bool { get }

  var isPaused: Bool { get }

  /// Whether keys move the mark of a continuous rating.
  var isRated: Bool { get }
}

extension StepBehaviour {
  mutating func begin(_ trial: inout StepContext) { if trial.isUnattended { trial.leave(.finished) } }
  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {}
  mutating func take(_ event: StepEvent, _ trial: inout StepContext) {}
  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool { false }
  mutating func skip(_ trial: inout StepContext) { trial.leave(.skipped) }
  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {}
  func draw(_ screen: inout Screen, _ trial: StepContext) {}
  var hasScreen: Bool { true }
  var waitsForPerson: Bool { true }
  var isPaused: Bool { false }
  var isRated: Bool { false }
}

/// What happens to a step beside the answers of its participant.
enum StepEvent: Hashable, Sendable {
  /// The time that is left, in whole seconds.
  case tick(Duration)
  /// Its timer has come to its end.
  case timeUp
  /// Its sound is going to start.
  case soundScheduled(SoundID, at: Moment)
  /// The first frame of its sound left the sink.
  case soundStarted(SoundID, at: Moment)
  /// Its sound is over, with so many frames that were played.
  case soundEnded(SoundID, frames: Int, played: Duration)
  /// Its stimulus or speech was lost, or could not be played.
  case soundFailed(SoundID)
  /// What it asked of the session was done.
  case performed
  /// The mark of its continuous rating was moved.
  case rated(Int)
}

/// A step that is only read; Return goes on.
struct ReadingBehaviour: StepBehaviour {
  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    if deed == .goOn { trial.leave(.finished) }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) { screen.buttons.insert(.goOn, at: 0) }
}
