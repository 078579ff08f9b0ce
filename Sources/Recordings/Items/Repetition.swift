import Basics

/// Tells intervals that were written twice from beats that were delivered at once.
package enum Repetition: Sendable {
  // Longer than this is a gap between beats, in seconds.
  private static let longest = 3.0

  /// Whether intervals that stand twice at one time fit the time better when they count once.
  ///
  /// - Parameters:
  ///   - ends: when each ended, in seconds, ascending.
  ///   - intervals: in milliseconds.
  ///   - isRepeated: whether the same stood there before.
  /// - Returns: `false` too where nothing is repeated.
  package static func isOne(ends: [Double], intervals: [Double], isRepeated: [Bool]) -> Bool {
    let time = zip(ends, ends.dropFirst()).reduce((intervals.first ?? 0) / 1000) { $0 + min($1.1 - $1.0, longest) }
    let all = intervals.reduce(0, +) / 1000
    let twice = zip(intervals, isRepeated).reduce(0) { $0 + ($1.1 ? $1.0 : 0) } / 1000
    return twice > 0 && (all - twice - time).magnitude <= (all - time).magnitude
  }
}
