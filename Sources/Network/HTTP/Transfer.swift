import Basics
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
  }

  private let state: Mutex<State>
  private let reader: Mutex<BodyReader>
  private let limit: Int

  /// The longest header of an answer, in bytes.
  private static let longestHeader = 1 << 16

  init(_ request: HTTPRequest, limit: Int) {
    reader = Mutex(BodyReader(request.body ?? Body(pieces: [], type: "")))
    state = Mutex(State(hash: request.hashesAnswer ? SHA256() : nil))
    self.limit = limit
  }

  /// The object behind a pointer of libcurl.
  static func from(_ box: UnsafeMutableRawPointer) -> Transfer {
    unsafe Unmanaged<Transfer>.fromOpaque(box).takeUnretainedValue()
  }

  /// Why the callbacks ended the transfer.
  var fault: TransferFault? {
    state.withLock { $0.fault ?? ($0.isCancelled ? TransferFault(.cancelled, "cancelled") : nil) }
  }

  /// Whether the transfer is to end.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

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
      // A status line begins the header of the final answer, after that of a provisional one.
      if line.hasPrefix("HTTP/") { state.headers = [:] }
      guard state.headers.reduce(line.utf8.count, { $0 + $1.key.utf8.count + $1.value.utf8.count }) < Self.longestHeader
      else {
        state.fault = TransferFault(.tooLong, "the answer's header is longer than \(Self.longestHeader) bytes")
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
      return try reader.withLock { try $0.read(upTo: count) }
    } catch {
      state.withLock { $0.fault = TransferFault(.reading, "\(error)") }
      return nil
    }
  }

  /// Sends from the beginning once more.
  func rewind() { reader.withLock { $0.rewind() } }

  func answer(status: Int) -> HTTPAnswer {
    state.withLock { HTTPAnswer(status: status, headers: $0.headers, body: $0.content, digest: $0.hash?.digest()) }
  }
}
