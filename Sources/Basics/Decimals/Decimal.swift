import Glibc

/// Parsing of decimal numbers from bytes.
///
/// Up to 15 digits and powers of ten up to 22 are exact as doubles, so that a single multiplication or division rounds
/// correctly (Clinger, “How to read floating point numbers accurately”, 1990). Longer numbers are left to the standard
/// library.
package enum Decimal: Sendable {
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// A power of ten.
  package static func power(_ exponent: UInt) -> Double {
    exponent < UInt(powers.count) ? powers[Int(exponent)] : pow(10, Double(exponent))
  }

  /// Parses a number that occupies all of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - comma: whether the decimal separator is a comma instead of a point.
  /// - Returns: the number; `nil` for any other text, and for numbers that overflow.
  package static func number(_ bytes: Span<UInt8>, comma: Bool = false) -> Double? {
    var position = 0
    if let number = read(bytes, &position, comma: comma), position == bytes.count { return number }
    // Other forms that the standard library parses, such as “+.5”, limited to the characters of decimal numbers.
    let separator = comma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    var text = ""
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        text.unicodeScalars.append(Unicode.Scalar(bytes[index]))
      case separator: text.append(".")
      default: return nil
      }
    }
    guard text.last != ".", let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Parses a number at a position and moves past it.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - position: where the number begins; afterwards, where it ends.
  ///   - comma: whether the decimal separator is a comma instead of a point.
  /// - Returns: the number; `nil` if there is none, with the position undefined.
  package static func read(_ bytes: Span<UInt8>, _ position: inout Int, comma: Bool = false) -> Double? {
    let separator = comma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    let start = position
    let count = bytes.count
    var isNegative = false
    if position < count, bytes[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    var mantissa: UInt64 = 0
    var digits = 0
    let first = position
    while position < count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      digits += 1
      position += 1
    }
    guard position > first else { return nil }
    var exponent = 0
    if position < count, bytes[position] == separator {
      position += 1
      let point = position
      while position < count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
        position += 1
      }
      guard position > point else { return nil }
      exponent = point - position
    }
    if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      var sign = 1
      if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        sign = bytes[position] == UInt8(ascii: "-") ? -1 : 1
        position += 1
      }
      let point = position
      var power = 0
      while position < count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
        power = min(power * 10 + Int(digit), 100_000)
        position += 1
      }
      guard position > point else { return nil }
      exponent += sign * power
    }
    guard digits <= 15, exponent.magnitude <= 22 else {
      let text = bytes.extracting(start..<position)
      var ascii = ""
      for index in text.indices {
        ascii.unicodeScalars.append(text[index] == separator ? "." : Unicode.Scalar(text[index]))
      }
      guard let value = Double(ascii), value.isFinite else { return nil }
      return value
    }
    let magnitude = exponent < 0 ? Double(mantissa) / powers[-exponent] : Double(mantissa) * powers[exponent]
    return isNegative ? -magnitude : magnitude
  }
}

extension [UInt8] {
  /// Appends an integer in decimal digits.
  mutating func append(decimal number: Int) {
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
