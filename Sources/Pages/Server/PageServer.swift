import Basics
import CMicroHTTPD
import CSystem
import Glibc
import Synchronization

/// Serves a page over HTTP to this computer's own browsers, on one thread of low priority.
///
/// It listens on the loopback interface and nowhere else, and takes connections of its own user alone.
package final class PageServer: Sendable {
  /// The maximum number of connections, of which a browser opens six.
  private static let maxConnections: UInt32 = 32
  /// The memory of a connection, in bytes, into which the head of a request has to fit.
  private static let maxHead = 16_384
  /// After how many seconds a connection ends whose client neither sends nor reads.
  private static let patience: UInt32 = 10
  /// How long clients may take to read the last lines of streams, in hundredths of a second.
  private static let farewell = 50

  /// The port that it listens at.
  package let port: UInt16
  /// What a browser shows to be let in.
  package let token: PageToken

  private let daemon: Mutex<Daemon?>
  private let desk: ServerDesk

  @safe private struct Daemon: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
  }

  /// Starts to serve.
  ///
  /// - Parameter site: what is served.
  /// - Throws: ``PageServerError``.
  package init(_ site: any PageSite) throws(PageServerError) {
    if let problem = unsafe cmhd_open() {
      throw PageServerError(
        action: "serve a page", reason: unsafe String(cString: problem), advice: "install libmicrohttpd12")
    }
    token = PageToken()
    desk = ServerDesk(site, token)
    var settings = unsafe cmhd_settings()
    unsafe settings.connections = Self.maxConnections
    unsafe settings.memory = Self.maxHead
    unsafe settings.timeout = Self.patience
    unsafe settings.admits = admits
    unsafe settings.connects = connects
    unsafe settings.takes = takes
    unsafe settings.ends = ends
    unsafe settings.box = Unmanaged.passUnretained(desk).toOpaque()
    guard let pointer = unsafe cmhd_start(&settings) else {
      let reason = FileError("listen at", "port", code: errno).reason
      throw PageServerError(action: "serve a page on this computer", reason: reason)
    }
    self.port = unsafe cmhd_port(pointer)
    desk.open(at: self.port)
    daemon = unsafe Mutex(Daemon(pointer: pointer))
  }

  /// Ends it; streams end first.
  ///
  /// Must not be called on its own thread.
  package func close() {
    guard let daemon = daemon.withLock({ $0.take() }) else { return }
    desk.close()
    // The last lines of streams are given a moment to be read.
    for _ in 0..<Self.farewell where desk.hasStreams { usleep(10_000) }
    unsafe cmhd_stop(daemon.pointer)
  }

  deinit { close() }
}

/// Why a page cannot be served.
package struct PageServerError: Error, Hashable, CustomStringConvertible {
  package var action: String
  package var reason: String
  package var advice: String?

  package var description: String { "cannot \(action): \(reason)" + (advice.map { "; \($0)" } ?? "") }
}

/// What the server's thread needs.
private final class ServerDesk: Sendable {
  private struct State {
    var gate: RequestGate?
    var streams: [ObjectIdentifier: PageStream] = [:]
    var isLowered = false
    /// How many streams are about to begin.
    var beginning = 0
    var isOver = false
    var isProbing = false
  }

  /// After how many microseconds an empty line is sent on streams that wait.
  private static let pulse: UInt32 = 2_000_000

  let site: any PageSite
  private let token: PageToken
  private let state = Mutex(State())

  init(_ site: any PageSite, _ token: PageToken) { (self.site, self.token) = (site, token) }

  var gate: RequestGate? { state.withLock { $0.gate } }

  func open(at port: UInt16) { state.withLock { $0.gate = RequestGate(port: port, token: token, name: site.name) } }

  var hasStreams: Bool { state.withLock { $0.beginning > 0 || !$0.streams.isEmpty } }

  func close() {
    let streams = state.withLock { state in
      state.isOver = true
      return state.streams.values
    }
    for stream in streams { stream.end() }
  }

  /// Begins a stream; one that would begin after the end is over at once.
  func begin() -> PageStream {
    state.withLock { $0.beginning += 1 }
    let stream = site.open()
    let isOver = state.withLock { state in
      state.beginning -= 1
      state.streams[ObjectIdentifier(stream)] = stream
      return state.isOver
    }
    if isOver { stream.end() }
    probe()
    return stream
  }

