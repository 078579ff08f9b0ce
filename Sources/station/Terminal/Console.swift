import Files
import Glibc
import Spelling
import Synchronization

/// Standard output and standard error, each line in one write.
///
/// What a terminal would obey is escaped: texts hold names of files and words of protocols. A text may have several lines.
/// On a terminal a status line can stand under the lines; it is redrawn in place.
final class Console: Sendable {
  static let standard = Console()

  /// Whether lines go to a person: standard output is a terminal.
  let isTerminal = isatty(STDOUT_FILENO) == 1

  private let status = Mutex("")
  private let lostOutput = Mutex<FileError?>(nil)
  private let hasNoReader = Atomic(false)

  /// Whether the reader of standard output has gone away, as `head` does: nobody needs more lines.
  var isUnread: Bool { hasNoReader.load(ordering: .relaxed) }

  /// Why something that was written to standard output did not get there; a reader that has gone away is no reason.
  var outputError: FileError? { lostOutput.withLock { $0 } }

  /// Writes a line to standard output, in bold where a terminal is to show it so.
  func line(_ text: String = "", isBold: Bool = false) {
    let text = isBold && isTerminal ? "\u{1B}[1m\(text.visibleLines)\u{1B}[0m" : text.visibleLines
    status.withLock { status in
      let clearing = status.isEmpty ? "" : "\r\u{1B}[K"
      write(clearing + text + "\n" + status, to: STDOUT_FILENO)
    }
  }

  /// Writes a line for a program to standard output, as it is: nothing in it is escaped for a terminal.
  func data(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes bytes to standard output as they are.
  func write(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

  /// Writes `station: …` to standard error.
  func complain(_ text: String) {
    status.withLock { status in
      if !status.isEmpty { write("\r\u{1B}[K", to: STDOUT_FILENO) }
      write("station: \(text.visibleLines)\n", to: STDERR_FILENO)
      if !status.isEmpty { write(status, to: STDOUT_FILENO) }
    }
  }

  /// Redraws the status line under the lines; an empty one removes it, and only a terminal has one.
  func show(status text: String) {
    guard isTerminal else { return }
    let text = text.visible
    status.withLock { status in
      guard status != text else { return }
      status = text
      write("\r\u{1B}[K" + text, to: STDOUT_FILENO)
    }
  }

  /// Rings the terminal's bell.
  func ring() {
    if isTerminal { write("\u{07}", to: STDOUT_FILENO) }
  }

  private func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if written < 0, errno != EINTR {
        // It is not worth ending a trial for, but the process does not end with success.
        let code = errno
        if descriptor == STDOUT_FILENO {
          if code == EPIPE {
            hasNoReader.store(true, ordering: .relaxed)
          } else {
            lostOutput.withLock { $0 = $0 ?? FileError("write to", "standard output", code: code) }
          }
        }
        return
      }
      start += max(written, 0)
    }
  }
}
