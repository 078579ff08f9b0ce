package import Basics
import Synchronization

/// A clock that is turned by hand: time passes only when told to.
package final class HandClock: StationClock {
  private struct Sleeper: Sendable {
    let deadline: Moment
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var now: Moment
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var nextSleeper = 0
  }

  private let state: Mutex<State>
  private let start: Moment
  private let wallAtStart: WallTime

  /// A clock that stands at `start`, when the calendar shows `wall`.
  package init(
    at start: Moment = Moment(nanoseconds: 1_000_000_000_000),
    wall: WallTime = WallTime(milliseconds: 1_700_000_000_000)
  ) {
    self.start = start
    wallAtStart = wall
    state = Mutex(State(now: start))
  }

  /// Where it was last turned to.
  package var now: Moment { state.withLock { $0.now } }

  /// A nanosecond.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// How many tasks are asleep on it: tests wait for this, not for time.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// When the next sleeper wakes; `nil` when none sleeps.
  package var nextDeadline: Moment? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

  /// Turns the clock forward and wakes whoever is due, earliest first.
  package func advance(by duration: Swift.Duration) { advance(to: now.advanced(by: duration)) }

  /// Turns the clock forward to a moment and wakes whoever is due, earliest first; never turns it back.
  package func advance(to moment: Moment) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Sleeps until the clock is turned past the deadline.
  package func sleep(until deadline: Moment, tolerance: Swift.Duration?) async throws {
    let key = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(key) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers[key] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: key)
        if sleeper == nil { state.cancelled.insert(key) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// The calendar, which moves as the clock is turned; to the nearest millisecond, which is what journals keep.
  package func wallReading() -> WallReading {
    let now = now
    let wall = wallAtStart.advanced(by: start.duration(to: now) + .microseconds(500))
    return WallReading(
      wall: WallTime(milliseconds: wall.milliseconds), moment: now, uncertainty: .zero, isSynchronized: true)
  }
}
