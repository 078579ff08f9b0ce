import CPipeWire
import Glibc
import Quantities
import Synchronization

/// A connection to a PipeWire server, with its own thread.
///
/// Its owner closes it: afterwards nothing is called any more. Of its locks, that of the thread is taken first.
@safe final class PipeWireConnection: Sendable {
  @safe private struct Handle: Sendable {
    nonisolated(unsafe) let pointer: OpaquePointer  // guarded by the lock in it
  }

  /// Something that is waited for.
  fileprivate struct Condition: Sendable {
    let isMet: @Sendable (State) -> Bool
    let deadline: Moment
    let answer: Awaited<Bool>
  }

  struct State: Sendable {
    var graph = Graph()
    /// Why the connection is lost; `nil` while it is not.
    var failure: SoundServerError?
    /// The last error of an object.
    var complaint: String?
    /// The number of the last question that was answered.
    fileprivate(set) var answered = -1
    fileprivate var conditions: [Condition] = []
    fileprivate var listener: (@Sendable (GraphMessage) -> Void)?
  }

  private let handle: Mutex<Handle?>
  private let state = Mutex(State())

  /// How often the time is looked at, in nanoseconds: while an output is opened, and while sounds are played or recorded.
  private static let interval: (opening: Int64, playing: Int64) = (2_000_000, 20_000_000)

  /// Connects to a running server, by its socket's name or path, or to the user's own; never starts one.
  init(to remote: String? = nil) throws(SoundServerError) {
    try PipeWireLibrary.open()
    let name = remote.map { "PipeWire at “\($0)”" } ?? "PipeWire"
    guard let pointer = unsafe cpipewire_graph_connect(remote) else {
      throw SoundServerError(
        action: "connect to \(name)", reason: errno == EHOSTDOWN ? "no server is running" : Self.text(of: errno),
        advice: "start PipeWire or use --speaker silent", isUnreachable: true)
    }
    handle = unsafe Mutex(Handle(pointer: pointer))
    // Released when the connection is closed.
    let box = unsafe Unmanaged.passRetained(self).toOpaque()
    let result = unsafe locked { pointer in
      unsafe cpipewire_graph_tick(pointer, Self.interval.opening)
      return unsafe cpipewire_graph_listen(pointer, serverSpoke, box)
    }
    guard let result, result == 0 else {
      close()
      throw SoundServerError(action: "connect to \(name)", reason: Self.text(of: -(result ?? -ENOMEM)))
    }
  }

  /// Throws where the library says no: the result of a call is negative.
  static func check(_ result: Int32?, _ action: String, _ object: String) throws(SoundServerError) {
    guard let result, result < 0 else { return }
    throw SoundServerError(action: action, reason: SoundServerError.refusal(of: object, text(of: -result)))
  }

  private static func text(of code: Int32) -> String { unsafe strerror(code).map { unsafe String(cString: $0) } ?? "" }

  /// Ends the connection and its thread; must not be called on that thread.
  func close() {
    guard let closed = handle.withLock({ $0.take() }) else { return }
    unsafe cpipewire_graph_close(closed.pointer)
    let conditions = state.withLock { state in
      state.listener = nil
      state.failure = state.failure ?? SoundServerError(action: "go on playing", reason: "the speaker is closed")
      defer { state.conditions = [] }
      return state.conditions
    }
    for condition in conditions { condition.answer.finish(.success(false)) }
    unsafe Unmanaged.passUnretained(self).release()
  }

  /// Looks at the time less often, now that the output is open.
  func relax() { unsafe locked { unsafe cpipewire_graph_tick($0, Self.interval.playing) } }

  /// Calls C with the thread's lock held; `nil` after the end.
  @discardableResult
  func locked<Value>(_ body: (OpaquePointer) -> Value) -> Value? {
    handle.withLock { handle in
      guard let handle else { return nil }
      unsafe cpipewire_graph_lock(handle.pointer)
      defer { unsafe cpipewire_graph_unlock(handle.pointer) }
      return unsafe body(handle.pointer)
    }
  }

  var graph: Graph { state.withLock { $0.graph } }

  var failure: SoundServerError? { state.withLock { $0.failure } }

  var complaint: String? { state.withLock { $0.complaint } }

