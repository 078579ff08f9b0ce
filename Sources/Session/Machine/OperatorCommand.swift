package import Quantities

/// What an operator asks of a session, by key or console.
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
  /// Ends the trial and performs it again; what was recorded is kept, and superseded.
  case repeatTrial
  /// Pauses the session when the trial is over.
  case pauseAfterTrial
  /// Ends the trial, and with it the session.
  case end
  /// Answers what the station asks.
  case answer(StationAnswer)
}

/// The answer to a ``StationQuestion``.
package enum StationAnswer: Hashable, Sendable {
  /// Go on as it is.
  case goOn
  /// Do it again: wait for samples, or perform the trial.
  case again
  /// End the session.
  case end
}