  /// Sends an empty line on every stream now and then, as long as there is one: a connection that waits is not watched,
  /// and only one that is written to notices that its client is gone.
  private func probe() {
    let isFirst = state.withLock { state in
      defer { state.isProbing = true }
      return !state.isProbing
    }
    guard isFirst else { return }
    WaitingThread.start { [self] in
      while true {
        usleep(Self.pulse)
        let streams = state.withLock { state in
          state.isProbing = !state.streams.isEmpty && !state.isOver
          return state.isProbing ? Array(state.streams.values) : []
        }
        guard !streams.isEmpty else { return }
        for stream in streams { stream.probe() }
        site.watch()
      }
    }
  }

  func end(_ stream: PageStream) {
    state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    site.close(stream)
  }

  /// Whether a client may connect.
  func admits(port: UInt16) -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isLowered = true }
      return !state.isLowered
    }
    // Nothing of a page has a place before what a trial needs. On Linux the priority is the calling thread's alone.
    if isFirst { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
    guard let gate, let table = try? File("/proc/net/tcp", .read).contents(limit: 1 << 24) else { return false }
    return ClientOwner.user(ofPort: port, to: gate.port, in: table) == getuid()
  }
}

/// A request whose body is coming.
private final class Exchange {
  private(set) var body: [UInt8] = []
  /// How many bytes have come.
  private(set) var length = 0
  let wish: RequestGate.Wish

  init(_ wish: RequestGate.Wish) { self.wish = wish }

  /// Takes a piece of the body, and nothing of it where it is too long.
  func take(_ piece: UnsafeRawBufferPointer) {
    length += piece.count
    if isTooLong { body = [] } else { unsafe body += piece }
  }

  var isTooLong: Bool { length > RequestGate.maxMessage }
}

