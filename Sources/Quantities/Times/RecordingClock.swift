import Basics
import Synchronization

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

  /// The time.
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
