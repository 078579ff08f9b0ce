import Dispatch
import Synchronization

/// An executor that knows when nothing is left to do: every task of a rehearsal runs on it, and time is turned only then.
final class QuietExecutor: TaskExecutor {
  private struct State {
    var jobs = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = DispatchQueue(label: "rehearsal")
  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs += 1 }
    queue.async { [self] in
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      let waiting = state.withLock { state in
        state.jobs -= 1
        guard state.jobs == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// Waits until every task on it waits for something itself.
  func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.jobs > 0 { state.waiting.append(continuation) }
        return state.jobs == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
