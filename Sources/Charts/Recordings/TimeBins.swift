import Basics

/// Intervals of time of one length, side by side.
struct TimeBins {
  /// So many are drawn at most.
  static let most = 2000

  let start: Double
  let width: Double
  let count: Int

  /// Intervals that cover the time between two instants, of a round length that gives 30 at most.
  init(from first: Double, to last: Double) {
    let widths: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400]
    let width = widths.first { (last - first) / $0 <= 29 } ?? ((last - first) / 29).rounded(.up)
    (start, self.width, count) = Self.cover(first, last, width, count: Int(Self.count(first, last, width)))
  }

  /// Intervals that cover the time between two instants; they begin at multiples of their length.
  init(from first: Double, to last: Double, width: Double) throws(TooManyIntervals) {
    let count = Self.count(first, last, width)
    guard count <= Double(Self.most) else {
      throw TooManyIntervals(width: width, count: count, least: (last - first) / Double(Self.most - 1))
    }
    (start, self.width, self.count) = Self.cover(first, last, width, count: Int(count))
  }

  private static func cover(_ first: Double, _ last: Double, _ width: Double, count: Int) -> (Double, Double, Int) {
    ((first / width).rounded(.down) * width, width, count)
  }

  private static func count(_ first: Double, _ last: Double, _ width: Double) -> Double {
    (last / width).rounded(.down) - (first / width).rounded(.down) + 1
  }

  /// The interval that a time lies in, or the nearest.
  func index(of time: Double) -> Int { Int(min(max(0, (time - start) / width), Double(count - 1))) }

  /// A length as people say it: `0.5 s`, `10 s`, `2 min`.
  static func text(_ width: Double) -> String {
    let (value, unit) = width < 60 ? (width, "s") : (width / 60, "min")
    return "\(number(value)) \(unit)"
  }

  /// A number of seconds or minutes, with up to two digits after the point, none of which is needless.
  static func number(_ value: Double) -> String {
    for digits in 0..<2 where (value * Decimal.power(UInt(digits))).rounded() == value * Decimal.power(UInt(digits)) {
      return value.fixed(digits)
    }
    return value.fixed(2)
  }
}

/// A length that would make more intervals than a picture can show.
package struct TooManyIntervals: Error, Hashable, Sendable, CustomStringConvertible {
  /// The length that was asked for, in seconds.
  package let width: Double
  /// How many it would make.
  package let count: Double
  /// The shortest length that makes no more than can be shown, in seconds.
  package let least: Double

  /// How many there would be, and what would do.
  package var description: String {
    let count = self.count < 1e15 ? self.count.fixed(0) : "\(self.count)"
    // Rounded up, lest what is advised be refused.
    let digits = least < 100 ? 1 : 0
    let least = ((self.least * Decimal.power(UInt(digits))).rounded(.up) / Decimal.power(UInt(digits))).fixed(digits)
    return
      "intervals of \(TimeBins.number(width)) s would be \(count) of them, and \(TimeBins.most) are the most that are drawn; "
      + "intervals of \(least) s or longer can be"
  }
}
