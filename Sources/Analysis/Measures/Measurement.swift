/// A number with everything that is needed to make it again, or the reason why there is none.
public struct Measurement: Hashable, Sendable {
  /// What was measured.
  public let measure: Measure

  /// The number, or why there is none.
  public let outcome: Outcome

  /// The unit, as UCUM writes it: `/min`, `ms`, `ms2`, `%`; `1` for a number without one.
  public let unit: String

  /// How the number is defined, in a formula.
  public let definition: String

  /// What was chosen within the definition, in a fixed order.
  public let parameters: [Parameter]

  /// The name of the preset that made the choices.
  public let preset: String

  /// The time from the first beat used to the last, in seconds on the series' own axis.
  public let window: ClosedRange<Double>

  /// How many intervals went into the number.
  public let beatsUsed: Int

  /// The share of the recorded intervals that were corrected or left out as artefacts, from 0 to 1.
  public let artefactShare: Double

  /// What a reader should know before trusting the number; sentences.
  public let warnings: [String]

  /// A number, or a reason, with all that belongs to it.
  public init(
    measure: Measure, outcome: Outcome, unit: String, definition: String, parameters: [Parameter], preset: String,
    window: ClosedRange<Double>, beatsUsed: Int, artefactShare: Double, warnings: [String]
  ) {
    self.measure = measure
    self.outcome = outcome
    self.unit = unit
    self.definition = definition
    self.parameters = parameters
    self.preset = preset
    self.window = window
    self.beatsUsed = beatsUsed
    self.artefactShare = artefactShare
    self.warnings = warnings
  }

  /// The number; `nil` where there is none.
  public var value: Double? {
    if case .value(let number) = outcome { number } else { nil }
  }

  /// A number, or the reason why there is none.
  public enum Outcome: Hashable, Sendable {
    /// The number; finite.
    case value(Double)
    /// A sentence that says why there is no number.
    case missing(String)
  }

  /// One choice within a definition.
  public struct Parameter: Hashable, Sendable {
    /// What was chosen.
    public let name: String
    /// The choice, with its unit.
    public let value: String
  }
}
