import Basics
import Glibc
import Quantities
import Session
import Synchronization

/// Typed input: every key from a terminal; characters and the ends of lines from a pipe.
enum Keyboard: Sendable {
  static let isTerminal = isatty(STDIN_FILENO) == 1

  /// How many keys wait at most; the thread that reads waits with the others, so that none is lost.
  private static let maxKeys = 4096

  /// The keys, from a thread of its own that lasts as long as the process; those of a terminal with the moments at which
  /// they were read, and with what the terminal repeats marked as such.
  static func keys() -> AsyncStream<KeyRouter.Press> {
    AsyncStream(bufferingPolicy: .bufferingOldest(maxKeys)) { continuation in
      WaitingThread.start {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var decoder = KeyDecoder()
        let clock = MonotonicClock()
        var held = HeldKey(since: clock.now)
        while true {
          if let due = held.due, !isReadable(within: clock.now.duration(to: due)) {
            for (key, made) in held.release() { put((key, made), continuation) }
            continue
          }
          let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          let now = clock.now
          for byte in bytes[..<count] {
            guard let key = decoder.take(byte) else { continue }
            guard isTerminal else {
              if let key = key.onLine { put((key, nil), continuation) }
              continue
            }
            for (key, made) in held.take(key, at: now) { put((key, made), continuation) }
          }
        }
        for (key, made) in held.release() { put((key, made), continuation) }
        put((.end, nil), continuation)
        continuation.finish()
      }
    }
  }

  private static func isReadable(within limit: Duration) -> Bool {
    var descriptors = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
    let milliseconds = Int32(max(0, (limit.seconds * 1000).rounded(.up)))
    return unsafe poll(&descriptors, 1, milliseconds) != 0
  }

  private static func put(_ press: KeyRouter.Press, _ continuation: AsyncStream<KeyRouter.Press>.Continuation) {
    while case .dropped = continuation.yield(press) { usleep(1000) }
  }

  /// Drops what was typed and not read yet, on a terminal that delivers every key immediately.
  static func forgetKeys() {
    if quiet.withLock({ $0 != nil }) { tcflush(STDIN_FILENO, TCIFLUSH) }
  }

  /// Whether there can be no input: standard input is closed, empty or `/dev/null`.
  static var hasEnded: Bool { hasEnded(STDIN_FILENO) }

  /// Whether nothing more can be read from a descriptor; the check consumes no input.
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

  /// The terminal while it delivers every key immediately.
  private static let quiet = Mutex<QuietTerminal?>(nil)

  /// Runs `body` while the terminal delivers every key immediately and without echo, and then restores the terminal.
  static func unbuffered<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    quiet.withLock { $0 = QuietTerminal(STDIN_FILENO) }
    defer { restore() }
    return try await body()
  }

  /// Restores the terminal, if it was changed; before the process ends in the middle of a session.
  static func restore() {
    let changed = quiet.withLock { quiet in
      defer { quiet = nil }
      return quiet
    }
    changed?.restore(forgettingKeys: false)
  }
}

extension OperatorKey {
  /// The key as it counts on a line of a pipe, where letters are not commands.
  fileprivate var onLine: OperatorKey? {
    switch self {
    case .enter: self
    case .letter(let letter), .typed(let letter): .typed(letter)
    case .arrow, .jump, .repeated, .end: nil
    }
  }
}

/// A terminal without echo of typed keys, until it is restored.
struct QuietTerminal: Sendable {
  private let descriptor: Int32
  private let before: termios

  /// Makes the terminal deliver every key immediately and without echo; `nil` unless in its foreground.
  ///
  /// Ctrl-S does not stop the output, nor Ctrl-Z the program, nor does Ctrl-\ end it: a stopped program records nothing, and
  /// either would leave the terminal without echo to the shell.
  init?(_ descriptor: Int32) {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0, tcgetpgrp(descriptor) == getpgrp() else { return nil }
    (self.descriptor, self.before) = (descriptor, before)
    var during = before
    during.c_lflag &= ~tcflag_t(ICANON | ECHO)
    during.c_iflag &= ~tcflag_t(IXON)
    // VQUIT and VSUSP of <bits/termios-c_cc.h>; zero is no key.
    (during.c_cc.1, during.c_cc.10) = (0, 0)
    unsafe _ = tcsetattr(descriptor, TCSANOW, &during)
  }

  /// Restores the terminal, and drops unread typed input if a shell could run it as a command.
  func restore(forgettingKeys: Bool) {
    var before = before
    // Not TCSAFLUSH, which waits until the terminal has taken all output.
    if forgettingKeys { tcflush(descriptor, TCIFLUSH) }
    unsafe _ = tcsetattr(descriptor, TCSANOW, &before)
  }
}

extension TerminalSize {
  /// The size of the terminal on standard output; `nil` if it is not a terminal, or reports no size.
  static var current: TerminalSize? { of(STDOUT_FILENO) }

  static func of(_ descriptor: Int32) -> TerminalSize? {
    /// TIOCGWINSZ of <asm/ioctls.h>.
    let request: UInt = 0x5413
    var size = winsize()
    guard unsafe ioctl(descriptor, request, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
