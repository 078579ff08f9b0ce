extension Double {
  /// The number with so many digits after the point, for people; halves are rounded away from zero.
  ///
  /// - Parameters:
  ///   - digits: how many, up to 15.
  ///   - minus: the sign of what is below zero after rounding.
  /// - Returns: the number; as Swift prints it where it is not finite, or has no room for that many exact digits.
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
  /// A number of minutes or seconds as clocks show it: with a leading zero below ten.
  package var twoDigits: String { (0..<10).contains(self) ? "0\(self)" : "\(self)" }
}
