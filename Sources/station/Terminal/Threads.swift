import Glibc

/// Threads for calls that block, which must not occupy the two that tasks share.
enum Threads: Sendable {
  /// Runs `body` on a new, detached thread.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Work(body: body)).toOpaque()
    var thread = pthread_t()
    guard unsafe pthread_create(&thread, nil, runWork, box) == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(box).release()
      return
    }
    pthread_detach(thread)
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box = unsafe box { unsafe Unmanaged<Work>.fromOpaque(box).takeRetainedValue().body() }
  return nil
}
