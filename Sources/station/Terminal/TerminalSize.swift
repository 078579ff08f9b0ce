import Basics
import Glibc

/// How many characters a terminal shows.
struct TerminalSize: Hashable, Sendable {
  let columns: Int
  let rows: Int

  /// That of the terminal on standard output; `nil` where that is none, or does not know.
  static var current: TerminalSize? { of(STDOUT_FILENO) }

  /// That of the terminal behind a descriptor.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    /// TIOCGWINSZ of <asm/ioctls.h>.
    let request: UInt = 0x5413
    var size = winsize()
    guard unsafe ioctl(descriptor, request, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}

extension String {
  /// So much of it as fits into so many columns of a terminal.
  func cut(to columns: Int) -> String {
    var width = 0
    return String(
      prefix { character in
        width += character.displayWidth
        return width <= columns
      })
  }
}
