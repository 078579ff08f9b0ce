import Synchronization

/// What a closure that runs elsewhere has gathered.
final class Collected<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  var values: [Element] { state.withLock { $0 } }

  func add(_ element: Element) { state.withLock { $0.append(element) } }
}
