import Synchronization

/// Wakes whoever waits; a ring that nobody waits for is kept for the next one.
package final class Bell: Sendable {
  private enum State {
    case quiet
    case rung
    case waiting(CheckedContinuation<Bool, Never>)
    case stopped
  }

  private let state = Mutex(State.quiet)

  /// A bell that was not rung yet.
  package init() {}

  /// Wakes the waiter.
  package func ring() { move(to: .rung, answer: true) }

  /// Wakes the waiter for the last time.
  package func stop() { move(to: .stopped, answer: false) }

  /// Returns at the next ring, `true`, or when the bell is stopped or the task cancelled, `false`.
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
