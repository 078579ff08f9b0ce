import Synchronization

/// What a closure that runs elsewhere has gathered.
package final class Collected<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  /// Nothing was gathered yet.
  package init() {}

  /// What was gathered so far.
  package var values: [Element] { state.withLock { $0 } }

  /// Adds an element, from any thread.
  package func add(_ element: Element) { state.withLock { $0.append(element) } }
}
