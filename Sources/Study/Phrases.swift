/// Who a trial's screen is for.
package enum Display: String, Hashable, Sendable, CaseIterable {
  /// The participant: title, text and what is left of the time, on the whole screen, and nothing that was measured.
  case participant
  /// The operator: lines with the heart rate, the state of the sensors, clip and verdict.
  case `operator`
}

/// What the station itself says to a participant, by the keys under which a protocol gives its own words.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
  /// Return goes on.
  case goOn = "continue"
  /// Return starts the step.
  case start
  /// Return ends a step without a timer.
  case finish
  /// The trial is paused.
  case paused
  /// What is said at half of a step's time; `{seconds}` stands for the number.
  case secondsRemaining
  /// The trial is over.
  case end

  /// The words of a protocol that gives none.
  package var standard: String {
    switch self {
    case .goOn: "Press Return to continue"
    case .start: "Press Return to start"
    case .finish: "Press Return when you are done"
    case .paused: "Paused"
    case .secondsRemaining: "{seconds} seconds remaining"
    case .end: "This is the end. Thank you."
    }
  }
}

/// A protocol's own words, and the standard ones beside them.
package struct Phrases: Hashable, Sendable {
  private var own: [Phrase: String]

  /// Words for some phrases; the others have the standard ones.
  package init(_ own: [Phrase: String] = [:]) { self.own = own }

  /// The words of a phrase.
  package subscript(phrase: Phrase) -> String { own[phrase] ?? phrase.standard }

  /// What is said when so many seconds are left.
  package func remaining(seconds: Int) -> String { self[.secondsRemaining].replacing("{seconds}", with: "\(seconds)") }
}
