import CPostgres
import Dispatch
import Glibc

/// A connection to a PostgreSQL server, which closes itself; waits end soon after their task is cancelled.
@safe
final class PostgresConnection {
  let address: PostgresAddress
  private let contents: DatabaseContents
  private let functions: cpostgres_functions
  private let handle: OpaquePointer
  /// The names of the server's prepared statements, by SQL text.
  private var prepared: [String: String] = [:]

  /// How long the server may stay silent while a reply is pending.
  private let patience: StorePatience

  /// The connection timeout in seconds, unless the URL sets another.
  private static let patienceWithConnecting = 10.0

  /// How long the server may take to honour a cancel request before the connection is abandoned.
  private static let patienceWithStopping = Duration.seconds(5)

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: the server's address.
  ///   - contents: what the database holds, for messages.
  ///   - patience: how long to wait for a server that does not respond.
  /// - Throws: `PostgresError` if the server cannot be reached, or refuses the connection.
  init(
    _ address: PostgresAddress, of contents: DatabaseContents = .samples,
    _ patience: StorePatience = StorePatience(limit: .seconds(60))
  ) throws(PostgresError) {
    self.address = address
    self.contents = contents
    self.patience = patience
    functions = try PostgresLibrary.shared.get().functions
    // Keep-alives detect a dead server within half a minute.
    let defaults = [
      "fallback_application_name": "station", "client_encoding": "UTF8", "keepalives_idle": "10",
      "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "30000",
    ]
    let parameters = address.parameters.merging(defaults) { given, _ in given }
    var names = unsafe parameters.keys.map { unsafe UnsafePointer<CChar>?(strdup($0)) } + [nil]
    var values = unsafe parameters.values.map { unsafe UnsafePointer<CChar>?(strdup($0)) } + [nil]
    let opened = unsafe functions.connectStartParams(&names, &values, 0)
    unsafe (names + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
    guard let handle = unsafe opened else {
      throw PostgresError(
        action: "open the \(contents.called(address.name))", state: PostgresError.noConnection,
        reason: "out of memory", contents: contents)
    }
    unsafe self.handle = handle
    unsafe _ = functions.setNoticeProcessor(handle, ignoreNotice, nil)
    try connect()
    unsafe _ = functions.setnonblocking(handle, 1)
    // The same lock timeout as for a SQLite file.
    try execute("SET lock_timeout = '30s'")
  }

  deinit { unsafe functions.finish(handle) }

  private func connect() throws(PostgresError) {
    func fail(_ reason: String? = nil) -> PostgresError {
      let needsPassword = unsafe functions.connectionNeedsPassword(handle) != 0
      return PostgresError(
        action: "open the \(contents.called(address.name))",
        state: needsPassword || problem.contains("password authentication failed")
          ? "28P01" : PostgresError.noConnection, reason: reason ?? problem, contents: contents)
    }
    let given = address.parameters["connect_timeout"].flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    let deadline = ContinuousClock.now + .seconds(given ?? Self.patienceWithConnecting)
    var events = Int16(POLLOUT)
    while unsafe functions.status(handle) != CONNECTION_BAD {
      guard !Task.isCancelled else {
        throw PostgresError(
          action: "open the \(contents.called(address.name))", state: PostgresError.interrupted, reason: "cancelled",
          contents: contents)
      }
      guard ContinuousClock.now < deadline else { throw fail("the server does not answer") }
      guard wait(for: events) else { continue }
      switch unsafe functions.connectPoll(handle) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: events = Int16(POLLIN)
      case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
      default: throw fail()
      }
    }
    throw fail()
  }

  /// Waits up to 50 ms, and returns whether the socket is ready.
  private func wait(for events: Int16) -> Bool {
    var socket = unsafe pollfd(fd: functions.socket(handle), events: events, revents: 0)
    return unsafe poll(&socket, 1, 50) > 0
  }

  /// libpq's last error message, on one line.
  private var problem: String {
    let text = unsafe functions.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
    return address.withoutPasswords(
      text.split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == " " } }.joined(separator: " "))
  }
}

