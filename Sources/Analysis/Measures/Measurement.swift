/// A number with everything that is needed to make it again, or the reason why there is none.
package struct Measurement: Hashable, Sendable {
  /// What was measured.
  package let measure: Measure

  /// The number, or why there is none.
  package internal(set) var outcome: Outcome

  /// The unit, as UCUM writes it: `/min`, `ms`, `ms2`, `%`; `1` for a number without one.
  package let unit: String

  /// How the number is defined, in a formula.
  package let definition: String

  /// What was chosen within the definition, in a fixed order.
  package let parameters: [Parameter]

  /// The name of the preset that made the choices.
  package let preset: String

  /// How artefacts were treated before, with the method's parameters; "none" where they were not.
  package let correction: String

  /// The time from the first beat used to the last, in seconds on the series' own axis.
  package let window: ClosedRange<Double>

  /// How much of the window the intervals used last together, in seconds; less than the window where there are gaps.
  package let knownSeconds: Double

  /// How many beats with the interval that each ends went into the number, or how many of a sensor's heart rates.
  package let beatsUsed: Int

  /// The share of the recorded intervals that were corrected or left out as artefacts, from 0 to 1.
  package let artefactShare: Double

  /// The window that was asked for and how much of it is known; that of ``window`` where none was asked for.
  package internal(set) var coverage: Coverage

  /// What a reader should know before trusting the number.
  package internal(set) var doubts: [Doubt]

  /// The same in sentences.
  package var warnings: [String] { doubts.map(\.sentence) }

  /// A number, or a reason, with all that belongs to it; what is known is the whole window unless it is said.
  package init(
    measure: Measure, outcome: Outcome, unit: String, definition: String, parameters: [Parameter], preset: String,
    correction: String = "none", window: ClosedRange<Double>, knownSeconds: Double? = nil, beatsUsed: Int,
    artefactShare: Double, doubts: [Doubt]
  ) {
    self.measure = measure
    self.outcome = outcome
    self.unit = unit
    self.definition = definition
    self.parameters = parameters
    self.preset = preset
    self.correction = correction
    self.window = window
    self.knownSeconds = knownSeconds ?? window.upperBound - window.lowerBound
    self.beatsUsed = beatsUsed
    self.artefactShare = artefactShare
    self.doubts = doubts
    let duration = window.upperBound - window.lowerBound
    coverage = Coverage(window: window, share: duration <= 0 ? 0 : min(1, self.knownSeconds / duration))
  }

  /// The number; `nil` where there is none.
  package var value: Double? {
    if case .value(let number) = outcome { number } else { nil }
  }

  /// A number, or the reason why there is none.
  package enum Outcome: Hashable, Sendable {
    /// The number; finite.
    case value(Double)
    /// A sentence that says why there is no number.
    case missing(String)
  }

  /// One choice within a definition.
  package struct Parameter: Hashable, Sendable {
    /// What was chosen.
    package let name: String
    /// The choice, with its unit.
    package let value: String

    /// A choice.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
