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

extension OperatorCommand {
  /// What the journal and consoles call it; `nil` for a remark, which has a record of its own, and for an answer.
  var name: String? {
    switch self {
    case .annotate, .answer: nil
    case .togglePause: "togglePause"
    case .pause: "pause"
    case .resume: "resume"
    case .skipStep: "skipStep"
    case .skipTrial: "skipTrial"
    case .repeatTrial: "repeatTrial"
    case .pauseAfterTrial: "pauseAfterTrial"
    case .end: "end"
    }
  }

  /// A command by its name; `nil` for none.
  init?(name: String) {
    let all: [OperatorCommand] = [
      .togglePause, .pause, .resume, .skipStep, .skipTrial, .repeatTrial, .pauseAfterTrial, .end,
    ]
    guard let found = all.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

/// The answer to a ``StationQuestion``.
package enum StationAnswer: String, Hashable, Sendable {
  case goOn
  /// Do it again: wait for samples, or perform the trial.
  case again
  /// End the session.
  case end
}

/// A key that the operator pressed.
package enum OperatorKey: Hashable, Sendable {
  /// Return, or the end of a line.
  case enter
  /// A letter or digit.
  case letter(Character)
  /// A character of a line in a pipe, which is never a command.
  case typed(Character)
  case arrow(Arrow)
  /// A key that moves further than an arrow key.
  case jump(Jump)
  /// What a terminal repeats while that key, other than Return, is held down.
  indirect case repeated(OperatorKey)
  /// The end of the input.
  case end
}

extension OperatorKey {
  /// The key itself, pressed or repeated.
  var pressed: OperatorKey { if case .repeated(let key) = self { key } else { self } }
}

/// A key that moves further than an arrow key.
package enum Jump: Hashable, Sendable {
  case pageUp
  case pageDown
  case home
  case end
}

/// The direction of an arrow key.
package enum Arrow: Hashable, Sendable {
  case left
  case right
  case up
  case down
}
