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

  /// Creates an event in the unsignalled state.
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
