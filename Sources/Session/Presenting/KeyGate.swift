import Quantities

/// Decides which keys count on a screen: those pressed since it was painted, and of what a terminal repeats while a key is
/// held down only what moves a cursor or is typed.
struct KeyGate: Sendable {
  /// When the screen was painted; `nil` if it was not yet.
  var since: Moment?

  /// Whether a key counts.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - made: when it was pressed.
  ///   - repeats: whether a key that is held down counts as often as it is repeated; `nil` where none does.
  /// - Returns: whether it counts.
  func admits(_ key: OperatorKey, at made: Moment, repeats: ((OperatorKey) -> Bool)?) -> Bool {
    guard let since, made >= since else { return false }
    guard case .repeated(let key) = key else { return true }
    return repeats?(key) ?? false
  }
}
