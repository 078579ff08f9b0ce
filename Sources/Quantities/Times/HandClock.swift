package import Basics
import Synchronization

/// A manual clock for tests: time advances only on request.
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

  /// Creates a clock at `start`, with the wall clock at `wall`.
  package init(
    at start: Moment = Moment(nanoseconds: 1_000_000_000_000),
    wall: WallTime = WallTime(milliseconds: 1_700_000_000_000)
  ) {
    self.start = start
    wallAtStart = wall
    state = Mutex(State(now: start))
  }

  /// The clock's current time.
  package var now: Moment { state.withLock { $0.now } }

  /// The resolution: 1 ns.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// The number of tasks sleeping on the clock, for which tests can wait instead of real time.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The deadline of the next sleeper; `nil` without sleepers.
  package var nextDeadline: Moment? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

  /// Advances the clock and wakes all sleepers that are due, earliest deadline first.
  package func advance(by duration: Swift.Duration) { advance(to: now.advanced(by: duration)) }

  /// Advances the clock to a moment and wakes all sleepers that are due, earliest deadline first; never moves
  /// backwards.
  package func advance(to moment: Moment) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for key in due.keys { state.sleepers[key] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Sleeps until the clock reaches the deadline.
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

  /// The wall clock, which advances with this clock; rounded to the milliseconds that journals keep.
  package func wallReading() -> WallReading {
    let now = now
    let wall = wallAtStart.advanced(by: start.duration(to: now) + .microseconds(500))
    return WallReading(
      wall: WallTime(milliseconds: wall.milliseconds), moment: now, uncertainty: .zero, isSynchronized: true)
  }
}
