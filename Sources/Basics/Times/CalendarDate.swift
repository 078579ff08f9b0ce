/// A day of the proleptic Gregorian calendar, without a time zone.
package struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The year, from 1 to 9999.
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

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
