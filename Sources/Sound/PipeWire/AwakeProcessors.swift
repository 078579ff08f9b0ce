import Basics
import CSystem
import Glibc
import Synchronization

/// Keeps the computer's processors awake.
///
/// One that sleeps takes 0.1 to 0.2 ms to wake, and whatever it should have done is late by as much. A thread for each
/// processor turns without doing anything, where nothing else wants to run (`SCHED_IDLE`).
final class AwakeProcessors: Sendable {
  private let isOver = Atomic(false)

  /// Wakes them, until ``rest()``.
  init() {
    for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      WaitingThread.start { [self] in
        guard csystem_thread_be_idle() != 0 else { return }
        while !isOver.load(ordering: .relaxed) { csystem_thread_turn() }
      }
    }
  }

  /// Lets them sleep again.
  func rest() { isOver.store(true, ordering: .relaxed) }
}
