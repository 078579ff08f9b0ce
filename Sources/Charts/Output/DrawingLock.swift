import Glibc

/// Lets one thread at a time draw, and the same thread any number of times.
///
/// Cairo 1.16 keeps at most ten files of fonts open for the whole process (`MAX_OPEN_FACES` in its `cairo-ft-font.c`).
/// Beyond them it closes one that it finds unused, without the lock of the one who is about to use it, so that letters of
/// many scripts in two threads end the program. A C mutex, since Swift's cannot be taken twice by one thread; it is the
/// only thing in here, and made for several threads, which the compiler cannot know.
@safe final class DrawingLock: @unchecked Sendable {
  static let shared = DrawingLock()

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

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
