import Basics
import Synchronization

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

/// A measured moment with its uncertainty.
package struct MeasuredMoment: Hashable, Sendable {
  /// The best estimate.
  package var moment: Moment

  /// The maximum deviation of the true moment from the estimate, on either side.
  package var uncertainty: Duration

  package init(moment: Moment, uncertainty: Duration) {
    self.moment = moment
    self.uncertainty = uncertainty
  }
}

/// A clock for recordings that are read as fast as possible: who sleeps on it wakes immediately, and it is then as late as
/// they wanted.
///
/// It serves one reader; several would wake in the order in which they go to sleep.
package final class RecordingClock: StationClock {
  private let time: Mutex<Moment>
  private let wall: WallTime
  private let start: Moment

  /// Creates a clock that shows the system's time.
  package init() {
    let reading = MonotonicClock().wallReading()
    (start, wall) = (reading.moment, reading.wall)
    time = Mutex(reading.moment)
  }

  package var now: Moment { time.withLock { $0 } }

  /// The resolution: 1 ns.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Makes it as late as the deadline; throws if the task is cancelled.
  package func sleep(until deadline: Moment, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }

  /// The wall clock, which advances with this clock.
  package func wallReading() -> WallReading {
    let now = now
    return WallReading(
      wall: wall.advanced(by: start.duration(to: now)), moment: now, uncertainty: .zero, isSynchronized: nil)
  }
}
