/// The whole of a terminal, for what is drawn again and again; leaving it brings back what stood there.
struct FullScreen: Sendable {
  private let console: Console

  /// Takes the screen: the other one, without a cursor, on which long lines do not break.
  init(_ console: Console) {
    self.console = console
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  /// Draws lines over those that stand there; what is in them is shown as it is.
  func draw(_ lines: [String]) {
    write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
  }

  /// Gives the screen back.
  func leave() { write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") }

  private func write(_ text: String) { console.write(Array(text.utf8)) }
}
