package import Quantities

/// What an operator asks of a running trial, by key or console.
package enum OperatorCommand: Hashable, Sendable {
  /// Records a remark, which was begun at a moment.
  case annotate(String, at: Moment)
  /// Pauses the step or question, or goes on after a pause, whichever it does not do now.
  case togglePause
  /// Pauses the step or question.
  case pause
  /// Goes on after a pause.
  case resume
  /// Skips an optional step.
  case skipStep
  /// Ends the trial and goes on with the next one.
  case skipTrial
  /// Ends the trial, and with it the session.
  case end
}
