import CMicroHTTPD
import Synchronization

/// The lines that one client is sent.
///
/// Of screens only the newest waits for a client that reads slowly, since each is complete. It is the server's thread that
/// takes lines out; any thread may put them in, and never waits.
package final class PageStream: Sendable {
  private struct State {
    var lines: [[UInt8]]
    var screen: [UInt8]?
    /// What is sent after everything else.
    var last: [UInt8]?
    /// What the client has not taken of the line that is being sent.
    var rest: ArraySlice<UInt8> = []
    var isOver = false
    var waiting: WaitingConnection?
  }

  /// A connection that waits for lines.
  @safe private struct WaitingConnection: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer
  }

  private let maxLines: Int
  private let state: Mutex<State>

  /// A stream that begins with a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - maxLines: how many lines wait at most beside a screen: a client that leaves more does not read.
  package init(first line: [UInt8], maxLines: Int = 64) {
    self.maxLines = maxLines
    state = Mutex(State(lines: [line]))
  }

  /// Sends a screen, in the place of one that was not taken yet.
  package func show(_ screen: [UInt8]) { change { $0.screen = screen } }

  /// Sends a line.
  package func tell(_ line: [UInt8]) {
    change { state in
      if state.lines.count < maxLines { state.lines.append(line) } else { state.isOver = true }
    }
  }

  /// Sends an empty line where nothing else waits.
  func probe() { change { if $0.waiting != nil, $0.lines.isEmpty { $0.lines.append([]) } } }

  /// Ends the stream, after what waits.
  package func end(_ last: [UInt8]? = nil) {
    change { state in
      state.last = state.last ?? last
      state.isOver = true
    }
  }

  /// Whether nothing is sent any more.
  var isOver: Bool { state.withLock { $0.isOver } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      if let waiting = state.waiting.take() { unsafe cmhd_resume(waiting.pointer) }
    }
  }

  /// What a client is sent next.
  enum Portion {
    case bytes(Int)
    case later, over
  }

  /// Puts what is next into a buffer; where there is nothing, the connection waits.
  ///
  /// - Parameters:
  ///   - buffer: where to.
  ///   - connection: whose; on the server's thread.
  /// - Returns: how much.
  func take(into buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Portion {
    state.withLock { state in
      if state.rest.isEmpty {
        if !state.lines.isEmpty {
          state.rest = (state.lines.removeFirst() + [10])[...]
        } else if let line = state.screen.take() ?? state.last.take() {
          state.rest = (line + [10])[...]
        }
      }
      guard !state.rest.isEmpty else {
        guard !state.isOver else { return .over }
        state.waiting = unsafe WaitingConnection(pointer: connection)
        unsafe cmhd_suspend(connection)
        return .later
      }
      let count = min(buffer.count, state.rest.count)
      unsafe buffer.copyBytes(from: state.rest.prefix(count))
      state.rest.removeFirst(count)
      return .bytes(count)
    }
  }
}
