import Quantities

/// Whether a deadline has passed, or only the process stood still.
///
/// A station that did not run for longer than its patience would blame a server that has answered in time, or that stood
/// still as well because the whole computer did. The station's own timer tells: where it comes late, the wait begins
/// again, once.
struct DeadlineGrace: Hashable, Sendable {
  /// So late a timer comes on a machine that keeps up.
  static let tolerance = Duration.milliseconds(100)

  private var extended: Moment?

  /// Tells whether to wait again.
  ///
  /// - Parameters:
  ///   - deadline: when the timer was due.
  ///   - limit: how long an answer is waited for.
  ///   - now: when the timer came.
  /// - Returns: until when; `nil` where the deadline has passed.
  mutating func extend(_ deadline: Moment, by limit: Duration, at now: Moment) -> Moment? {
    guard deadline.duration(to: now) > Self.tolerance, extended != deadline else { return nil }
    extended = deadline
    return now.advanced(by: limit)
  }
}
