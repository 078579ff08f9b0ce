import Basics

/// The length of the intervals of a statistics collection, in calendar units.
///
/// Months and days follow the zone's calendar: a day has 23 or 25 hours at a daylight-saving change. Hours, minutes and
/// seconds are elapsed time.
package struct IntervalComponents: Hashable, Sendable, CustomStringConvertible {
  /// Calendar months; a year is twelve of them.
  package let months: Int
  /// Calendar days; a week is seven of them.
  package let days: Int
  /// Elapsed seconds.
  package let seconds: Int

  private init(months: Int = 0, days: Int = 0, seconds: Int = 0) {
    self.months = months
    self.days = days
    self.seconds = seconds
  }
  /// Elapsed seconds.
  static func seconds(_ count: Int) throws(IntervalError) -> Self { try Self(count, "second") }

  /// One calendar day.
  package static let day = Self(days: 1)
  static let hour = Self(seconds: 3600)

  /// Reads `day`, `week`, `15 minutes`, `2 weeks`.
  ///
  /// - Throws: ``IntervalError`` for anything else, and for lengths below one or above 200 years.
  package init(_ text: String) throws(IntervalError) {
    let words = text.split(separator: " ").map(String.init)
    guard let word = words.last, words.count <= 2, let count = words.count == 1 ? 1 : Int(words[0]) else {
      throw IntervalError(text: text)
    }
    do throws(IntervalError) {
      try self.init(count, word.hasSuffix("s") ? String(word.dropLast()) : word)
    } catch {
      throw IntervalError(text: text)
    }
  }

  private init(_ count: Int, _ unit: String) throws(IntervalError) {
    let lengths: [String: (Int, Self)] = [
      "year": (12, Self(months: 1)), "month": (1, Self(months: 1)), "week": (7, Self(days: 1)), "day": (1, .day),
      "hour": (3600, Self(seconds: 1)), "minute": (60, Self(seconds: 1)), "second": (1, Self(seconds: 1)),
    ]
    guard let (factor, one) = lengths[unit], count >= 1 else { throw IntervalError(text: "\(count) \(unit)") }
    let (total, overflows) = count.multipliedReportingOverflow(by: factor)
    let limit = one.months > 0 ? 2400 : one.days > 0 ? 73_050 : 6_311_520_000
    guard !overflows, total <= limit else { throw IntervalError(text: "\(count) \(unit)s") }
    self.init(months: one.months * total, days: one.days * total, seconds: one.seconds * total)
  }

  /// The length in words: `1 month`, `7 days`, `900 seconds`.
  package var description: String {
    let (count, word) = months > 0 ? (months, "month") : days > 0 ? (days, "day") : (seconds, "second")
    return count.counted(word)
  }
}

/// An invalid interval length.
package struct IntervalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested length.
  let text: String

  /// The problem, and what to write instead.
  package var description: String {
    "“\(text)” is not a length of intervals; give second, minute, hour, day, week, month or year, with a number above "
      + "zero before it if there are several, and 200 years at most"
  }
}