extension PostgresConnection {
  /// Runs a statement, which the server keeps prepared; its parameters are `?1`, `?2` and so on.
  func run(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
    let name = try prepare(sql, values)
    return try unsafe withPointers(to: values) { values, lengths, formats throws(PostgresError) in
      let sent = unsafe functions.sendQueryPrepared(handle, name, Int32(lengths.count), values, lengths, formats, 1)
      return try finish(sql, sent)
    }
  }

  /// Runs a statement once, without preparing it.
  func runOnce(_ sql: String, _ values: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
    let types = values.map(\.type)
    return try unsafe withPointers(to: values) { values, lengths, formats throws(PostgresError) in
      let count = Int32(lengths.count)
      let sent = unsafe functions.sendQueryParams(handle, Self.native(sql), count, types, values, lengths, formats, 1)
      return try finish(sql, sent)
    }
  }

  /// Runs statements without values and rows; with `mayBeStopped`, cancelling the task stops them.
  @discardableResult
  func execute(_ sql: String, mayBeStopped: Bool = true) throws(PostgresError) -> PostgresResult {
    try finish(sql, unsafe functions.sendQuery(handle, sql), mayBeStopped: mayBeStopped)
  }

  private func prepare(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> String {
    if let name = prepared[sql] { return name }
    // Queries with different lists of sources are different statements; rarely used ones are not worth keeping.
    if prepared.count >= 100 {
      try execute("DEALLOCATE ALL")
      prepared = [:]
    }
    let name = "s\(prepared.count)"
    let types = values.map(\.type)
    _ = try finish(sql, unsafe functions.sendPrepare(handle, name, Self.native(sql), Int32(types.count), types))
    prepared[sql] = name
    return name
  }

  /// The statement with PostgreSQL's own parameters.
  private static func native(_ sql: String) -> String { sql.replacing("?", with: "$") }

  private func withPointers<Result>(
    to values: [PostgresValue],
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    // One extra byte, so that an empty value has an address too; a null pointer would mean NULL.
    let bytes = values.flatMap(\.bytes) + [0]
    let lengths = values.map { Int32($0.bytes.count) }
    return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PostgresError) in
      var next = unsafe UnsafeRawPointer(bytes.baseAddress)
      let places = unsafe lengths.map { length in
        defer { unsafe next = next?.advanced(by: Int(length)) }
        return unsafe next?.assumingMemoryBound(to: CChar.self)
      }
      return try unsafe body(places, lengths, Array(repeating: 1, count: lengths.count))
    }
  }

  /// Waits until the server has completed the request; each sign of life extends the timeout.
  private func finish(
    _ sql: String, _ sent: Int32, mayBeStopped: Bool = true
  ) throws(PostgresError) -> PostgresResult {
    guard sent == 1 else { throw lost(sql) }
    var limit = AnswerLimit(patience, server: contents.called(address.name))
    while true {
      let left = unsafe functions.flush(handle)
      if left == 0 { break }
      guard left > 0 else { throw lost(sql) }
      // A server with pending output may accept no input until that output is read.
      if wait(for: Int16(POLLIN | POLLOUT)) {
        limit.extend()
        guard unsafe functions.consumeInput(handle) == 1 else { throw lost(sql) }
      } else if limit.isOver {
        throw abandoned(sql)
      }
    }
    var (last, refused): (PostgresResult?, PostgresError?)
    while true {
      while unsafe functions.isBusy(handle) != 0 {
        if wait(for: Int16(POLLIN)) {
          guard unsafe functions.consumeInput(handle) == 1 else { throw lost(sql) }
          limit.extend()
        } else if limit.isOver {
          throw abandoned(sql)
        } else if Task.isCancelled, limit.shorten(to: Self.patienceWithStopping), mayBeStopped {
          stop()
        }
      }
      guard let handle = unsafe functions.getResult(handle) else { break }
      let result = unsafe PostgresResult(handle, functions)
      if result.isRefused, refused == nil { refused = error(sql, result) }
      last = result
    }
    if let refused { throw refused }
    guard let last else { throw lost(sql) }
    return last
  }

  /// Sends a cancel request for this connection.
  private func stop() {
    guard let cancel = unsafe functions.getCancel(handle) else { return }
    let request = unsafe CancelRequest(cancel, functions)
    // The request uses a separate connection, which a frozen server does not answer either.
    DispatchQueue.global().async { request.send() }
  }

  private func abandoned(_ sql: String) -> PostgresError {
    failure(
      sql, PostgresError.abandoned,
      Task.isCancelled
        ? "the server was asked to stop and does not answer"
        : "the server has not answered for \(patience.limit.components.seconds) s")
  }

  private func lost(_ sql: String) -> PostgresError { failure(sql, PostgresError.lostConnection, problem) }

  private func error(_ sql: String, _ result: PostgresResult) -> PostgresError {
    guard let state = result.errorField("C") else { return lost(sql) }
    let reason = address.withoutPasswords(result.errorField("M") ?? problem)
    return failure(sql, state, reason)
  }

  /// An error of a statement.
  func failure(_ sql: String?, _ state: String, _ reason: String) -> PostgresError {
    PostgresError(
      action: "use the \(contents.called(address.name))", statement: sql, state: state, reason: reason,
      contents: contents)
  }
}

