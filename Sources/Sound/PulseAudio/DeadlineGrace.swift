import Quantities

/// Whether a deadline has passed, or only the process stood still.
///
/// PulseAudio's loop calls its timers before it reads what the server has sent. A station that did not run for longer than
/// its patience would blame a server that has answered in time; so a timer that comes late reads first, once.
struct DeadlineGrace: Hashable, Sendable {
  /// So late a timer comes on a machine that keeps up, and so long the answers are then waited for.
  static let tolerance = Duration.milliseconds(100)

  private var extended: Moment?

  /// Until when to wait for answers that may have come already; `nil` where the deadline has passed.
  mutating func extend(_ deadline: Moment, at now: Moment) -> Moment? {
    guard deadline.duration(to: now) > Self.tolerance, extended != deadline else { return nil }
    extended = deadline
    return now.advanced(by: Self.tolerance)
  }
}
