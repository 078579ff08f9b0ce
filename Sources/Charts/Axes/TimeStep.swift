import Basics

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
