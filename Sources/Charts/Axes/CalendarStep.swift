import Basics
import Quantities

/// A step on an axis of days: days, weeks from Monday, or the first days of months and years.
enum CalendarStep: Hashable, Sendable {
  case days(Int)
  case weeks(Int)
  case months(Int)
  case years(Int)

  /// All steps, from the finest to the coarsest; the number of months divides a year.
  static let all: [CalendarStep] =
    [.days(1), .days(2), .weeks(1), .weeks(2), .months(1), .months(2), .months(3), .months(6)]
    + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map { .years($0) }

  /// The approximate length in days; never more than the actual length.
  var leastDays: Double {
    switch self {
    case .days(let count): Double(count)
    case .weeks(let count): Double(7 * count)
    case .months(let count): Double(28 * count)
    case .years(let count): Double(365 * count)
    }
  }

  /// The days of the step's ticks between two positions, counted from 1970-01-01.
  func days(from low: Double, to high: Double) -> [Int] {
    switch self {
    case .days(let count): Self.multiples(of: count, from: low, to: high)
    // 1970-01-05 was a Monday.
    case .weeks(let count): Self.multiples(of: 7 * count, from: low - 4, to: high - 4).map { $0 + 4 }
    case .months(let count): Self.firsts(every: count, from: low, to: high)
    case .years(let count): Self.firsts(every: 12 * count, from: low, to: high)
    }
  }

  /// The label of a tick: `12 Nov`, `Nov` or `2026`, with the year if the preceding label does not imply it.
  func text(of day: Int, after previous: Int?) -> String {
    let date = WallTime.date(ofDay: Int64(day))
    let isSameYear = previous.map { WallTime.date(ofDay: Int64($0)).year == date.year } ?? false
    let month = Self.months[Int(date.month) - 1]
    let text =
      switch self {
      case .days, .weeks: "\(date.day) \(month)"
      case .months: month
      case .years: ""
      }
    return text.isEmpty ? "\(date.year)" : isSameYear ? text : "\(text) \(date.year)"
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func multiples(of step: Int, from low: Double, to high: Double) -> [Int] {
    let first = Int((low / Double(step)).rounded(.up)) * step
    return Array(stride(from: first, through: Int(high.rounded(.down)), by: step))
  }

  /// The first days of every nth month, counted from January of the year 0.
  private static func firsts(every months: Int, from low: Double, to high: Double) -> [Int] {
    let date = WallTime.date(ofDay: Int64(low.rounded(.down)))
    let month = Int(date.year) * 12 + Int(date.month) - 1
    var next = Int((Double(month) / Double(months)).rounded(.down)) * months
    var firsts: [Int] = []
    while true {
      let year = Int((Double(next) / 12).rounded(.down))
      let day = Int(WallTime.day(ofYear: Int64(year), month: Int64(next - year * 12 + 1), day: 1))
      if Double(day) > high { return firsts }
      if Double(day) >= low { firsts.append(day) }
      next += months
    }
  }
}

/// A step on a time axis, with the format of its labels.
struct TimeStep: Sendable {
  let seconds: Double

  /// Steps since a zero time.
  static let elapsed =
    ([1, 2, 5, 10, 15, 30] + [1, 2, 5, 10, 15, 30].map { $0 * 60 } + [1, 2, 3, 4, 6, 12, 24, 48].map { $0 * 3600 }
    + [5, 10, 25, 50, 100, 250, 500, 1000, 10_000, 100_000, 1_000_000].map { $0 * 86_400 }).map(TimeStep.init)

  /// A time since zero: `30 s`, `5 min`, `1:30 min`, `2 h`, `1:30 h`.
  func elapsedText(at time: Double, until last: Double) -> String {
    let whole = Int(time.magnitude.rounded())
    let sign = time < 0 ? "−" : ""
    if seconds >= 3600 { return "\(sign)\(whole / 3600) h" }
    if seconds >= 60 {
      return last <= 5400 ? "\(sign)\(whole / 60) min" : "\(sign)\(whole / 3600):\((whole / 60 % 60).twoDigits) h"
    }
    return last <= 180 ? "\(sign)\(whole) s" : "\(sign)\(whole / 60):\((whole % 60).twoDigits) min"
  }
}
