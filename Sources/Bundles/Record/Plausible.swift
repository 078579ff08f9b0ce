/// Where a journal's numbers must lie; a line with another number is damaged, and costs no more than itself.
enum Plausible {
  /// Times since the zero: what every reader of JSON sees as the same number, 104 days either way.
  static let nanoseconds: ClosedRange<Int> = -(1 << 53)...(1 << 53)

  /// Numbers of records, frames, bytes and readings, and lengths of time in nanoseconds.
  static let counts: ClosedRange<Int> = 0...(1 << 53)

  /// Beats a minute.
  static let heartRates: ClosedRange<Double> = 0...100_000

  /// RR intervals in milliseconds.
  static let intervals: ClosedRange<Double> = 0...100_000

  /// Values of other quantities, in any unit.
  static let values: ClosedRange<Double> = -1e15...1e15

  /// A sender's own times in seconds, whatever they are counted from.
  static let senderTimes: ClosedRange<Double> = -1e12...1e12

  /// That a number lies outside of where it must lie; `nil` where it does not, or is missing.
  static func problem(of key: String, _ number: Double?, in range: ClosedRange<Double>) -> String? {
    guard let number, !range.contains(number) else { return nil }
    return "“\(key)” is \(number), which lies outside of \(range.lowerBound) to \(range.upperBound)"
  }

  /// The sum of two counts, held at the largest one.
  static func sum(_ first: Int, _ second: Int) -> Int { min(counts.upperBound, first + second) }
}
