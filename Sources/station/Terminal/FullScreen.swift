import Glibc

/// The whole of a terminal, for what is drawn again and again; leaving it brings back what stood there.
struct FullScreen: Sendable {
  private let console: Console
  private let quiet: QuietTerminal?

  /// Takes the screen, on which no typed key is seen.
  init(_ console: Console) {
    self.console = console
    quiet = QuietTerminal(STDOUT_FILENO)
  }

  /// Draws these rows.
  func draw(_ rows: [String]) { console.show(screen: { _ in rows }) }

  /// Gives the screen back.
  func leave() {
    console.leaveScreen()
    quiet?.restore(forgettingKeys: true)
  }
}
