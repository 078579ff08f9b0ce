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
  package static func looksLikeClock(_ text: String) -> Bool {
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
