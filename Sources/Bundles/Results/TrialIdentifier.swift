public import Quantities

/// A trial's identifier: a UUID of version 7 (RFC 9562), so that trials sort by the time at which they began.
public struct TrialIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Thirty-six lower-case characters: `019a9c2e-5d42-7cc3-98c4-dc0c0c07398f`.
  public let description: String

  /// The identifier of a trial that begins now.
  ///
  /// - Parameters:
  ///   - time: the calendar's time, of which the milliseconds since 1970 are kept.
  ///   - generator: where the 74 random bits come from.
  public init(time: WallTime, using generator: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    let high = milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF
    let low = 0x8000_0000_0000_0000 | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    description = text
  }

  /// The identifier of a trial that begins now, from the system's source of randomness.
  public init(time: WallTime) {
    var generator = SystemRandomNumberGenerator()
    self.init(time: time, using: &generator)
  }

  /// Reads an identifier; `nil` for what is not a UUID of version 7 in lower-case letters.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return nil }
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return nil }
      case 14: guard byte == UInt8(ascii: "7") else { return nil }
      case 19: guard "89ab".utf8.contains(byte) else { return nil }
      default: guard "0123456789abcdef".utf8.contains(byte) else { return nil }
      }
    }
    description = text
  }

  /// When the trial began, to the millisecond.
  public var time: WallTime {
    let digits = description.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(12)
    return WallTime(milliseconds: Int64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0)
  }

  /// Earlier before later.
  public static func < (left: TrialIdentifier, right: TrialIdentifier) -> Bool { left.description < right.description }
}
