import Basics

/// An instant on the station's one clock, CLOCK_MONOTONIC.
///
/// PulseAudio's `pa_rtclock_now` and LSL's clock use the same clock. Its values are meaningless after a reboot: files
/// contain the time since a trial's zero instead.
///
/// Arithmetic saturates at 292 years instead of overflowing, since times may come from other clocks and from files.
package struct Moment: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the clock's origin.
  package var nanoseconds: Int64

  /// Creates the instant a number of nanoseconds after the clock's origin.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant later by a duration; saturates at the clock's range.
  package func advanced(by duration: Duration) -> Moment {
    let (sum, isBeyond) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return Moment(nanoseconds: isBeyond ? (nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The time until `other`; saturates at 292 years.
  package func duration(to other: Moment) -> Duration {
    let (difference, isBeyond) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return .nanoseconds(isBeyond ? (other < self ? Int64.min : .max) : difference)
  }

  /// Orders by time.
  package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  /// `12.345678901 s`.
  package var description: String { "\(Double(nanoseconds) / 1e9) s" }
}
