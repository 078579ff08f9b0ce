/// The station's own texts for a participant, by the keys under which a protocol may replace them.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
  /// The prompt that Return continues.
  case goOn = "continue"
  /// The prompt that Return starts the step.
  case start
  /// The prompt that Return ends a step without a timer.
  case finish
  /// The prompt below a question.
  case answer
  /// The notice that an answer is needed, or is out of range; `{minimum}` and `{maximum}` are replaced by the numbers.
  case outOfRange
  /// The notice that the trial is paused.
  case paused
  /// The announcement at half of a step's time; `{seconds}` is replaced by the number.
  case secondsRemaining
  /// The notice that the trial is over.
  case end

  /// The default text.
  package var standard: String {
    switch self {
    case .goOn: "Press Return to continue"
    case .start: "Press Return to start"
    case .finish: "Press Return when you are done"
    case .answer: "Choose with the number or arrow keys, then press Return"
    case .outOfRange: "Please choose a number from {minimum} to {maximum}"
    case .paused: "Paused"
    case .secondsRemaining: "{seconds} seconds remaining"
    case .end: "This is the end. Thank you."
    }
  }
}

/// A protocol's own texts, with defaults for the others.
package struct Phrases: Hashable, Sendable {
  private var own: [Phrase: String]

  /// Creates texts for some phrases; the others have their defaults.
  package init(_ own: [Phrase: String] = [:]) { self.own = own }

  /// The text of a phrase.
  package subscript(phrase: Phrase) -> String { own[phrase] ?? phrase.standard }

  /// The notice that an answer is needed on this scale.
  package func outOfRange(of scale: ScaleAnswerFormat) -> String {
    self[.outOfRange].replacing("{minimum}", with: "\(scale.minimum)").replacing("{maximum}", with: "\(scale.maximum)")
  }

  /// The announcement of the remaining seconds.
  package func remaining(seconds: Int) -> String { self[.secondsRemaining].replacing("{seconds}", with: "\(seconds)") }
}
