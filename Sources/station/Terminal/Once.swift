import Synchronization

/// Lets the first caller through, and no other.
final class Once: Sendable {
  private let isTaken = Mutex(false)

  /// Whether nobody has asked before.
  var isFirst: Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
