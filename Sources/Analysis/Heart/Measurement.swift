/// A number with everything that is needed to reproduce it, or the reason why there is none.
package struct Measurement: Hashable, Sendable {
  package let measure: Measure

  /// The number, or why there is none.
  package internal(set) var outcome: Outcome

  /// The unit, as UCUM writes it: `/min`, `ms`, `ms2`, `%`; `1` for a number without one.
  package let unit: String

  /// The definition as a formula.
  package let definition: String

  /// The choices within the definition, in a fixed order.
  package let parameters: [Parameter]

  /// The name of the preset that made the choices.
  let preset: String

  /// The artefact correction applied before, with its parameters; "none" without one.
  let correction: String

  /// The time from the first beat used to the last, in seconds on the series' own axis.
  package let window: ClosedRange<Double>

  /// The total duration of the intervals used, in seconds; less than the window if there are gaps.
  package let knownSeconds: Double

  /// The number of beats used, each with the interval that it ends, or of a sensor's heart rates.
  package let beatsUsed: Int

  /// The fraction of the recorded intervals that were corrected or dropped as artefacts, from 0 to 1.
  package let artefactShare: Double

  /// The requested window and its coverage; that of ``window`` if none was requested.
  package internal(set) var coverage: Coverage

  /// The caveats on the number.
  package internal(set) var caveats: [AnalysisCaveat]

  /// Creates a measurement; the known duration defaults to the whole window.
  init(
    measure: Measure, outcome: Outcome, unit: String, definition: String, parameters: [Parameter], preset: String,
    correction: String = "none", window: ClosedRange<Double>, knownSeconds: Double? = nil, beatsUsed: Int,
    artefactShare: Double, caveats: [AnalysisCaveat]
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
    self.caveats = caveats
    let duration = window.upperBound - window.lowerBound
    coverage = Coverage(window: window, share: duration <= 0 ? 0 : min(1, self.knownSeconds / duration))
  }

  /// The number; `nil` where there is none.
  package var value: Double? {
    if case .value(let number) = outcome { number } else { nil }
  }

  /// The reason why there is no number; `nil` where there is one.
  package var missing: MissingNumber? {
    if case .missing(let reason) = outcome { reason } else { nil }
  }

  /// A number, or the reason why there is none.
  package enum Outcome: Hashable, Sendable {
    /// The number; finite.
    case value(Double)
    /// The reason why there is no number.
    case missing(MissingNumber)
  }

  /// A choice within a definition.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    /// The value, with its unit.
    package let value: String
  }
}
