import Synchronization

/// Tells the first call from later ones, on any thread.
final class FirstTime: Sendable {
  private let isTaken = Mutex(false)

  /// Whether this is the first call.
  var isFirst: Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
