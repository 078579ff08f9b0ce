import Basics
import Dispatch
import Glibc
import Quantities

/// Standard output and standard error, each line in one write.
///
/// What a terminal would obey is escaped: texts hold names of files and words of protocols. A text may have several lines.
/// On a terminal a status line can stand under the lines; it is redrawn in place.
///
/// A command that prints its answer waits for a slow reader. A command that records or plays calls ``decouple()`` first:
/// from then on nothing that prints waits, whatever becomes of the terminal.
final class Console: Sendable {
  static let standard = Console()

  /// How long the end of the process waits for a device that takes nothing.
  static let patience = Duration.seconds(1)

  /// Whether lines go to a person: standard output is a terminal.
  let isTerminal: Bool

  /// Whether that terminal can redraw and clear lines; one that says `TERM=dumb`, or nothing at all, gets plain lines.
  let canRedraw: Bool

  private let output: Int32
  private let errors: Int32
  private let writer: ConsoleWriter
  private let errorWriter: ConsoleWriter

  /// A console on two descriptors.
  init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
    terminalType: String? = unsafe getenv("TERM").map { unsafe String(cString: $0) }
  ) {
    (self.output, self.errors) = (output, errors)
    isTerminal = isatty(output) == 1
    canRedraw = isTerminal && !["", "dumb"].contains(terminalType ?? "")
    writer = ConsoleWriter(output: output)
    // A pipe that is not read must not hold back what standard error says on a terminal.
    errorWriter = Self.areOne(output, errors) ? writer : ConsoleWriter(output: output)
  }

  private static func areOne(_ first: Int32, _ second: Int32) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe fstat(first, &one) == 0, unsafe fstat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether the reader of standard output has gone away, as `head` does: nobody needs more lines.
  var isUnread: Bool { writer.hasNoReader }

  /// Why something that was written to standard output did not get there; a reader that has gone away is no reason.
  var outputError: FileError? { writer.error }

  /// Whether lines are printed faster than they are read, so that some would soon be left out.
  var isBehind: Bool { writer.isBehind }

  /// From now on printing never waits: a thread writes, and what it cannot write in time is counted and told.
  func decouple() {
    writer.decouple()
    errorWriter.decouple()
  }

  /// Waits until everything is written, for a while; a device that takes nothing keeps the rest.
  ///
  /// - Returns: whether everything was written.
  @discardableResult
  func drain(within limit: Duration = patience) -> Bool {
    let end = DispatchTime.now() + .nanoseconds(Int(limit.nanoseconds))
    show(status: "")
    var isWritten = true
    for writer in writer === errorWriter ? [writer] : [writer, errorWriter] {
      let isDone = DispatchSemaphore(value: 0)
      writer.whenWritten { isDone.signal() }
      guard isDone.wait(timeout: end) == .timedOut else { continue }
      isWritten = false
      if writer === self.writer { writer.giveUp() }
    }
    return isWritten
  }

  /// Does something when every line that was printed before is written.
  func whenWritten(_ action: @escaping @Sendable () -> Void) { writer.whenWritten(action) }

  /// Writes a line to standard output, in bold where a terminal is to show it so.
  func line(_ text: String = "", isBold: Bool = false) {
    let text = isBold && canRedraw ? "\u{1B}[1m\(text.visibleLines)\u{1B}[0m" : text.visibleLines
    writer.line(Array((text + "\n").utf8), to: output)
  }

  /// Writes a line for a program to standard output, as it is: nothing in it is escaped for a terminal.
  func data(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes bytes to standard output as they are.
  func write(_ bytes: [UInt8]) { writer.bytes(bytes, to: output) }

  /// Writes `station: …` to standard error.
  func complain(_ text: String) {
    errorWriter.line(Array("station: \(text.visibleLines)\n".utf8), to: errors)
  }

  /// Redraws the status line under the lines; an empty one removes it, and only a terminal has one.
  func show(status text: String) {
    if canRedraw { writer.show(status: text.visible) }
  }

  /// Shows rows on the whole screen, as they fit its size; lines wait until ``leaveScreen()``.
  ///
  /// Only a console that was decoupled has a full screen.
  func show(screen rows: @escaping ConsoleWriter.Frame) {
    if canRedraw { writer.show(frame: rows) }
  }

  /// Gives the screen back, with what stood there before, and prints what has waited.
  func leaveScreen() { writer.show(frame: nil) }

  /// Rings the terminal's bell.
  func ring() {
    if isTerminal { writer.ring() }
  }
}
