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
}

/// A protocol's own texts, with the station's in a language for the others.
package struct Phrases: Hashable, Sendable {
  private var own: [Phrase: String]

  /// The language of the texts that the protocol does not replace.
  package var language: Language

  /// Creates texts for some phrases; the others are the station's, in a language.
  package init(_ own: [Phrase: String] = [:], language: Language = .english) {
    self.own = own
    self.language = language
  }

  /// The text of a phrase.
  package subscript(phrase: Phrase) -> String { own[phrase] ?? language.text(of: phrase) }

  /// The notice that an answer is needed on this scale.
  package func outOfRange(of scale: ScaleAnswerFormat) -> String {
    self[.outOfRange].replacing("{minimum}", with: "\(scale.minimum)").replacing("{maximum}", with: "\(scale.maximum)")
  }

  /// The announcement of the remaining seconds.
  package func remaining(seconds: Int) -> String { self[.secondsRemaining].replacing("{seconds}", with: "\(seconds)") }
}
