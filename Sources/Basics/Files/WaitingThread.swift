import Glibc

/// A thread for blocking calls, which do not belong on the cooperative pool.
package enum WaitingThread: Sendable {
  private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// - Returns: whether the system could create one.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let job = unsafe Unmanaged.passRetained(Job(body))
    // The new thread takes over the retained job; release it here if there is no thread.
    guard unsafe pthread_create(&thread, nil, perform, job.toOpaque()) == 0 else {
      unsafe job.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  /// Runs a blocking function on its own thread and returns its result; on the current thread if none can be created.
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
