extension JSONReader {
  /// Reads a string from its opening quote; parts without escapes are copied in bulk.
  mutating func string() throws(JSONProblem) -> String {
    let opening = position
    position += 1
    var text: [UInt8] = []
    var start = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let last = bytes[start..<position]
        position += 1
        let string =
          text.isEmpty ? String(validating: last, as: UTF8.self) : String(validating: text + last, as: UTF8.self)
        guard let string else { throw JSONProblem(offset: opening, reason: "this string is not valid UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        text += bytes[start..<position]
        try escape(into: &text)
        start = position
      case 0x0A, 0x0D:
        // The usual cause is a missing quote.
        throw JSONProblem(
          offset: opening,
          reason: "this string is not closed on its line; add the closing quote, or write a line break in it as \\n")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        throw problem("a control character in a string; write it as \\u00\(byte < 16 ? "0" : "")\(digits)")
      default:
        position += 1
      }
    }
    throw JSONProblem(offset: opening, reason: "this string has no closing quote")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    let backslash = position
    position += 2
    switch backslash + 1 < bytes.count ? bytes[backslash + 1] : 0 {
    case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"): text += try unicodeEscape(backslash).utf8
    default:
      throw JSONProblem(offset: backslash, reason: "no escape begins like this; a backslash is written \\\\")
    }
  }

  /// Reads the digits after `\u`, and a second escape if the first is a high surrogate.
  private mutating func unicodeEscape(_ backslash: Int) throws(JSONProblem) -> String {
    var code = try hexadecimalUnit()
    if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try hexadecimalUnit()
      guard (0xDC00..<0xE000).contains(second) else { throw halfPair(backslash) }
      code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw halfPair(backslash) }
    return String(Character(scalar))
  }

  private func halfPair(_ backslash: Int) -> JSONProblem {
    JSONProblem(offset: backslash, reason: "half a surrogate pair; a character above U+FFFF is written as two escapes")
  }

  private mutating func hexadecimalUnit() throws(JSONProblem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw problem("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
