package import Basics

/// A universally unique identifier (RFC 9562) of any version.
package struct UUID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The first eight bytes, big-endian.
  package let high: UInt64

  /// The last eight bytes, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a version 4 UUID: 122 random bits.
  init(using generator: inout some RandomNumberGenerator) {
    self.init(version: 4, high: generator.next(), low: generator.next())
  }

  /// Creates a version 4 UUID with the system's random generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates a version 7 UUID, which sorts by time: 48 bits of time, 74 random bits.
  ///
  /// - Parameters:
  ///   - time: the wall-clock time, in milliseconds since 1970.
  ///   - generator: the source of the random bits.
  package init(time: WallTime, using generator: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
    self.init(version: 7, high: milliseconds << 16 | generator.next() & 0x0FFF, low: generator.next())
  }

  /// Creates a version 8 UUID from 122 of these bits.
  ///
  /// For example from a digest, so that the same thing always gets the same UUID.
  package init(derivedFrom high: UInt64, _ low: UInt64) { self.init(version: 8, high: high, low: low) }

  private init(version: UInt64, high: UInt64, low: UInt64) {
    self.init(
      high: high & ~0xF000 | version << 12, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// Parses 36 characters, upper or lower case; `nil` for any other text.
  package init?(_ text: String) {
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var index = 0
    for byte in text.utf8 {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        guard index < 36 else { return nil }
        words = (words.high << 4 | words.low >> 60, words.low << 4 | UInt64(digit))
      }
      index += 1
    }
    guard index == 36 else { return nil }
    self.init(high: words.high, low: words.low)
  }

  /// The version: 4 for random UUIDs, 7 for those that sort by time; `nil` for variants other than RFC 9562's.
  package var version: Int? { low >> 62 == 2 ? Int(high >> 12 & 0xF) : nil }

  /// Orders by bytes.
  package static func < (left: UUID, right: UUID) -> Bool { (left.high, left.low) < (right.high, right.low) }

  /// 36 characters in lower case: `019a9c2e-5d42-7cc3-98c4-dc0c0c07398f`.
  package var description: String {
    let digits: StaticString = "0123456789abcdef"
    return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var index = 0
      for position in 0..<32 {
        if position == 8 || position == 12 || position == 16 || position == 20 {
          unsafe buffer[index] = UInt8(ascii: "-")
          index += 1
        }
        let word = position < 16 ? high : low
        let digit = Int(word >> UInt64(60 - position % 16 * 4) & 0xF)
        unsafe (buffer[index] = digits.utf8Start[digit])
        index += 1
      }
      return 36
    }
  }
}
