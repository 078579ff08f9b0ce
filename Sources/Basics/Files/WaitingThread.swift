import Glibc

/// A thread for calls that wait: they have no place among the tasks, of which few run at once.
package enum WaitingThread: Sendable {
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// - Returns: whether the system had one.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let job = unsafe Unmanaged.passRetained(Job(body))
    // The thread takes the job over; where none begins, it is released here.
    guard unsafe pthread_create(&thread, nil, perform, job.toOpaque()) == 0 else {
      unsafe job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Does something that waits on a thread of its own, and gives what it gave; on this one where the system has no more.
  package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      if !start({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
    }
  }

  private static let perform: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
    guard let box = unsafe box else { return nil }
    unsafe Unmanaged<Job>.fromOpaque(box).takeRetainedValue().body()
    return nil
  }
}
