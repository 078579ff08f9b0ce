import Synchronization

/// Lets only the first caller through.
final class Once: Sendable {
  private let isTaken = Mutex(false)

  /// Whether this is the first call.
  var isFirst: Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
