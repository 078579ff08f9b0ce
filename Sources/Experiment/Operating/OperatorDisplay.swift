package import Basics
package import Quantities

/// What the operator of a session sees: lines, one status line, and on request a full screen.
///
/// No call waits for the device.
package protocol OperatorDisplay: Sendable {
  /// Whether the status line and the screen can be redrawn.
  var canRedraw: Bool { get }

  /// Shows a line.
  func line(_ text: String)

  /// Shows a line as a heading.
  func heading(_ text: String)

  /// Shows a problem.
  func report(_ text: String)

  /// Shows a status in place of the previous one; an empty text removes it.
  func show(status: String)

  /// Shows a prompt with the typed answer in place of the status until it is empty.
  func show(prompt: String)

  /// Shows rows on the full screen, laid out for its size; lines wait until the screen is left.
  ///
  /// - Parameters:
  ///   - rows: the rows for a size.
  ///   - painted: is told each size at which they are painted, and when that begins; never by the caller's thread.
  func show(
    screen rows: @escaping @Sendable (TerminalSize) -> [String],
    painted: @escaping @Sendable (TerminalSize, Moment) -> Void)

  /// Leaves the full screen, and shows the lines that waited.
  func leaveScreen()

  /// Rings a bell.
  func ring()
}

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

/// The origin of an interrupt.
package enum Interrupt: Hashable, Sendable {
  /// Ctrl-C, pressed by a person.
  case key
  /// A signal from another process, or a closed terminal.
  case request
}
