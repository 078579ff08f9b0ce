package import Basics
import CSystem

/// The one clock that sound, heart and journal are stamped with.
package protocol StationClock: Clock, Sendable where Instant == Moment, Duration == Swift.Duration {
  /// The calendar's time now, read together with the clock itself.
  func wallReading() -> WallReading
}

/// One reading of the calendar beside the monotonic clock.
package struct WallReading: Hashable, Sendable {
  /// The calendar's time.
  package var wall: WallTime

  /// The moment to which it belongs.
  package var moment: Moment

  /// Half the time that reading both took: how far `wall` may be from `moment`, apart from the calendar's own error.
  package var uncertainty: Duration

  /// Whether the system says that its calendar is kept by a time server; `nil` where it does not say.
  package var isSynchronized: Bool?

  /// A reading.
  package init(wall: WallTime, moment: Moment, uncertainty: Duration, isSynchronized: Bool?) {
    self.wall = wall
    self.moment = moment
    self.uncertainty = uncertainty
    self.isSynchronized = isSynchronized
  }
}

/// CLOCK_MONOTONIC and the system's calendar.
package struct MonotonicClock: StationClock {
  /// The system's clock.
  package init() {}

  /// CLOCK_MONOTONIC now.
  package var now: Moment { Moment(nanoseconds: csystem_monotonic_nanoseconds()) }

  /// The clock's step: a nanosecond.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Waits until the deadline; ends early, with an error, only when the task is cancelled.
  package func sleep(until deadline: Moment, tolerance: Swift.Duration?) async throws {
    let clock = SuspendingClock()
    try await clock.sleep(until: clock.now + now.duration(to: deadline), tolerance: tolerance ?? .zero)
  }

  /// Reads the calendar between two readings of the monotonic clock, several times, and keeps the closest.
  package func wallReading() -> WallReading {
    var best: (wall: Int64, middle: Int64, width: Int64) = (0, 0, .max)
    for _ in 0..<5 {
      let before = csystem_monotonic_nanoseconds()
      let wall = csystem_realtime_nanoseconds()
      let after = csystem_monotonic_nanoseconds()
      if after - before < best.width { best = (wall, before + (after - before) / 2, after - before) }
    }
    // The moment is moved to where the calendar shows a whole millisecond.
    let milliseconds = best.wall / 1_000_000
    return WallReading(
      wall: WallTime(milliseconds: milliseconds),
      moment: Moment(nanoseconds: best.middle - (best.wall - milliseconds * 1_000_000)),
      uncertainty: .nanoseconds(best.width / 2 + 1),
      isSynchronized: Self.isSynchronized())
  }

  private static func isSynchronized() -> Bool? {
    let answer = csystem_calendar_is_synchronized()
    return answer < 0 ? nil : answer == 1
  }
}
