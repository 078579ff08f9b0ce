import Synchronization

/// A continuation that any thread may resume; only the first call counts.
final class Once<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) { waiting = Mutex(continuation) }

  func finish(_ result: Result<Value, any Error>) {
    waiting.withLock { $0.take() }?.resume(with: result)
  }
}

/// A one-shot result that any thread may set; only the first call counts.
final class Awaited<Value: Sendable>: Sendable {
  private let once = Mutex<Once<Value>?>(nil)

  /// Calls `begin` and waits until ``finish(_:)``.
  func wait(_ begin: () -> Void) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
      once.withLock { $0 = Once(continuation) }
      begin()
    }
  }

  func finish(_ result: Result<Value, any Error>) { once.withLock { $0 }?.finish(result) }
}
