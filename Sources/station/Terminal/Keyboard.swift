import Basics
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
      WaitingThread.start {
        var byte: UInt8 = 0
        var last: UInt8 = 0
        while true {
          let count = unsafe read(STDIN_FILENO, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { break }
          defer { last = byte }
          if byte == 10 || byte == 13 {
            // The two bytes that end a line on Windows are one Return.
            if byte == 13 || last != 13 { continuation.yield(.enter) }
          } else if isTerminal, byte < 128 {
            continuation.yield(.letter(Character(Unicode.Scalar(byte))))
          }
        }
        continuation.yield(.end)
        continuation.finish()
      }
    }
  }

  /// Whether it is certain that nothing can be typed: standard input is closed, empty or `/dev/null`.
  static var hasEnded: Bool { hasEnded(STDIN_FILENO) }

  /// Whether it is certain that nothing more can be read from a descriptor, of which nothing is taken.
  static func hasEnded(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return true }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return lseek(descriptor, 0, SEEK_CUR) >= status.st_size
    case S_IFCHR: return isNull(status)
    case S_IFIFO, S_IFSOCK:
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard unsafe poll(&descriptors, 1, 0) == 1 else { return false }
      /// FIONREAD of <asm/ioctls.h>.
      let request: UInt = 0x541B
      var count: Int32 = 0
      return unsafe ioctl(descriptor, request, &count) == 0 && count == 0
    default: return false
    }
  }

  private static func isNull(_ status: stat) -> Bool {
    var null = stat()
    return unsafe stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev
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

  /// Makes the terminal give every key at once and unseen; `nil` where there is no terminal, or another program has it.
  ///
  /// Ctrl-S does not stop what is shown, nor Ctrl-Z the program: what is stopped records nothing, and would leave the shell a
  /// terminal that shows nothing.
  init?(_ descriptor: Int32) {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0, tcgetpgrp(descriptor) == getpgrp() else { return nil }
    (self.descriptor, self.before) = (descriptor, before)
    var during = before
    during.c_lflag &= ~tcflag_t(ICANON | ECHO)
    during.c_iflag &= ~tcflag_t(IXON)
    // VSUSP of <bits/termios-c_cc.h>; zero is no key.
    during.c_cc.10 = 0
    unsafe _ = tcsetattr(descriptor, TCSANOW, &during)
  }

  /// Puts it back.
  ///
  /// - Parameter forgettingKeys: whether what was typed meanwhile and nobody has read is dropped, lest a shell take it for
  ///   a command.
  func restore(forgettingKeys: Bool) {
    var before = before
    // Not TCSAFLUSH, which waits until the terminal has taken what was written.
    if forgettingKeys { tcflush(descriptor, TCIFLUSH) }
    unsafe _ = tcsetattr(descriptor, TCSANOW, &before)
  }
}