/// What every answer says: nothing is loaded from elsewhere, no page of another server may show or read it, and nothing is
/// guessed.
///
/// - Parameter isFramed: whether a page of this server may show it in a frame; then it runs nothing.
/// - Returns: headers of the answer.
private func protection(isFramed: Bool = false) -> [(String, String)] {
  let policy =
    isFramed
    ? "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'self'; sandbox"
    : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; frame-src 'self'; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      + "require-trusted-types-for 'script'"
  return [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", isFramed ? "SAMEORIGIN" : "DENY"), ("Referrer-Policy", "no-referrer"),
    // With these a page's clock ticks in 5 µs, and without them in 100.
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

// MARK: What the library calls, on its thread

private func desk(_ box: UnsafeMutableRawPointer?) -> ServerDesk? {
  unsafe box.map { unsafe Unmanaged<ServerDesk>.fromOpaque($0).takeUnretainedValue() }
}

private func admits(
  _ box: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
  guard let desk = unsafe desk(box), let address = unsafe address, unsafe address.pointee.sa_family == AF_INET else {
    return .NO
  }
  let client = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
  guard client.sin_addr.s_addr == INADDR_LOOPBACK.bigEndian else { return .NO }
  let port = client.sin_port.bigEndian
  return desk.admits(port: port) ? .YES : .NO
}

private func connects(
  _ box: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ event: MHD_ConnectionNotificationCode
) {
  guard event == .CONNECTION_NOTIFY_STARTED, let connection = unsafe connection else { return }
  // A client that does not read is noticed soon, instead of filling the kernel's memory.
  var size: Int32 = 32_768
  unsafe _ = setsockopt(
    cmhd_socket(connection), SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
}

private func takes(
  _ box: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ bytes: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let desk = unsafe desk(box), let connection = unsafe connection, let path = unsafe path,
    let method = unsafe method, let count = unsafe count, let context = unsafe context
  else { return .NO }
  guard let known = unsafe context.pointee else {
    var head = unsafe RequestHead(method: String(cString: method), path: String(cString: path), fields: [:])
    for name in RequestHead.read {
      let times = unsafe cmhd_count(connection, name)
      if times > 0 {
        head.fields[name] =
          times == 1 ? unsafe cmhd_field(connection, name).map { unsafe String(cString: $0) } : .some(nil)
      }
    }
    guard let gate = desk.gate else { return .NO }
    do throws(RequestRefusal) {
      let exchange = try Exchange(gate.admit(head))
      unsafe context.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return .YES
    } catch {
      return unsafe refuse(connection, error)
    }
  }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
  if unsafe count.pointee > 0 {
    // A body where none belongs, or one without an end.
    guard exchange.wish == .message, exchange.length < RequestGate.maxRefused, let bytes = unsafe bytes else {
      return .NO
    }
    unsafe exchange.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    unsafe count.pointee = 0
    return .YES
  }
  switch exchange.wish {
  case .message where exchange.isTooLong:
    let reason = "a message has at most \(RequestGate.maxMessage) bytes"
    return unsafe refuse(connection, RequestRefusal(status: 413, reason: reason))
  case .message: return unsafe answer(connection, desk.site.take(exchange.body))
  case .stream: return unsafe tell(connection, desk)
  case .file:
    guard let file = unsafe desk.site.file(at: String(cString: path)) else {
      return unsafe refuse(connection, RequestRefusal(status: 404, reason: "there is nothing at this address"))
    }
    return unsafe answer(
      connection, 200, file.bytes, type: file.type,
      keeping: file.isPermanent ? "private, max-age=31536000, immutable" : "no-store", isFramed: file.isFramed)
  }
}

private func ends(
  _ box: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ reason: MHD_RequestTerminationCode
) {
  guard let context = unsafe context, let known = unsafe context.pointee else { return }
  unsafe Unmanaged<Exchange>.fromOpaque(known).release()
  unsafe context.pointee = nil
}

private func refuse(_ connection: OpaquePointer, _ refusal: RequestRefusal) -> MHD_Result {
  unsafe answer(connection, refusal.status, Array("\(refusal.reason)\n".utf8))
}

private func answer(
  _ connection: OpaquePointer, _ status: UInt32, _ bytes: [UInt8] = [], type: String = "text/plain; charset=utf-8",
  keeping: String = "no-store", isFramed: Bool = false
) -> MHD_Result {
  guard let response = unsafe cmhd_bytes(bytes, bytes.count) else { return .NO }
  for (name, value) in protection(isFramed: isFramed) + [("Cache-Control", keeping), ("Content-Type", type)] {
    unsafe _ = cmhd_add(response, name, value)
  }
  return unsafe cmhd_answer(connection, status, response)
}

/// A stream, the connection that it is sent on, and who knows of it.
@safe private final class Sending: Sendable {
  let stream: PageStream
  nonisolated(unsafe) let connection: OpaquePointer
  let desk: ServerDesk

  init(_ stream: PageStream, _ connection: OpaquePointer, _ desk: ServerDesk) {
    self.stream = stream
    unsafe self.connection = connection
    self.desk = desk
  }
}

private func tell(_ connection: OpaquePointer, _ desk: ServerDesk) -> MHD_Result {
  let sending = unsafe Sending(desk.begin(), connection, desk)
  let box = unsafe Unmanaged.passRetained(sending).toOpaque()
  let response = unsafe cmhd_stream(
    { box, _, buffer, count in
      guard let box = unsafe box, let buffer = unsafe buffer else { return -1 }
      let sending = unsafe Unmanaged<Sending>.fromOpaque(box).takeUnretainedValue()
      let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
      switch unsafe sending.stream.take(into: room, for: sending.connection) {
      case .bytes(let count): return count
      case .later: return 0
      case .over: return -1
      }
    }, box,
    { box in
      guard let box = unsafe box else { return }
      let sending = unsafe Unmanaged<Sending>.fromOpaque(box).takeRetainedValue()
      sending.desk.end(sending.stream)
    })
  guard let response = unsafe response else {
    unsafe Unmanaged<Sending>.fromOpaque(box).release()
    return .NO
  }
  for (name, value) in protection() + [("Cache-Control", "no-store"), ("Content-Type", "application/x-ndjson")] {
    unsafe _ = cmhd_add(response, name, value)
  }
  return unsafe cmhd_answer(connection, 200, response)
}
