import CSystem

/// A wall-clock time, in UTC with microseconds.
package struct WallTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let microseconds: Int64

  /// Creates a time from microseconds since 1970-01-01T00:00:00Z.
  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// Creates a time from milliseconds since 1970-01-01T00:00:00Z; saturates at 292,000 years.
  package init(milliseconds: Int64) {
    let (product, isBeyond) = milliseconds.multipliedReportingOverflow(by: 1000)
    microseconds = isBeyond ? (milliseconds < 0 ? .min : .max) : product
  }

  /// The first instant of the year 1.
  package static let earliest = WallTime(milliseconds: -62_135_596_800_000)

  /// The last microsecond of the year 9999.
  package static let latest = WallTime(microseconds: 253_402_300_799_999_999)

  /// Milliseconds since 1970-01-01T00:00:00Z, rounded down.
  package var milliseconds: Int64 { Self.divide(microseconds, by: 1000).quotient }

  /// The time later by a duration, rounded down to the microsecond.
  package func advanced(by duration: Duration) -> WallTime {
    let (sum, isBeyond) = microseconds.addingReportingOverflow(Self.divide(duration.nanoseconds, by: 1000).quotient)
    return WallTime(microseconds: isBeyond ? (microseconds < 0 ? .min : .max) : sum)
  }

  /// The time until `other`.
  package func duration(to other: WallTime) -> Duration {
    .microseconds(other.microseconds) - .microseconds(microseconds)
  }

  /// Orders by time.
  package static func < (left: WallTime, right: WallTime) -> Bool { left.microseconds < right.microseconds }

  /// RFC 3339 in UTC, rounded to the nearest millisecond, as in bundles: `2026-11-20T11:08:31.250Z`.
  package var description: String {
    let nearest = self < Self.latest.advanced(by: .microseconds(-500)) ? advanced(by: .microseconds(500)) : self
    return nearest.text(fraction: 3)
  }

  /// RFC 3339 in UTC without loss of precision: in microseconds if they are not zero, otherwise in milliseconds.
  package var precise: String { text(fraction: microseconds % 1000 == 0 ? 3 : 6) }

  private func text(fraction width: Int) -> String {
    let (days, rest) = Self.divide(microseconds, by: 86_400_000_000)
    let (year, month, day) = Self.date(ofDay: days)
    func digits(_ value: Int64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let fraction = width == 3 ? rest / 1000 % 1000 : rest % 1_000_000
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(rest / 3_600_000_000, 2)):"
      + "\(digits(rest / 60_000_000 % 60, 2)):\(digits(rest / 1_000_000 % 60, 2)).\(digits(fraction, width))Z"
  }

  // Division rounded down, with a non-negative remainder.
  private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// Parses RFC 3339 with any offset and any fraction of a second, and ResearchKit's offsets without a colon.
  ///
  /// Fractions are rounded down to the microsecond. `nil` for any other text, and for dates that do not exist.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int64(String(decoding: bytes[range], as: UTF8.self))
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
      let day = number(8..<10),
      has("T", at: 10) || has("t", at: 10) || has(" ", at: 10), let hour = number(11..<13), has(":", at: 13),
      let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
      (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60
    else { return nil }
    let dayNumber = Self.day(ofYear: year, month: month, day: day)
    guard Self.date(ofDay: dayNumber) == (year, month, day) else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if has(".", at: index) {
      var end = index + 1
      while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
      guard end > index + 1 else { return nil }
      let digits = String(decoding: bytes[(index + 1)..<min(end, index + 7)], as: UTF8.self)
      fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) ?? 0
      index = end
    }
    var offset: Int64 = 0
    if has("Z", at: index) || has("z", at: index) {
      index += 1
    } else {
      guard has("+", at: index) || has("-", at: index), let hours = number((index + 1)..<(index + 3)) else {
        return nil
      }
      let sign: Int64 = has("-", at: index) ? -1 : 1
      let colon = has(":", at: index + 3) ? 1 : 0
      guard let minutes = number((index + 3 + colon)..<(index + 5 + colon)), hours < 24, minutes < 60 else {
        return nil
      }
      offset = sign * (hours * 60 + minutes)
      index += 5 + colon
    }
    guard index == bytes.count else { return nil }
    microseconds = (((dayNumber * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000_000 + fraction
  }

  // Conversion between days and dates of the proleptic Gregorian calendar; years start in March, so that the leap day
  // is the last.

  /// The day of a date, counted from 1970-01-01.
  package static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a day, counted from 1970-01-01.
  package static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension WallTime: Codable {
  /// Decodes RFC 3339.
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let time = WallTime(text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "“\(text)” is not a time"))
    }
    self = time
  }

  /// Encodes the ``description``.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension WallTime {
  /// The current time of the system's wall clock.
  package static var now: WallTime { WallTime(microseconds: csystem_realtime_nanoseconds() / 1000) }

  /// Whole seconds since 1970, rounded down.
  var second: Int64 { microseconds / 1_000_000 - (microseconds % 1_000_000 < 0 ? 1 : 0) }
}
