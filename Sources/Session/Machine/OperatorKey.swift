/// A key that the operator pressed.
package enum OperatorKey: Hashable, Sendable {
  /// Return, or the end of a line.
  case enter
  /// A letter or digit.
  case letter(Character)
  /// A character of a line in a pipe, which is never a command.
  case typed(Character)
  /// An arrow key.
  case arrow(Arrow)
  /// A key that moves further than an arrow key.
  case jump(Jump)
  /// What a terminal repeats while that key, other than Return, is held down.
  indirect case repeated(OperatorKey)
  /// The end of the input.
  case end
}

extension OperatorKey {
  /// The key itself, pressed or repeated.
  package var pressed: OperatorKey { if case .repeated(let key) = self { key } else { self } }
}

/// A key that moves further than an arrow key.
package enum Jump: Hashable, Sendable {
  /// Page Up.
  case pageUp
  /// Page Down.
  case pageDown
  /// Home.
  case home
  /// End.
  case end
}

/// The direction of an arrow key.
package enum Arrow: Hashable, Sendable {
  /// To the left.
  case left
  /// To the right.
  case right
  /// Upwards.
  case up
  /// Downwards.
  case down
}
