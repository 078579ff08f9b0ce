extension Double {
  /// The number with a fixed count of decimals, for display; halves are rounded away from zero.
  ///
  /// - Parameters:
  ///   - digits: the count of decimals, up to 15.
  ///   - minus: the sign of numbers that are negative after rounding.
  /// - Returns: the text; Swift's own form if the number is not finite, or too large for that many exact decimals.
  package func fixed(_ digits: Int, minus: String = "-") -> String {
    let scale = Decimal.power(UInt(digits))
    let rounded = (magnitude * scale).rounded()
    guard rounded < 1e15 else { return "\(self)" }
    let (whole, rest) = Int64(rounded).quotientAndRemainder(dividingBy: Int64(scale))
    let sign = self < 0 && rounded != 0 ? minus : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fraction = String(rest)
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension Int {
  /// The number with a leading zero below ten, as clocks show minutes and seconds.
  package var twoDigits: String { (0..<10).contains(self) ? "0\(self)" : "\(self)" }
}
