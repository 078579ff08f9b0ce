import Basics

/// Days and times as tables write them: `2026-11-19`, `19.11.2026`, `9:30 PM`, `2026-11-19 10:00`.
package enum CalendarText: Sendable {
  /// The day in RFC 3339's form, `2026-11-19`; `nil` for a text that is no day.
  ///
  /// A day may be followed by midnight, as spreadsheets write it. With slashes and the year at the end nothing tells
  /// whether the day or the month comes first, unless one of them is above 12.
  package static func day(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    guard let first = parts.first else { return nil }
    if parts.count > 1, parts[1].contains(where: { $0.isNumber && $0 != "0" }) { return nil }
    return dayAlone(first)
  }

  /// Whether a text is a day that cannot be a number.
  package static func isDayAlone(_ text: String) -> Bool { Int(text) == nil && day(text) != nil }

  private static func dayAlone(_ text: Substring) -> String? {
    func number(_ text: Substring) -> Int? { text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil }
    if text.utf8.count == 8, let digits = number(text) {
      return checked(digits / 10_000, digits / 100 % 100, digits % 100)
    }
    guard let sign = text.first(where: { "-./".contains($0) }),
      case let parts = text.split(separator: sign, omittingEmptySubsequences: false), parts.count == 3,
      let first = number(parts[0]), let second = number(parts[1]), let third = number(parts[2]),
      (1...2).contains(parts[1].utf8.count)
    else { return nil }
    if parts[0].utf8.count == 4 { return checked(first, second, third) }
    guard parts[2].utf8.count == 4 else { return nil }
    if sign != "/" || first > 12 { return checked(third, second, first) }
    return second > 12 ? checked(third, first, second) : nil
  }

  private static func checked(_ year: Int, _ month: Int, _ day: Int) -> String? {
    guard (1900...2999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(year)-\(padded(month))-\(padded(day))"
    return WallTime("\(text)T00:00:00Z") == nil ? nil : text
  }

  /// A day and a time of day as a local time, `2026-11-19T10:00:00.250000`; `nil` if one of them is none.
  package static func instant(day: String, time: String) -> String? {
    guard let day = Self.day(day), let time = clock(time), time.microseconds < 86_400_000_000 else {
      return nil
    }
    return WallTime("\(day)T00:00:00Z").map {
      String($0.advanced(by: .microseconds(time.microseconds)).precise.dropLast())
    }
  }

  /// A text with a day and a time of day, in one of the forms that RFC 3339 does not have, as a local time.
  package static func instant(_ text: String) -> String? {
    guard text.utf8.count <= 60 else { return nil }
    let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
    return parts.count == 2 ? dayAlone(parts[0]).flatMap { instant(day: $0, time: String(parts[1])) } : nil
  }

  /// The microseconds of a time of day as people write it, also without seconds, `10:04`, and with twelve hours,
  /// `9:04:06 PM`; `nil` for any other text.
  package static func clock(_ text: String) -> (microseconds: Int64, hasSeconds: Bool)? {
    guard text.utf8.count <= 40 else { return nil }
    let letters = text.lowercased().filter(\.isLetter)
    let half: Int64? = letters == "am" ? 0 : letters == "pm" ? 12 : nil
    let digits = half == nil ? text : String(text.prefix { !$0.isLetter }.filter { !$0.isWhitespace })
    let hasSeconds = digits.utf8.count { $0 == UInt8(ascii: ":") } == 2
    guard let time = ClockTime.microseconds(hasSeconds ? digits : digits + ":00") else { return nil }
    // Hours and minutes are a time of day, and not minutes and seconds.
    guard hasSeconds && half == nil || time < 86_400_000_000 else { return nil }
    guard let half else { return (time, hasSeconds) }
    let hours = time / 3_600_000_000
    guard (1...12).contains(hours) else { return nil }
    return (time + (hours % 12 + half - hours) * 3_600_000_000, hasSeconds)
  }

  /// A time of day with twenty-four hours and seconds; the text itself if it is none.
  package static func plainClock(_ text: String) -> String {
    guard let time = clock(text)?.microseconds, ClockTime.microseconds(text) == nil else { return text }
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let seconds = time / 1_000_000
    return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
      + padded(time % 1_000_000, 6)
  }
}
