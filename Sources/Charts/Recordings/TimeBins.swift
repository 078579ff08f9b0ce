import Basics

/// Adjacent time intervals of equal length.
struct TimeBins {
  /// The maximum number of intervals drawn.
  static let maxCount = 2000

  let start: Double
  let width: Double
  let count: Int

  /// Creates intervals between two instants, with a round length that gives at most 30.
  init(from first: Double, to last: Double) {
    let widths: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]
    let width = widths.first { (last - first) / $0 <= 29 } ?? ((last - first) / 29).rounded(.up)
    (start, self.width, count) = Self.cover(first, last, width, count: Int(Self.count(first, last, width)))
  }

  /// Creates intervals between two instants, aligned to multiples of their length.
  init(from first: Double, to last: Double, width: Double) throws(TooManyIntervals) {
    let count = Self.count(first, last, width)
    guard count <= Double(Self.maxCount) else {
      throw TooManyIntervals(width: width, count: count, least: (last - first) / Double(Self.maxCount - 1))
    }
    (start, self.width, self.count) = Self.cover(first, last, width, count: Int(count))
  }

  private static func cover(_ first: Double, _ last: Double, _ width: Double, count: Int) -> (Double, Double, Int) {
    ((first / width).rounded(.down) * width, width, count)
  }

  private static func count(_ first: Double, _ last: Double, _ width: Double) -> Double {
    (last / width).rounded(.down) - (first / width).rounded(.down) + 1
  }

  /// The interval that contains a time, or the nearest one.
  func index(of time: Double) -> Int { Int(min(max(0, (time - start) / width), Double(count - 1))) }

  /// A length with its unit: `0.5 s`, `10 s`, `2 min`.
  static func text(_ width: Double) -> String {
    let (value, unit) = width < 60 ? (width, "s") : (width / 60, "min")
    return "\(number(value)) \(unit)"
  }

  /// A number of seconds or minutes, with up to two decimals and no trailing zeros.
  static func number(_ value: Double) -> String {
    for digits in 0..<2 where (value * Decimal.power(UInt(digits))).rounded() == value * Decimal.power(UInt(digits)) {
      return value.fixed(digits)
    }
    return value.fixed(2)
  }
}

/// An interval length that would give more intervals than a picture can show.
package struct TooManyIntervals: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested length in seconds.
  let width: Double
  /// The resulting number of intervals.
  let count: Double
  /// The shortest possible length, in seconds.
  let least: Double

  /// The number of intervals, and the shortest possible length.
  package var description: String {
    let count = self.count < 1e15 ? self.count.fixed(0) : "\(self.count)"
    // Rounded up, so that the suggested length is accepted.
    let digits = least < 100 ? 1 : 0
    let least = ((self.least * Decimal.power(UInt(digits))).rounded(.up) / Decimal.power(UInt(digits))).fixed(digits)
    return
      "intervals of \(TimeBins.number(width)) s would be \(count) of them, and \(TimeBins.maxCount) are the most that are drawn; "
      + "intervals of \(least) s or longer can be"
  }
}