/// The timeout for a server's reply.
private struct AnswerLimit {
  private let patience: StorePatience
  private let waiting: StoreWaiting
  private let server: String
  private var end: ContinuousClock.Instant
  private var isShort = false

  init(_ patience: StorePatience, server: String) {
    self.patience = patience
    self.server = server
    waiting = StoreWaiting(patience)
    end = .now + patience.limit
  }

  /// Whether the server has been silent for too long; reports the wait once.
  var isOver: Bool {
    _ = waiting.mayWait(for: { "the server of the \(server)" })
    return ContinuousClock.now >= end
  }

  /// Extends the timeout after the server has sent something.
  mutating func extend() {
    if !isShort { end = .now + patience.limit }
  }

  /// Shortens the timeout; returns whether this was the first time.
  mutating func shorten(to limit: Duration) -> Bool {
    guard !isShort else { return false }
    isShort = true
    end = min(end, .now + limit)
    return true
  }
}

/// A cancel request to a server; sent once.
@safe
private final class CancelRequest: Sendable {
  // Only the sending thread uses it.
  nonisolated(unsafe) private let request: OpaquePointer
  private let functions: cpostgres_functions

  init(_ request: OpaquePointer, _ functions: cpostgres_functions) {
    unsafe self.request = request
    self.functions = functions
  }

  deinit { unsafe functions.freeCancel(request) }

  func send() {
    var reason = [CChar](repeating: 0, count: 256)
    unsafe _ = functions.cancel(request, &reason, Int32(reason.count))
  }
}

/// Ignores the server's notices, which are meant for users of an SQL console.
private func ignoreNotice(_: UnsafeMutableRawPointer?, _: UnsafePointer<CChar>?) {}

/// libpq, loaded when the first server is needed.
@safe final class PostgresLibrary: Sendable {
  /// The library, or the reason why it could not be loaded; tried once a process.
  static let shared: Result<PostgresLibrary, PostgresError> = {
    do throws(PostgresError) { return .success(try PostgresLibrary()) } catch { return .failure(error) }
  }()

  /// The functions; immutable after `init`, and safe to call from any thread.
  let functions: cpostgres_functions

  private init() throws(PostgresError) {
    var functions = cpostgres_functions()
    var reason = [CChar](repeating: 0, count: 256)
    guard unsafe cpostgres_load(&functions, &reason, reason.count) == 0 else {
      let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw PostgresError(
        action: "open the PostgreSQL library", state: PostgresError.missingLibrary,
        reason: String(decoding: text, as: UTF8.self))
    }
    self.functions = functions
  }
}
