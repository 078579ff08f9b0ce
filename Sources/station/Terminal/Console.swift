import Basics
import Dispatch
import Glibc
import Quantities
import Session

/// Standard output and standard error, each line in one write.
///
/// Control characters are escaped, since texts contain file names and words of protocols; texts may have several lines.
/// On a terminal, a status line can be shown below the lines; it is redrawn in place.
///
/// A command that only prints waits for a slow reader. A command that records or plays calls ``decouple()`` first: from
/// then on printing never waits, whatever happens to the terminal.
final class Console: OperatorDisplay, Printer {
  static let standard = Console()

  /// The time that the process waits at its end for a blocked device.
  static let patience = Duration.seconds(1)

  /// Whether standard output is a terminal.
  let isTerminal: Bool

  /// Whether the terminal can redraw and clear lines; with `TERM=dumb`, or no TERM, it gets plain lines.
  let canRedraw: Bool

  /// Whether the locale says that the terminal does not show UTF-8, and gets ASCII.
  private let isASCII: Bool

  private let output: Int32
  private let errors: Int32
  private let writer: ConsoleWriter
  private let errorWriter: ConsoleWriter

  /// Creates a console on two descriptors.
  init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
    terminalType: String? = variable("TERM"),
    locale: String? = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
  ) {
    (self.output, self.errors) = (output, errors)
    isTerminal = isatty(output) == 1
    canRedraw = isTerminal && !["", "dumb"].contains(terminalType ?? "")
    // Without a locale, UTF-8: that is what terminals show today.
    let charset = locale?.lowercased().split { ".@".contains($0) }
    isASCII = charset.map { !$0.contains("utf-8") && !$0.contains("utf8") } ?? false
    writer = ConsoleWriter(output: output)
    // An unread pipe must not delay standard error on a terminal.
    errorWriter = Self.areOne(output, errors) ? writer : ConsoleWriter(output: output)
  }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  private static func areOne(_ first: Int32, _ second: Int32) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe fstat(first, &one) == 0, unsafe fstat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether the reader of standard output has closed it, as `head` does, so that no more lines are needed.
  var isUnread: Bool { writer.hasNoReader }

  /// Whether the reader of standard output is known to be gone, also before anything is written to it.
  var isAbandoned: Bool {
    var descriptor = pollfd(fd: output, events: 0, revents: 0)
    let isReady = unsafe poll(&descriptor, 1, 0) == 1
    return isUnread || isReady && Int32(descriptor.revents) & Int32(POLLERR) != 0
  }

  /// The first error in writing standard output, other than a closed reader.
  var outputError: FileError? { writer.error }

  /// Whether lines are printed faster than they are read, so that some would soon be dropped.
  var isBehind: Bool { writer.isBehind }

  /// Makes printing never wait: a thread writes, and lines that it cannot write in time are counted and reported.
  func decouple() {
    writer.decouple()
    errorWriter.decouple()
  }

  /// Waits until everything is written, for a limited time; with a blocked device, the rest is lost.
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

  /// Runs an action when every line printed before has been written.
  func whenWritten(_ action: @escaping @Sendable () -> Void) { writer.whenWritten(action) }

  /// Writes a line to standard output.
  func line(_ text: String = "") { writer.line(Array((shown(text.visibleLines) + "\n").utf8), to: output) }

  /// Whether other characters than ASCII are shown as similar ones, or as question marks.
  var showsASCII: Bool { isASCII && isTerminal }

  /// The text as the terminal can show it; unchanged where it goes elsewhere.
  private func shown(_ text: String) -> String { showsASCII ? text.ascii : text }

  /// Writes a line to standard output, in bold if a terminal can show it.
  func heading(_ text: String) {
    guard canRedraw else { return line(text) }
    writer.line(Array("\u{1B}[1m\(shown(text.visibleLines))\u{1B}[0m\n".utf8), to: output)
  }

  /// Writes a line for programs to standard output, unchanged: nothing is escaped for a terminal.
  func data(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes bytes to standard output, unchanged.
  func write(_ bytes: [UInt8]) { writer.bytes(bytes, to: output) }

  /// Writes `station: …` to standard error.
  func report(_ text: String) {
    let text = isASCII && isatty(errors) == 1 ? text.visibleLines.ascii : text.visibleLines
    errorWriter.line(Array("station: \(text)\n".utf8), to: errors)
  }

  /// Redraws the status line below the lines; an empty text removes it, and only a terminal has one.
  func show(status text: String) {
    if canRedraw { writer.show(status: shown(text.visible)) }
  }

  /// Shows a prompt in place of the status line until it is empty, whatever the status becomes meanwhile.
  func show(prompt: String) {
    if canRedraw { writer.show(prompt: shown(prompt.visible)) }
  }

  /// Shows rows on the full screen, laid out for its size; lines wait until ``leaveScreen()``.
  ///
  /// Only a decoupled console has a full screen.
  func show(
    screen rows: @escaping @Sendable (TerminalSize) -> [String],
    painted: @escaping @Sendable (TerminalSize, Moment) -> Void = { _, _ in }
  ) {
    guard canRedraw else { return }
    guard isASCII else { return writer.show(frame: ConsoleWriter.Frame(rows: rows, painted: painted)) }
    writer.show(frame: ConsoleWriter.Frame(rows: { size in rows(size).map(\.ascii) }, painted: painted))
  }

  /// Restores the screen's previous contents, and prints the waiting lines.
  func leaveScreen() { writer.show(frame: nil) }

  /// Rings the terminal's bell.
  func ring() {
    if isTerminal { writer.ring() }
  }
}
