import Glibc

/// A value that threads share, behind a lock of the C library.
///
/// `Mutex` would do, but for one thing: in Swift 6.3 on Linux the thread sanitizer does not see what it does when two
/// threads want it at the same time, and reports each such meeting as a race. This lock it sees.
@safe public final class ThreadLock<Value: Sendable>: Sendable {
  // Both are made in `init` and freed in `deinit`; in between `value` is touched only while `lock` is held.
  nonisolated(unsafe) private let lock: UnsafeMutablePointer<pthread_mutex_t>
  nonisolated(unsafe) private let value: UnsafeMutablePointer<Value>

  /// A lock around a first value.
  public init(_ initial: Value) {
    unsafe lock = .allocate(capacity: 1)
    unsafe value = .allocate(capacity: 1)
    unsafe pthread_mutex_init(lock, nil)
    unsafe value.initialize(to: initial)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    unsafe lock.deallocate()
  }

  /// Does something with the value while nobody else does; it must not wait.
  public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe _ = pthread_mutex_unlock(lock) }
    return unsafe body(&value.pointee)
  }
}
