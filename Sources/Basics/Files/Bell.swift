import Glibc
import Synchronization

/// Auto-reset event: wakes one waiter; a signal without a waiter is remembered for the next one.
package final class Bell: Sendable {
  private enum State {
    case quiet
    case rung
    case waiting(CheckedContinuation<Bool, Never>)
    case stopped
  }

  private let state = Mutex(State.quiet)

  package init() {}

  /// Signals the event.
  package func ring() { move(to: .rung, answer: true) }

  /// Ends the event and wakes the waiter.
  package func stop() { move(to: .stopped, answer: false) }

  /// Waits for the next signal and returns `true`; returns `false` if the event is stopped or the task cancelled.
  package func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          switch state {
          case .rung:
            state = .quiet
            return true
          case .stopped: return false
          case .quiet:
            state = .waiting(continuation)
            return nil
          case .waiting: preconditionFailure("a bell wakes one waiter")
          }
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      stop()
    }
  }

  private func move(to new: sending State, answer: Bool) {
    let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
      switch state {
      case .waiting(let waiter):
        state = answer ? .quiet : .stopped
        return waiter
      case .stopped: return nil
      case .quiet, .rung:
        state = answer ? .rung : .stopped
        return nil
      }
    }
    waiter?.resume(returning: answer)
  }
}

/// A thread for blocking calls, which do not belong on the cooperative pool.
package enum WaitingThread: Sendable {
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// - Returns: whether the system could create one.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let job = unsafe Unmanaged.passRetained(Job(body))
    // The new thread takes over the retained job; release it here if there is no thread.
    guard unsafe pthread_create(&thread, nil, perform, job.toOpaque()) == 0 else {
      unsafe job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs a blocking function on its own thread and returns its result; on the current thread if none can be created.
  package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
    }
  }

  private static let perform: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
    guard let box = unsafe box else { return nil }
    unsafe Unmanaged<Job>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
}
