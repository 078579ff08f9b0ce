import Basics

/// Distinguishes intervals that were written twice from beats that were delivered together.
package enum Repetition: Sendable {
  // A longer time is a gap between beats, in seconds.
  private static let maxLength = 3.0

  /// Whether repeated intervals fit the time better if they count once.
  ///
  /// - Parameters:
  ///   - ends: the end of each interval, in seconds, ascending.
  ///   - intervals: the intervals in milliseconds.
  ///   - isRepeated: whether an equal interval with the same end precedes it.
  /// - Returns: whether they count once; `false` also if nothing is repeated.
  package static func isOne(ends: [Double], intervals: [Double], isRepeated: [Bool]) -> Bool {
    let time = zip(ends, ends.dropFirst()).reduce((intervals.first ?? 0) / 1000) { $0 + min($1.1 - $1.0, maxLength) }
    let all = intervals.reduce(0, +) / 1000
    let twice = zip(intervals, isRepeated).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / 1000
    return twice > 0 && (all - twice - time).magnitude <= (all - time).magnitude
  }
}
