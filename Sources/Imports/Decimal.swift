internal import Glibc

/// A decimal number in bytes.
///
/// Up to 15 digits and powers of ten up to 22 are exact in doubles, so that one multiplication or division rounds
/// correctly (Clinger, “How to read floating point numbers accurately”, 1990); anything longer goes to the standard
/// library.
enum Decimal {
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// Ten to that power.
  static func power(_ exponent: UInt) -> Double {
    exponent < UInt(powers.count) ? powers[Int(exponent)] : pow(10, Double(exponent))
  }

  /// The number that all of the bytes are, with a point or a comma; `nil` for any other text, for what is not finite too.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, comma: Bool = false) -> Double? {
    let point = UInt8(ascii: comma ? "," : ".")
    var position = 0
    let count = bytes.count
    let isNegative = unsafe count > 0 && bytes[0] == UInt8(ascii: "-")
    if isNegative { position = 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var isFraction = false
    while position < count {
      let byte = unsafe bytes[position]
      if case let digit = byte &- UInt8(ascii: "0"), digit < 10 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
        if isFraction { decimals += 1 }
      } else if byte == point, !isFraction, digits > 0 {
        isFraction = true
      } else {
        return unsafe slowly(bytes, point)
      }
      position += 1
    }
    guard digits > 0, !isFraction || decimals > 0 else { return nil }
    guard digits <= 15 else { return unsafe slowly(bytes, point) }
    let value = Double(mantissa) / powers[decimals]
    return isNegative ? -value : value
  }

  // With exponents and many digits; only of what is in every decimal number.
  private static func slowly(_ bytes: UnsafeBufferPointer<UInt8>, _ point: UInt8) -> Double? {
    var text = ""
    for index in 0..<bytes.count {
      let byte = unsafe bytes[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case point: text.append(".")
      default: return nil
      }
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}
