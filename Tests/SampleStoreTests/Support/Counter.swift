import Synchronization

/// A number that several tasks may raise.
final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  /// One more.
  @discardableResult
  func add() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }
}
