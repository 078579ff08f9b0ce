import Quantities

/// Distinguishes a missed deadline from a stall of this process.
///
/// After a stall longer than its patience, the station would blame a server that had answered in time, or that had
/// stalled too because the whole computer had. The station's own timer shows the stall: if the timer is late, the wait
/// starts again, once.
struct DeadlineGrace: Hashable, Sendable {
  /// The largest timer delay on a machine that keeps up.
  static let tolerance = Duration.milliseconds(100)

  private var extended: Moment?

  /// Decides whether to wait again.
  ///
  /// - Parameters:
  ///   - deadline: when the timer was due.
  ///   - limit: how long to wait for an answer.
  ///   - now: when the timer fired.
  /// - Returns: the new deadline; `nil` if the deadline has passed.
  mutating func extend(_ deadline: Moment, by limit: Duration, at now: Moment) -> Moment? {
    guard deadline.duration(to: now) > Self.tolerance, extended != deadline else { return nil }
    extended = deadline
    return now.advanced(by: limit)
  }
}
