import Basics
import Glibc

extension TerminalSize {
  /// The size of the terminal on standard output; `nil` if it is not a terminal, or reports no size.
  static var current: TerminalSize? { of(STDOUT_FILENO) }

  /// The size of the terminal on a descriptor.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    /// TIOCGWINSZ of <asm/ioctls.h>.
    let request: UInt = 0x5413
    var size = winsize()
    guard unsafe ioctl(descriptor, request, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
