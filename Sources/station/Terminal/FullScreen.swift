import Glibc

/// The whole of a terminal, for what is drawn again and again; leaving it brings back what stood there.
struct FullScreen: Sendable {
  private let console: Console
  private var size: TerminalSize?
  private var shown: [String] = []
  private let quiet: QuietTerminal?

  /// Takes the screen: the other one, without a cursor, on which long lines do not break and no typed key is seen.
  ///
  /// Ctrl-Z does not stop what has it, for the shell would get a terminal that shows nothing.
  init(_ console: Console) {
    self.console = console
    quiet = QuietTerminal(STDOUT_FILENO, canBeStopped: false)
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  /// Draws the lines that are not what stands there already; everything, where the terminal has another size.
  mutating func draw(_ lines: [String], _ size: TerminalSize) {
    var text = ""
    if size != self.size || lines.count != shown.count {
      text = "\u{1B}[2J"
      shown = []
    }
    for (row, line) in lines.enumerated() where shown.isEmpty || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    (self.size, shown) = (size, lines)
    if !text.isEmpty { write(text) }
  }

  /// Gives the screen back.
  func leave() {
    quiet?.restore(forgettingKeys: true)
    write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
  }

  private func write(_ text: String) { console.write(Array(text.utf8)) }
}
