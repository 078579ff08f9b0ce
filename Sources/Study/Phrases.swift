/// The audience of a trial's screen.
package enum Display: String, Hashable, Sendable, CaseIterable {
  /// The participant: title, text and remaining time on the whole screen, and no measurements.
  case participant
  /// The operator: lines with the heart rate, the state of the sensors, clip and verdict.
  case `operator`
}

/// The station's own texts for a participant, by the keys under which a protocol may replace them.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
  /// The prompt that Return continues.
  case goOn = "continue"
  /// The prompt that Return starts the step.
  case start
  /// The prompt that Return ends a step without a timer.
  case finish
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

  /// The announcement of the remaining seconds.
  package func remaining(seconds: Int) -> String { self[.secondsRemaining].replacing("{seconds}", with: "\(seconds)") }
}
