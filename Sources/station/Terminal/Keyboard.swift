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
    guard isTerminal else { return try await body() }
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else { return try await body() }
    var during = before
    during.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &during)
    defer { unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &before) }
    return try await body()
  }
}
