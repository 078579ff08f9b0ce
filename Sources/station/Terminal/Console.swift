import Glibc
import Synchronization

/// Standard output and standard error, each line in one write.
///
/// On a terminal a status line can stand under the lines; it is redrawn in place.
final class Console: Sendable {
  static let standard = Console()

  /// Whether lines go to a person: standard output is a terminal.
  let isTerminal = isatty(STDOUT_FILENO) == 1

  private let status = Mutex("")

  /// Writes a line to standard output.
  func line(_ text: String = "") {
    status.withLock { status in
      let clearing = status.isEmpty ? "" : "\r\u{1B}[K"
      Self.write(clearing + text + "\n" + status, to: STDOUT_FILENO)
    }
  }

  /// Writes bytes to standard output as they are.
  func write(_ bytes: [UInt8]) { Self.write(bytes, to: STDOUT_FILENO) }

  /// Writes `station: …` to standard error.
  func complain(_ text: String) {
    status.withLock { status in
      if !status.isEmpty { Self.write("\r\u{1B}[K", to: STDOUT_FILENO) }
      Self.write("station: \(text)\n", to: STDERR_FILENO)
      if !status.isEmpty { Self.write(status, to: STDOUT_FILENO) }
    }
  }

  /// Redraws the status line under the lines; an empty one removes it, and only a terminal has one.
  func show(status text: String) {
    guard isTerminal else { return }
    status.withLock { status in
      guard status != text else { return }
      status = text
      Self.write("\r\u{1B}[K" + text, to: STDOUT_FILENO)
    }
  }

  /// Rings the terminal's bell.
  func ring() {
    if isTerminal { Self.write("\u{07}", to: STDOUT_FILENO) }
  }

  private static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      // A reader that has gone away is not worth ending a trial for.
      if written < 0, errno != EINTR { return }
      start += max(written, 0)
    }
  }
}
