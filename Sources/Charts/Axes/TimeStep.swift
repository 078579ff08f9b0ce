import Quantities

/// A step along an axis of time, and how the places it leads to are written.
struct TimeStep: Sendable {
  let seconds: Double

  /// Steps since a zero.
  static let elapsed =
    ([1, 2, 5, 10, 15, 30] + [1, 2, 5, 10, 15, 30].map { $0 * 60 } + [1, 2, 3, 4, 6, 12, 24, 48].map { $0 * 3600 }
    + [5, 10, 25, 50, 100, 250, 500, 1000, 10_000, 100_000, 1_000_000].map { $0 * 86_400 }).map(TimeStep.init)

  /// Steps of the clock and the calendar.
  static let clock =
    ([1, 2, 5, 10, 15, 30] + [1, 2, 5, 10, 15, 30].map { $0 * 60 } + [1, 2, 3, 4, 6, 12].map { $0 * 3600 }
    + [1, 2, 7, 14, 28, 56, 112, 365, 730, 3650, 36_500, 365_000].map { $0 * 86_400 }).map(TimeStep.init)

  /// A time since the zero: `30 s`, `5 min`, `1:30 min`, `2 h`, `1:30 h`.
  func elapsedText(at time: Double, until last: Double) -> String {
    let whole = Int(time.magnitude.rounded())
    let sign = time < 0 ? "−" : ""
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    if seconds >= 3600 { return "\(sign)\(whole / 3600) h" }
    if seconds >= 60 {
      return last <= 5400 ? "\(sign)\(whole / 60) min" : "\(sign)\(whole / 3600):\(two(whole / 60 % 60)) h"
    }
    return last <= 180 ? "\(sign)\(whole) s" : "\(sign)\(whole / 60):\(two(whole % 60)) min"
  }

  /// A time of the clock, or a day where the step is one: `14:05`, `14:05:30`, `12 Nov`.
  func clockText(at time: Double) -> String {
    let whole = Int(time.rounded())
    let day = Int((Double(whole) / 86_400).rounded(.down))
    let second = whole - day * 86_400
    guard second != 0 else { return Self.dayText(day) }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    let minutes = "\(two(second / 3600)):\(two(second / 60 % 60))"
    return seconds < 60 ? "\(minutes):\(two(second % 60))" : minutes
  }

  /// A day, counted from 1970-01-01: `12 Nov`, and on the first of January the year as well.
  static func dayText(_ day: Int) -> String {
    let date = WallTime(milliseconds: Int64(day) * 86_400_000).description.split(separator: "T").first ?? ""
    let parts = date.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]) else { return String(date) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let text = "\(parts[2]) \(months[parts[1] - 1])"
    return parts[1] == 1 && parts[2] == 1 ? "\(text) \(parts[0])" : text
  }
}
