import CPulse
import Synchronization

/// Stops a ``ClipPlayer`` from any thread; after the player's end it has no effect.
package final class Stopper: Sendable {
  private let isStopping = Atomic(false)
  private let loop: Mutex<Loop?>

  /// A loop that any thread may wake while it exists.
  @safe private struct Loop: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer  // `pa_mainloop_wakeup` may be called by any thread
  }

  init(_ loop: OpaquePointer) { self.loop = Mutex(unsafe Loop(pointer: loop)) }

  /// Ends the sound with a ramp to silence.
  package func stop() {
    isStopping.store(true, ordering: .relaxed)
    loop.withLock { loop in
      if let loop { unsafe pa_mainloop_wakeup(loop.pointer) }
    }
  }

  var isToStop: Bool { isStopping.load(ordering: .relaxed) }

  /// Detaches the loop before it is freed.
  func leave() { loop.withLock { $0 = nil } }
}
