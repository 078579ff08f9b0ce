import CPulse
import Synchronization

/// Lets a ``ClipPlayer`` stop, from any thread; after the player's end it does nothing.
package final class Stopper: Sendable {
  private let isStopping = Atomic(false)
  private let loop: Mutex<Loop?>

  /// A loop that may be woken by any thread while it lives.
  @safe private struct Loop: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer  // `pa_mainloop_wakeup` may be called by any thread
  }

  init(_ loop: OpaquePointer) { self.loop = Mutex(unsafe Loop(pointer: loop)) }

  /// Lets the sound fall to silence and end.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    loop.withLock { loop in
      if let loop { unsafe pa_mainloop_wakeup(loop.pointer) }
    }
  }

  var isToStop: Bool { isStopping.load(ordering: .relaxed) }

  /// The loop is about to end.
  func leave() { loop.withLock { $0 = nil } }
}
