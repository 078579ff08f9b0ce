import Basics

/// An instant on the station's one clock, CLOCK_MONOTONIC.
///
/// PulseAudio's `pa_rtclock_now` and LSL's clock count on the same one. Nothing outside this run of the machine means
/// anything by it: files hold the time since a trial's zero instead.
///
/// Its arithmetic never overflows: a sum or difference beyond 292 years is held there, since times come from other
/// people's clocks and files.
package struct Moment: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the clock's own beginning.
  package var nanoseconds: Int64

  /// The instant that many nanoseconds after the clock's beginning.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant that much later; beyond the clock's range it is held at its end.
  package func advanced(by duration: Duration) -> Moment {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Moment(nanoseconds: isBeyond ? (nanoseconds < 0 ? .min : .max) : sum)
  }

  /// How much later `other` is; beyond 292 years it is held there.
  package func duration(to other: Moment) -> Duration {
    let (difference, isBeyond) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return .nanoseconds(isBeyond ? (other < self ? Int64.min : .max) : difference)
  }

  /// Earlier before later.
  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// `12.345678901 s`.
  package var description: String { "\(Double(nanoseconds) / 1e9) s" }
}
