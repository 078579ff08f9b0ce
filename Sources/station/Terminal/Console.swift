import Basics
import Dispatch
import Glibc
import Quantities
import Session
import Synchronization

func environmentVariable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

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

  let isTerminal: Bool

  /// Whether the terminal can redraw and clear lines; with `TERM=dumb`, or no TERM, it gets plain lines.
  let canRedraw: Bool

  /// Whether the locale says that the terminal does not show UTF-8, and gets ASCII.
  private let isASCII: Bool

  private let output: Int32
  private let errors: Int32
  private let writer: ConsoleWriter
  private let errorWriter: ConsoleWriter
  private let reader = Mutex<(@Sendable (_ text: String, _ isProblem: Bool) -> Void)?>(nil)

  init(
    output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
    terminalType: String? = environmentVariable("TERM"),
    locale: String? = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environmentVariable).first { !$0.isEmpty }
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

  private static func areOne(_ first: Int32, _ second: Int32) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe fstat(first, &one) == 0, unsafe fstat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether the reader of standard output has closed it, as `head` does, so that no more lines are needed.
  var isUnread: Bool { writer.hasNoReader }

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

  func whenWritten(_ action: @escaping @Sendable () -> Void) { writer.whenWritten(action) }

  /// Has another reader told every problem, and what comes of what the operator asks for, from now on.
  func copy(to reader: @escaping @Sendable (_ text: String, _ isProblem: Bool) -> Void) {
    self.reader.withLock { $0 = reader }
  }

  func line(_ text: String = "") { writer.line(Array((shown(text.visibleLines) + "\n").utf8), to: output) }

  func confirm(_ text: String) {
    reader.withLock(\.self)?(text, false)
    line(text)
  }

  /// Whether other characters than ASCII are shown as similar ones, or as question marks.
  var showsASCII: Bool { isASCII && isTerminal }

  func lines(_ lines: [String]) { for text in lines { line(text) } }

  func write(_ json: JSONValue) { write(json.encoded(pretty: true)) }

  /// Writes an array as JSON, of which no more than a part is in memory.
  func write(elements: some Sequence<JSONValue>) {
    var text: [UInt8] = []
    var isFirst = true
    for element in elements {
      text += (isFirst ? "[\n  " : ",\n  ").utf8 + element.encodedElement()
      isFirst = false
      guard text.count > 1 << 16 else { continue }
      write(text)
      text.removeAll(keepingCapacity: true)
    }
    write(text + (isFirst ? "[]\n" : "\n]\n").utf8)
  }

  /// Writes an answer: as JSON if `--json` was given, else as lines for people.
  func answer(
    _ arguments: Arguments, _ json: @autoclosure () throws -> JSONValue, _ lines: @autoclosure () throws -> [String]
  ) rethrows {
    if arguments.isJSON { write(try json()) } else { self.lines(try lines()) }
  }

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
    reader.withLock(\.self)?(text, true)
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

  func ring() {
    if isTerminal { writer.ring() }
  }
}

/// The full screen of a terminal, for repeated drawing; leaving it restores the previous contents.
struct FullScreen: Sendable {
  private let console: Console
  private let quiet: QuietTerminal?

  /// Takes over the screen, without echo of typed keys.
  init(_ console: Console) {
    self.console = console
    quiet = QuietTerminal(STDOUT_FILENO)
  }

  func draw(_ rows: [String]) { console.show(screen: { _ in rows }) }

  func leave() {
    console.leaveScreen()
    quiet?.restore(forgettingKeys: true)
  }
}
