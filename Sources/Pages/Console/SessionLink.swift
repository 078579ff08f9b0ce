import Basics
import Glibc
import Synchronization

/// A connection to a session's socket, whose lines go to the stream of one window.
final class SessionLink: Sendable {
  /// The longest line that is taken, in bytes.
  private static let maxLine = 16 << 20
  /// What only the newest of is of interest.
  private static let replaced = Array(#""kind":"state""#.utf8)

  private let connection: Descriptor
  private let alarm = Alarm()
  private let isClosed = Mutex(false)
  private let stream: PageStream

  /// Connects; `nil` where no session listens any more.
  ///
  /// - Parameters:
  ///   - socket: the socket's path.
  ///   - name: what the window names the session by.
  ///   - stream: the window's stream.
  init?(to socket: String, for name: String, on stream: PageStream) {
    guard let connection = try? LocalSocket.connect(to: socket) else { return nil }
    self.connection = connection
    self.stream = stream
    stream.tell((["kind": "watched", "session": .string(name)] as JSONValue).encoded())
    WaitingThread.start { [self] in
      read()
      stream.tell((["kind": "left", "session": .string(name)] as JSONValue).encoded())
    }
  }

  /// Ends it.
  func close() {
    isClosed.withLock { $0 = true }
    alarm.ring()
  }

  /// Sends a message to the session.
  ///
  /// - Returns: whether the session took it.
  func send(_ message: JSONValue) -> Bool {
    let line = message.encoded() + [UInt8(ascii: "\n")]
    return isClosed.withLock { isClosed in
      guard !isClosed, LocalSocket.send(line[...], on: connection) == line.count else {
        isClosed = true
        return false
      }
      return true
    }
  }

  private func read() {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      guard !isClosed.withLock(\.self), rest.count <= Self.maxLine else { return }
      switch connection.read(into: &buffer) {
      case .bytes(let count):
        rest += buffer.prefix(count)
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
        for line in rest[..<end].split(separator: UInt8(ascii: "\n")) {
          guard !isClosed.withLock(\.self) else { return }
          pass(Array(line))
        }
        rest.removeFirst(end + 1)
      case .nothing: _ = alarm.wait([(connection.number, Int(POLLIN))])
      case .end, .failed: return
      }
    }
  }

  private func pass(_ line: [UInt8]) {
    if line.contains(Self.replaced) { stream.show(line) } else { stream.tell(line) }
  }
}