  /// Sets what is called with every message, on the connection's thread with its lock held.
  func listen(_ listener: @escaping @Sendable (GraphMessage) -> Void) { state.withLock { $0.listener = listener } }

  /// Waits, five seconds for each of two questions, until the server has answered everything asked before.
  func settle() async throws {
    // Objects that are listened to answer after the first round; their parameters after the second.
    for _ in 0..<2 {
      let number = unsafe locked { unsafe Int(cpipewire_graph_sync($0)) } ?? -1
      let isAnswered = try await wait(atMost: .seconds(5)) { $0.answered == number }
      if let failure { throw failure }
      if !isAnswered { throw Self.noAnswer }
    }
  }

  /// Waits until something is so; `false` if it is not within a time, or the connection is lost.
  func wait(atMost limit: Duration, until isMet: @escaping @Sendable (State) -> Bool) async throws -> Bool {
    let answer = Awaited<Bool>()
    return try await withTaskCancellationHandler {
      try await answer.wait {
        let deadline = MonotonicClock().now.advanced(by: limit)
        let isOver = state.withLock { state in
          if state.failure == nil {
            state.conditions.append(Condition(isMet: isMet, deadline: deadline, answer: answer))
            return false
          }
          return true
        }
        if isOver { answer.finish(.success(false)) }
        // A cancellation that came earlier found nothing that waited.
        if Task.isCancelled { answer.finish(.failure(CancellationError())) }
      }
    } onCancel: {
      answer.finish(.failure(CancellationError()))
    }
  }

  private static let noAnswer = SoundServerError(
    action: "ask PipeWire for its sinks", reason: "it does not answer",
    advice: "see whether `pw-cli info 0` answers, and start PipeWire again if not")

  /// Takes a message, on the connection's thread with its lock held.
  fileprivate func take(_ message: GraphMessage) {
    let now = MonotonicClock().now
    let (listener, met) = state.withLock { state -> ((@Sendable (GraphMessage) -> Void)?, [(Awaited<Bool>, Bool)]) in
      state.take(message)
      var met: [(Awaited<Bool>, Bool)] = []
      var left: [Condition] = []
      for condition in state.conditions {
        if condition.isMet(state) {
          met.append((condition.answer, true))
        } else if state.failure != nil || condition.deadline <= now {
          met.append((condition.answer, false))
        } else {
          left.append(condition)
        }
      }
      state.conditions = left
      return (state.listener, met)
    }
    listener?(message)
    for (answer, isMet) in met { answer.finish(.success(isMet)) }
  }
}

extension PipeWireConnection.State {
  fileprivate mutating func take(_ message: GraphMessage) {
    graph.take(message)
    switch message {
    case .done(let number): answered = number
    case .failed(object: 0, let code, let text):
      // An error of a request, such as a link that was refused, names the core as well.
      guard code == -Int(EPIPE) else { return complaint = text }
      failure = SoundServerError(
        action: "go on playing", reason: "the sound server went away", advice: "start PipeWire again")
    case .failed(_, _, let text): complaint = text
    default: break
    }
  }
}

private func serverSpoke(_ message: UnsafePointer<cpipewire_message>?, _ box: UnsafeMutableRawPointer?) {
  guard let message = unsafe message?.pointee, let box = unsafe box else { return }
  guard let known = unsafe GraphMessage(message) else { return }
  unsafe Unmanaged<PipeWireConnection>.fromOpaque(box).takeUnretainedValue().take(known)
}

/// libpipewire, loaded when a PipeWire server is looked for.
enum PipeWireLibrary {
  /// The loader's message if the library cannot be loaded; `nil` once it is loaded.
  private static let problem = unsafe cpipewire_open().map { unsafe String(cString: $0) }

  /// Loads the library; must precede every other call into PipeWire.
  static func open() throws(SoundServerError) { try check(problem) }

  /// Throws if the library cannot be loaded, and names the package that contains it.
  static func check(_ problem: String?) throws(SoundServerError) {
    guard let problem else { return }
    throw SoundServerError(
      action: "play through PipeWire", reason: "its client library cannot be opened (\(problem))",
      advice: "install it: apt-get install libpipewire-0.3-0, or play through PulseAudio: --speaker pulse:default")
  }
}
