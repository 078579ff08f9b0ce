import Basics
import Glibc
import Synchronization

/// One request under way: what libcurl's callbacks take and give.
final class Transfer: Sendable {
  private struct State {
    var headers: [String: String] = [:]
    var content: [UInt8] = []
    var hash: SHA256?
    var size = 0
    var fault: TransferFault?
    var isCancelled = false
    /// How many bytes were given, and when all were, or when the answer began.
    var given = 0
    var sent: SuspendingClock.Instant?
  }

  private let state: Mutex<State>
  private let reader: Mutex<BodyReader>
  private let limit: Int
  private let total: Int
  private let patience: Duration
  private let secrets: Secrets

  /// The longest header of an answer, in bytes.
  private static let maxHeaderLength = 1 << 16

  /// The slowest rate at which a long answer is read, in bytes per second.
  private static let slowest = 1 << 14

  /// A transfer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - limit: how much content of the answer is taken.
  ///   - patience: how long the answer may take, from when all was sent to its last byte; one that is only hashed, such as an
  ///     archive that is read back, may take longer.
  init(_ request: HTTPRequest, limit: Int, patience: Duration) {
    self.patience = patience + (request.hashesAnswer ? .seconds(limit / Self.slowest) : .zero)
    secrets = request.secrets
    reader = Mutex(BodyReader(request.body ?? Body(pieces: [], type: "")))
    state = Mutex(State(hash: request.hashesAnswer ? SHA256() : nil))
    self.limit = limit
    total = request.body?.size ?? 0
    if total == 0 { state.withLock { $0.sent = .now } }
  }

  /// The object behind a pointer of libcurl.
  static func from(_ box: UnsafeMutableRawPointer) -> Transfer {
    unsafe Unmanaged<Transfer>.fromOpaque(box).takeUnretainedValue()
  }

  /// Why the callbacks ended the transfer.
  var fault: TransferFault? {
    state.withLock { $0.fault ?? ($0.isCancelled ? TransferFault(.cancelled, "cancelled") : nil) }
  }

  /// Whether the transfer is to end: it was cancelled, or the answer takes too long.
  var mustEnd: Bool {
    state.withLock { state in
      if let sent = state.sent, state.fault == nil, sent.duration(to: .now) > patience {
        state.fault = TransferFault(
          .timeout, "the answer was not complete \(patience.components.seconds) s after the request")
      }
      return state.isCancelled || state.fault != nil
    }
  }

  /// Ends the transfer within a second.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Takes content of the answer; `false` ends the transfer.
  func take(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      state.size += bytes.count
      guard state.size <= limit else {
        state.fault = TransferFault(.tooLong, "the answer is longer than \(limit) bytes")
        return false
      }
      if state.hash == nil { state.content += bytes } else { state.hash?.update(bytes) }
      return true
    }
  }

  /// Takes a line of the answer's header; `false` ends the transfer.
  func takeHeader(_ line: String) -> Bool {
    state.withLock { state in
      if state.sent == nil { state.sent = .now }
      // A status line begins the header of the final answer, after that of a provisional one.
      if line.hasPrefix("HTTP/") { state.headers = [:] }
      guard
        state.headers.reduce(line.utf8.count, { $0 + $1.key.utf8.count + $1.value.utf8.count }) < Self.maxHeaderLength
      else {
        state.fault = TransferFault(.tooLong, "the answer's header is longer than \(Self.maxHeaderLength) bytes")
        return false
      }
      guard let colon = line.firstIndex(of: ":") else { return true }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      state.headers[line[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
      return true
    }
  }

  /// The next bytes to send; `nil` ends the transfer.
  func give(upTo count: Int) -> [UInt8]? {
    do {
      let bytes = try reader.withLock { try $0.read(upTo: count) }
      state.withLock { state in
        state.given += bytes.count
        state.sent = state.given < total ? nil : .now
      }
      return bytes
    } catch {
      state.withLock { $0.fault = TransferFault(.reading, "\(error)") }
      return nil
    }
  }

  /// Sends from the beginning once more.
  func rewind() {
    reader.withLock { $0.rewind() }
    state.withLock { $0.given = 0 }
  }

  func answer(status: Int) -> HTTPAnswer {
    state.withLock { state in
      HTTPAnswer(
        status: status, headers: state.headers, body: state.content, digest: state.hash?.digest(), secrets: secrets)
    }
  }
}

/// The priority of the current thread.
enum ThreadPriority: Sendable {
  /// Lets every other thread of the computer go before the current one.
  static func lower() {
    // On Linux this is the calling thread's alone.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
  }
}
