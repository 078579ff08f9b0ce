extension Measure {
  /// How many digits after the point people are shown of a number of this measure.
  ///
  /// They are the same in a report, on a terminal and in a chart's description. Files for programs have all digits.
  ///
  /// - Parameters:
  ///   - number: the number, or the largest of those that stand under each other.
  ///   - unit: its unit, as UCUM writes it; a change in percent has another than its measure.
  /// - Returns: one digit for heart rates, milliseconds and percentages; none for counts, and for powers in ms² but for
  ///   those below 100, which have one; two for what has no unit, four where it is below 0.1.
  package func digits(of number: Double?, unit: String) -> Int {
    let size = number?.magnitude ?? .infinity
    return switch unit {
    case "/min", "%", "ms": 1
    case "ms2": size < 100 ? 1 : 0
    default: self == .nn50 ? 0 : size > 0 && size < 0.1 ? 4 : 2
    }
  }
}
