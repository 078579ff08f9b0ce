extension Measure {
  /// The number of decimals with which a number of this measure is shown to people.
  ///
  /// It is the same in a report, on a terminal and in a chart's description. Files for programs have all digits.
  ///
  /// - Parameters:
  ///   - number: the number, or the largest one of a column of numbers.
  ///   - unit: its unit, as UCUM writes it; a change in percent has a different unit than its measure.
  /// - Returns: one decimal for heart rates, milliseconds and percentages; none for counts and for powers in ms²,
  ///   except powers below 100, which have one; two for numbers without a unit, four below 0.1.
  package func digits(of number: Double?, unit: String) -> Int {
    let size = number?.magnitude ?? .infinity
    return switch unit {
    case "/min", "%", "ms": 1
    case "ms2": size < 100 ? 1 : 0
    default: self == .nn50 ? 0 : size > 0 && size < 0.1 ? 4 : 2
    }
  }
}
