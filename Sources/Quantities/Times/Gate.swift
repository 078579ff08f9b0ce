import Synchronization

/// A gate that opens once and stays open; waiting for it has a time limit.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    /// Who waits, by the numbers of their tickets.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var tickets = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether it has been opened.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets every waiter through, now and from now on.
  package func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOpen = true
      return state.waiting
    }
    // In the order in which they came, so that a simulation takes the same course each time.
    for (_, continuation) in waiting.sorted(by: { $0.key < $1.key }) { continuation.resume() }
  }

  /// Waits until it is open, but no longer than `limit`, nor once the task is cancelled.
  package func wait(within limit: Duration, on clock: any StationClock) async {
    await wait(until: clock.now.advanced(by: limit), on: clock)
  }

  /// Waits until it is open, but no longer than to a moment, nor once the task is cancelled.
  package func wait(until moment: Moment, on clock: any StationClock) async {
    await whileClosed { try? await clock.sleep(until: moment, tolerance: nil) }
  }

  /// Does something, and cancels it when the gate opens or the task is cancelled.
  package func whileClosed(_ work: @escaping @Sendable () async -> Void) async {
    guard !isOpen else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { await self.pass() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until it is open or the task is cancelled.
  package func pass() async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A task that is cancelled from here on finds its ticket.
        let goesOn = state.withLock { state in
          if state.isOpen || Task.isCancelled { return true }
          state.waiting[ticket] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
  }
}
