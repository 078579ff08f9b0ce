import Synchronization

/// What a closure that runs elsewhere was given.
final class Gathered<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  var values: [Element] { state.withLock { $0 } }

  func add(_ element: Element) { state.withLock { $0.append(element) } }
}
