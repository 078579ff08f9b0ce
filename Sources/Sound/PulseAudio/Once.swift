import Synchronization

/// A continuation that any thread may finish; only the first to do so counts.
final class Once<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) { waiting = Mutex(continuation) }

  func finish(_ result: Result<Value, any Error>) {
    waiting.withLock { $0.take() }?.resume(with: result)
  }
}
