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

/// The origin of an interrupt.
package enum Interrupt: Hashable, Sendable {
  /// Ctrl-C, pressed by a person.
  case key
  /// A signal from another process, or a closed terminal.
  case request
}
