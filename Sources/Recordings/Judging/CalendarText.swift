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
  static func isDayAlone(_ text: String) -> Bool { Int(text) == nil && day(text) != nil }

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
  static func clock(_ text: String) -> (microseconds: Int64, hasSeconds: Bool)? {
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

extension CalendarText {
  /// How certainly a text is a day.
  package enum DayLikeness: Hashable, Sendable {
    case certain
    /// It may also be a version, a number or a word.
    case possible
  }

  /// Whether a text looks like a day, also in a spelling that is not read: `19-Nov-2026`, `11/9/2026`, `19.11.26`.
  package static func likeness(ofDay text: String) -> DayLikeness? {
    guard (3...40).contains(text.utf8.count) else { return nil }
    if isDayAlone(text) { return .certain }
    if text.utf8.count == 8, day(text) != nil { return .possible }
    let all = parts(text.lowercased())
    let parts = all.filter { !isName($0, of: weekdayNames) }
    if parts.isEmpty { return all.isEmpty ? nil : .possible }
    let months = parts.count { isName($0, of: monthNames) }
    let numbers = parts.compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
    guard numbers.count + months == parts.count, parts.count <= 3 else { return nil }
    if months == 1 {
      return numbers.contains { (1...31).contains($0) } ? (numbers.count == 2 ? .certain : .possible) : nil
    }
    guard numbers.count == 3 else { return nil }
    let isYear = parts.map { $0.utf8.count == 4 }
    func areDayAndMonth(_ first: Int, _ second: Int) -> Bool {
      (1...31).contains(max(first, second)) && (1...12).contains(min(first, second))
    }
    switch (isYear[0], isYear[1], isYear[2]) {
    case (true, false, false): return areDayAndMonth(numbers[1], numbers[2]) ? .certain : nil
    case (false, false, true): return areDayAndMonth(numbers[0], numbers[1]) ? .certain : nil
    case (false, false, false):
      return areDayAndMonth(numbers[0], numbers[1]) || areDayAndMonth(numbers[1], numbers[2]) ? .possible : nil
    default: return nil
    }
  }

  /// Whether a text looks like a time of day, also in a form that is not read: `10:00:00 CET`, `10h00`, `10.00.00`.
  static func looksLikeClock(_ text: String) -> Bool {
    guard (4...40).contains(text.utf8.count) else { return false }
    if clock(text) != nil { return true }
    let digits = String(text.drop { $0 == "T" }.prefix { $0.isNumber || ":.,h".contains($0) })
      .replacing("h", with: ":")
    let isDotted = !digits.contains(":") && digits.count { $0 == "." } == 2
    return clock(isDotted ? digits.replacing(".", with: ":") : digits) != nil
  }

  /// The numbers and the words of a text, also without a sign between them: `19nov2026`.
  private static func parts(_ text: String) -> [Substring] {
    text.split { " -./,_".contains($0) }.flatMap { part in
      let digits = part.prefix { $0.isNumber }
      let word = part[digits.endIndex...].prefix { $0.isLetter }
      return [digits, word, part[word.endIndex...]].filter { !$0.isEmpty }
    }
  }

  private static func isName(_ part: Substring, of names: [String]) -> Bool {
    part.count >= 3 && names.contains { $0.hasPrefix(part) }
  }

  // English, German and Dutch names.
  private static let monthNames = [
    "january", "januari", "february", "februari", "march", "märz", "mrz", "maart", "mrt", "april", "may", "mai", "mei",
    "june", "juni", "july", "juli", "augustus", "september", "october", "oktober", "november", "december", "dezember",
  ]

  private static let weekdayNames = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag", "dienstag", "mittwoch",
    "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "maandag", "dinsdag", "woensdag", "donderdag",
    "vrijdag", "zaterdag", "zondag",
  ]
}
