import Glibc

/// Lets one thread at a time draw, and the same thread any number of times.
///
/// Cairo 1.16 and Pango keep fonts for the whole process, and drawing letters in several threads at once ended a program
/// inside of Cairo.
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
