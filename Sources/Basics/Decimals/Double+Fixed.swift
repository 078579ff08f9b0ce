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

extension Double {
  /// The number for people: at most three decimals, without trailing zeros.
  package var brief: String {
    guard magnitude < 1e12, self == 0 || magnitude >= 0.001 else { return "\(self)" }
    var text = fixed(3)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension ClosedRange<Double> {
  /// The ends for people: `-10 to 0`.
  package var brief: String { "\(lowerBound.brief) to \(upperBound.brief)" }
}
