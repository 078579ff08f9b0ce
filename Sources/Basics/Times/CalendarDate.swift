/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The year, from 1 to 9999.
  package let year: Int
  /// The month, from 1 to 12.
  let month: Int
  /// The day of the month, from 1.
  let day: Int

  /// Creates a date; `nil` if it does not exist.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let number = WallTime.day(ofYear: Int64(year), month: Int64(month), day: Int64(day))
    guard WallTime.date(ofDay: number) == (Int64(year), Int64(month), Int64(day)) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Parses `1990-02-28`; `nil` for any other text, and for dates that do not exist.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard bytes[range].allSatisfy({ (48...57).contains($0) }) else { return nil }
      return Int(String(decoding: bytes[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The age in whole years, on a later day, of a person born on this day; negative for an earlier day.
  ///
  /// For a birth on 29 February, the birthday in common years is 1 March.
  package func years(until later: CalendarDate) -> Int {
    later.year - year - ((later.month, later.day) < (month, day) ? 1 : 0)
  }

  /// Orders by time.
  package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// `1990-02-28`.
  package var description: String {
    func digits(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: width - text.count) + text
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }
}

/// Times of day without a date, `10:04:06.250`, in the order in which they were written.
package struct ClockTime: Hashable, Sendable {
  private static let day: Int64 = 86_400_000_000

  private var last: Int64?
  private var days: Int64 = 0

  /// Creates a clock that has shown no time yet.
  package init() {}

  /// The microseconds from the midnight before the first time to this one; `nil` for a text that is no time of day.
  ///
  /// A time that is more than twelve hours before the last one is of the next day.
  package mutating func take(_ text: String) -> Int64? {
    guard let time = Self.microseconds(text) else { return nil }
    if let last, last - time > Self.day / 2 { days += 1 }
    if let last, time - last > Self.day / 2, days > 0 { days -= 1 }
    last = time
    return time + days * Self.day
  }

  /// The microseconds of `10:04:06`, `9:04:06.25` or `10:04:06,250`; `nil` for any other text.
  ///
  /// Fractions are rounded down to the microsecond.
  package static func microseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 32 else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, (1...2).contains(parts[0].count), parts[1].count == 2 else { return nil }
    let seconds = parts[2].prefix(2)
    let fraction = parts[2].dropFirst(2)
    guard seconds.count == 2, fraction.isEmpty || fraction.count > 1 else { return nil }
    if let sign = fraction.first, sign != UInt8(ascii: "."), sign != UInt8(ascii: ",") { return nil }
    func number(_ digits: ArraySlice<UInt8>) -> Int64? {
      digits.allSatisfy { (48...57).contains($0) } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
    }
    guard let hour = number(parts[0]), let minute = number(parts[1]), let second = number(seconds), minute < 60,
      second <= 60, fraction.dropFirst().allSatisfy({ (48...57).contains($0) })
    else { return nil }
    let digits = fraction.dropFirst().prefix(6)
    let part = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
    let scale = (digits.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
    return ((hour * 60 + minute) * 60 + second) * 1_000_000 + part * scale
  }
}
