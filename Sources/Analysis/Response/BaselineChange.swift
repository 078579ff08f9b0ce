/// The comparison of a number with its baseline.
package enum BaselineChange: String, CaseIterable, Hashable, Sendable {
  /// The number minus its baseline, in the number's unit.
  case difference
  /// The difference relative to the baseline, in percent.
  case percent

  /// The change; `nil` for a percentage of zero.
  package func change(of value: Double, from baseline: Double) -> Double? {
    switch self {
    case .difference: value - baseline
    case .percent: baseline == 0 ? nil : 100 * (value - baseline) / baseline
    }
  }

  /// The unit of a change of numbers in `unit`, both as UCUM writes them.
  package func unit(of unit: String) -> String { self == .percent ? "%" : unit }
}
