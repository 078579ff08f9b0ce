package import Basics
import Dispatch
import Synchronization

/// A clock whose time jumps: it runs the tasks of a simulation on one thread, one after the other, and when none of them has
/// anything left to do, it is at once the time at which the next one wants to be woken.
///
/// Nothing depends on the computer's speed or on its other threads, so the same simulation takes the same course each time.
/// What a task waits for outside of these tasks, such as a disk, has to be waited for with ``hold(during:)``.
package final class SimulatedTime: StationClock, TaskExecutor {
  private struct State: Sendable {
    var now: Moment
    var jobs: [UnownedJob] = []
    var sleepers = Sleepers()
    /// Who was cancelled before going to sleep.
    var cancelled: Set<Int> = []
    var numbers = 0
    /// How many tasks wait for something outside.
    var holds = 0
    var isOver = false
    /// Whether the thread waits for a job from outside.
    var isIdle = false
  }

  /// What the thread does next.
  private enum Turn {
    case run
    case wake(CheckedContinuation<Void, any Error>)
    case wait
    case end
  }

  /// The time that it is at first, unless another one is chosen.
  package static let usualStart = Moment(nanoseconds: 1_000_000_000_000)

  private let start: Moment
  private let wallAtStart: WallTime
  private let state: Mutex<State>
  /// Signalled when a job came while the thread waited.
  private let work = DispatchSemaphore(value: 0)

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - start: the time that it is at first.
  ///   - wall: what the wall clock shows then.
  package init(at start: Moment = SimulatedTime.usualStart, wall: WallTime) {
    (self.start, wallAtStart) = (start, wall)
    state = Mutex(State(now: start))
  }

  /// Runs a task, and those that it starts, on a thread of its own until it ends.
  ///
  /// - Returns: what it returns.
  /// - Throws: what it throws.
  package func run<Value: Sendable>(_ task: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask {
        await WaitingThread.run { self.turn() }
        return nil
      }
      group.addTask(executorPreference: self) {
        defer { self.end() }
        return try await task()
      }
      var value: Value?
      while let next = try await group.next() { value = next ?? value }
      guard let value else { throw CancellationError() }
      return value
    }
  }

  /// Takes a job of a task, from any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAwaited = state.withLock { state in
      state.jobs.append(job)
      defer { state.isIdle = false }
      return state.isIdle
    }
    if isAwaited { work.signal() }
  }

  private func end() { state.withLock { $0.isOver = true } }

  private func turn() {
    let executor = unsafe asUnownedTaskExecutor()
    var jobs: [UnownedJob] = []
    while true {
      switch state.withLock({ Self.next(&$0, &jobs) }) {
      case .run:
        for job in jobs { unsafe job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: true)
      case .wake(let sleeper): sleeper.resume()
      case .wait: work.wait()
      case .end: return
      }
    }
  }

  private static func next(_ state: inout State, _ jobs: inout [UnownedJob]) -> Turn {
    if !state.jobs.isEmpty {
      swap(&state.jobs, &jobs)
      return .run
    }
    if state.isOver { return .end }
    guard state.holds == 0, let (deadline, sleeper) = state.sleepers.next() else {
      state.isIdle = true
      return .wait
    }
    state.now = max(state.now, deadline)
    return .wake(sleeper)
  }

  // MARK: By hand, where no task runs on the thread

  /// The number of tasks that sleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// The deadline of the next sleeper; `nil` without sleepers.
  var nextDeadline: Moment? { state.withLock { $0.sleepers.nextDeadline } }

  /// Makes it as late as a moment, unless it is later, and wakes all sleepers that are due, earliest deadline first.
  package func advance(to moment: Moment) {
    let due = state.withLock { state in
      state.now = max(state.now, moment)
      var due: [CheckedContinuation<Void, any Error>] = []
      while let deadline = state.sleepers.nextDeadline, deadline <= state.now, let next = state.sleepers.next() {
        due.append(next.continuation)
      }
      return due
    }
    for sleeper in due { sleeper.resume() }
  }

  // MARK: The clock

  package var now: Moment { state.withLock { $0.now } }

  /// The resolution: 1 ns.
  package var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Sleeps until the deadline; throws early only if the task is cancelled.
  package func sleep(until deadline: Moment, tolerance: Swift.Duration?) async throws {
    let number = state.withLock { state in
      state.numbers += 1
      return state.numbers
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.sleepers.add(number, until: deadline, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.remove(number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.resume(throwing: CancellationError())
    }
  }

  /// Keeps the time where it is while a task waits for what is outside of the simulation.
  package func hold<Value>(during work: () async throws -> Value) async rethrows -> Value {
    state.withLock { $0.holds += 1 }
    // Released by the task when it is back on the thread, before which time must not go on.
    defer { state.withLock { $0.holds -= 1 } }
    return try await work()
  }

  /// The wall clock, which advances with this clock; rounded to the milliseconds that journals keep.
  package func wallReading() -> WallReading {
    let now = now
    let wall = wallAtStart.advanced(by: start.duration(to: now) + .microseconds(500))
    return WallReading(
      wall: WallTime(milliseconds: wall.milliseconds), moment: now, uncertainty: .zero, isSynchronized: true)
  }
}
