import Glibc

/// What is typed, key by key on a terminal and line by line in a pipe.
enum Keyboard: Sendable {
  /// One key or, in a pipe, the end of a line.
  enum Key: Hashable, Sendable {
    /// Return, or the end of a line.
    case enter
    /// A letter.
    case letter(Character)
    /// Nothing more will be typed.
    case end
  }

  /// Whether standard input is a terminal.
  static let isTerminal = isatty(STDIN_FILENO) == 1

  /// The keys, from a thread of its own that lasts as long as the process.
  static func keys() -> AsyncStream<Key> {
    AsyncStream { continuation in
      Threads.start {
        var byte: UInt8 = 0
        while true {
          let count = unsafe read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { break }
          if byte == 10 || byte == 13 {
            continuation.yield(.enter)
          } else if isTerminal, byte < 128 {
            continuation.yield(.letter(Character(Unicode.Scalar(byte))))
          }
        }
        continuation.yield(.end)
        continuation.finish()
      }
    }
  }

  /// Makes the terminal give every key at once and unseen while `body` runs, and then as it was.
  static func unbuffered<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    let quiet = QuietTerminal(STDIN_FILENO)
    defer { quiet?.restore(forgettingKeys: false) }
    return try await body()
  }
}

/// A terminal that does not show what is typed, until it is put back as it was.
struct QuietTerminal: Sendable {
  private let descriptor: Int32
  private let before: termios

  /// Makes the terminal give every key at once and unseen; `nil` where there is no terminal.
  ///
  /// - Parameters:
  ///   - descriptor: the terminal's.
  ///   - canBeStopped: whether Ctrl-Z still stops the program, which would leave the terminal as it is then.
  init?(_ descriptor: Int32, canBeStopped: Bool = true) {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
    (self.descriptor, self.before) = (descriptor, before)
    var during = before
    during.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // VSUSP of <bits/termios-c_cc.h>; zero is no key.
    if !canBeStopped { during.c_cc.10 = 0 }
    unsafe _ = tcsetattr(descriptor, TCSANOW, &during)
  }

  /// Puts it back.
  ///
  /// - Parameter forgettingKeys: whether what was typed meanwhile and nobody has read is dropped, lest a shell take it for
  ///   a command.
  func restore(forgettingKeys: Bool) {
    var before = before
    unsafe _ = tcsetattr(descriptor, forgettingKeys ? TCSAFLUSH : TCSANOW, &before)
  }
}
