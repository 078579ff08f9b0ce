import Basics

/// Finds days and times of day in columns that are not read, without which a row's instant is not clear.
package struct StrayTimes: Hashable, Sendable {
  // The first text of each column that may have days, by its index.
  private var possibleDays: [Int: String] = [:]

  package init() {}

  /// Why a row's instant is not clear, and what to do; `nil` if it is.
  package mutating func problem(_ columns: TableColumns, _ fields: [String]) -> String? {
    guard !columns.unread.isEmpty, let place = columns[columns.timeColumn] ?? columns[.start],
      fields.count == columns.count
    else { return nil }
    let time = fields[place]
    let hasClock = time.contains { " T".contains($0) }
    if columns.isDayTime ? CalendarText.day(time) != nil : !hasClock && CalendarText.isDayAlone(time) {
      return columns.unread.first { Self.isTimeOfDay($0, fields[$0.place]) }.map {
        "the column \($0.shown) has times of day beside days; name it “time”, and write times such as 10:00:00"
      }
    }
    guard columns[.day] == nil, CalendarText.clock(time) != nil else { return nil }
    return columns.unread.first { isDay($0, fields[$0.place]) }.map {
      "the column \($0.shown) has days beside times of day; name it “date”, and write days such as 2026-11-19"
    }
  }

  // What may be something else than a day is one where it changes.
  private mutating func isDay(_ column: TableColumns.Unread, _ text: String) -> Bool {
    switch CalendarText.likeness(ofDay: text) {
    case .certain: return true
    case .possible:
      defer { possibleDays[column.place] = possibleDays[column.place] ?? text }
      return possibleDays[column.place].map { $0 != text } ?? false
    case nil: return false
    }
  }

  private static func isTimeOfDay(_ column: TableColumns.Unread, _ text: String) -> Bool {
    let words = HeartColumn.words(in: column.name)
    if CalendarText.looksLikeClock(text) {
      // A duration may be written as a time of day.
      return !words.contains { word in ["duration", "sleep", "dauer"].contains { word.contains($0) } }
    }
    guard let first = words.first, times.contains(first), words.dropFirst().allSatisfy(details.contains) else {
      return false
    }
    return Decimal.number(text.utf8.span) != nil
  }

  // The first words of names of times, and those that may follow.
  private static let times: Set<Substring> = [
    "time", "clock", "hour", "hours", "hhmm", "hhmmss", "hms", "zeit", "uhrzeit", "stunde",
  ]
  private static let details: Set<Substring> = [
    "h", "hh", "hrs", "hour", "hours", "m", "mm", "min", "minutes", "s", "ss", "sec", "seconds", "hms", "hhmm",
    "hhmmss",
    "of", "day", "local", "utc", "gmt", "cet", "cest",
  ]
}
