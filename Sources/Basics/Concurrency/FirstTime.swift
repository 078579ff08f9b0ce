import Synchronization

/// Tells the first call from later ones, on any thread.
package final class FirstTime: Sendable {
  private let isTaken = Mutex(false)

  /// Nothing was called yet.
  package init() {}

  /// Whether this is the first call.
  package var isFirst: Bool {
    isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
  }
}
