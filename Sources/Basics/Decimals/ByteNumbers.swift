extension [UInt8] {
  /// Appends an integer in decimal digits.
  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Appends a number with at most so many decimals, without zeros at their end; Swift's own form for one that is not
  /// finite or too large for that.
  ///
  /// - Parameters:
  ///   - number: the number.
  ///   - digits: the count of decimals, up to 9; halves are rounded away from zero.
  package mutating func append(_ number: Double, decimals digits: Int) {
    let scale = Decimal.power(UInt(digits))
    let rounded = (number * scale).rounded()
    guard rounded.magnitude < 9e15 else {
      self += "\(number)".utf8
      return
    }
    let (whole, rest) = Int(rounded.magnitude).quotientAndRemainder(dividingBy: Int(scale))
    if rounded < 0 { append(UInt8(ascii: "-")) }
    append(decimal: whole)
    guard rest > 0 else { return }
    append(UInt8(ascii: "."))
    var (place, left) = (Int(scale) / 10, rest)
    while left > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left / place))
      (left, place) = (left % place, place / 10)
    }
  }
}
