import Glibc

/// The full screen of a terminal, for repeated drawing; leaving it restores the previous contents.
struct FullScreen: Sendable {
  private let console: Console
  private let quiet: QuietTerminal?

  /// Takes over the screen, without echo of typed keys.
  init(_ console: Console) {
    self.console = console
    quiet = QuietTerminal(STDOUT_FILENO)
  }

  /// Draws these rows.
  func draw(_ rows: [String]) { console.show(screen: { _ in rows }) }

  /// Restores the screen.
  func leave() {
    console.leaveScreen()
    quiet?.restore(forgettingKeys: true)
  }
}
