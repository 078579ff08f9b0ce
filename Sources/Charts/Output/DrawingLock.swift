import Glibc

/// Serialises drawing: a recursive lock for one thread at a time.
///
/// Cairo 1.16 keeps at most ten font files open per process (`MAX_OPEN_FACES` in its `cairo-ft-font.c`). Beyond that it
/// closes an unused one without taking the lock of a thread that is about to use it, so that text in many scripts on
/// two threads crashes the program. This is a C mutex, because Swift's is not recursive.
@safe final class DrawingLock: Sendable {
  static let shared = DrawingLock()

  // Thread-safe by design, which the compiler cannot verify.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private init() {
    unsafe mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }

  func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
