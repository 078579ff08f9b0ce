import CSystem
import Glibc
import Synchronization

/// Runs a task on the thread that calls, which waits between the task's steps.
///
/// A short command needs no other threads then: starting them and waking them for each step would take several
/// milliseconds of processor time.
package final class CallingThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var sleepers: [(end: Moment, continuation: CheckedContinuation<Void, Never>)] = []
    var isOver = false
  }

  private let state = Mutex(State())
  /// Rung with every change of the state.
  private let alarm = csystem_alarm_open()

  private init() {}

  deinit { close(alarm) }

  /// Runs a task to its end, and returns its value.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable (CallingThread) async throws -> Value
  ) throws -> Value {
    let thread = CallingThread()
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task(executorPreference: thread) {
      let value: Result<Value, any Error>
      do { value = .success(try await body(thread)) } catch { value = .failure(error) }
      result.withLock { $0 = value }
      thread.change { $0.isOver = true }
    }
    while true {
      if let value = result.withLock({ $0 }) { return try value.get() }
      thread.turn()
    }
  }

  /// Takes a step of the task, from any thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { $0.jobs.append(job) }
  }

  /// Waits until a moment, also where the task is cancelled meanwhile.
  package func sleep(until end: Moment) async {
    await withCheckedContinuation { continuation in change { $0.sleepers.append((end, continuation)) } }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    csystem_alarm_ring(alarm)
  }

  /// Does what is due, or waits until something is.
  private func turn() {
    let now = MonotonicClock().now
    let (jobs, woken, next) = state.withLock { state in
      defer { state.jobs = [] }
      let woken = state.sleepers.filter { $0.end <= now }.map(\.continuation)
      state.sleepers.removeAll { $0.end <= now }
      return (state.jobs, woken, state.isOver ? now : state.sleepers.map(\.end).min())
    }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    for continuation in woken { continuation.resume() }
    guard jobs.isEmpty, woken.isEmpty else { return }
    csystem_alarm_wait(alarm, next.map { max(0, $0.nanoseconds - MonotonicClock().now.nanoseconds) } ?? -1)
  }
}
