package import Basics
import CSystem

/// The common clock of sound, sensors and journal.
package protocol StationClock: Clock, Sendable where Instant == Moment, Duration == Swift.Duration {
  /// Reads the wall clock together with this clock.
  func wallReading() -> WallReading

  /// Waits for what other clocks go by, such as a disk or a database; simulated time stands still meanwhile.
  func hold<Value>(during work: () async throws -> Value) async rethrows -> Value
}

extension StationClock {
  /// Only waits: real time goes on.
  package func hold<Value>(during work: () async throws -> Value) async rethrows -> Value {
    try await work()
  }
}

/// A simultaneous reading of the wall clock and the monotonic clock.
package struct WallReading: Hashable, Sendable {
  /// The wall-clock time.
  package var wall: WallTime

  /// The simultaneous moment of the monotonic clock.
  package var moment: Moment

  /// The uncertainty of the pairing: half the time that both readings took, without the wall clock's own error.
  package var uncertainty: Duration

  /// Whether the system reports its clock as synchronised; `nil` if it does not report that.
  package var isSynchronized: Bool?

  init(wall: WallTime, moment: Moment, uncertainty: Duration, isSynchronized: Bool?) {
    self.wall = wall
    self.moment = moment
    self.uncertainty = uncertainty
    self.isSynchronized = isSynchronized
  }
}

/// CLOCK_MONOTONIC and the system's wall clock.
package struct MonotonicClock: StationClock {
  package init() {}

  /// The current time of CLOCK_MONOTONIC.
  package var now: Moment { Moment(nanoseconds: csystem_monotonic_nanoseconds()) }

  /// The resolution: 1 ns.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Sleeps until the deadline; throws early only if the task is cancelled.
  package func sleep(until deadline: Moment, tolerance: Swift.Duration?) async throws {
    let clock = SuspendingClock()
    try await clock.sleep(until: clock.now + now.duration(to: deadline), tolerance: tolerance ?? .zero)
  }

  /// Reads the wall clock between two readings of the monotonic clock, several times, and keeps the tightest pair.
  package func wallReading() -> WallReading {
    var best: (wall: Int64, middle: Int64, width: Int64) = (0, 0, .max)
    for _ in 0..<5 {
      let before = csystem_monotonic_nanoseconds()
      let wall = csystem_realtime_nanoseconds()
      let after = csystem_monotonic_nanoseconds()
      if after - before < best.width { best = (wall, before + (after - before) / 2, after - before) }
    }
    // Shift the moment to a whole millisecond of the wall clock.
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
