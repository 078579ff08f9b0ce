import CPulse
import Synchronization

/// What a server says about itself.
struct ServerFacts: Hashable, Sendable {
  var name = ""
  var version = ""
  var defaultSink = ""
}

/// What a server says about a sink.
struct SinkFacts: Hashable, Sendable {
  var name: String
  var description: String
  var driver: String
  var sampleRate: Int
  var channels: Int

  /// Whether it throws its sound away.
  var isNull: Bool { driver.hasPrefix("module-null-sink") }
}

extension PulseConnection {
  /// Asks the server what it is.
  func serverFacts() async throws -> ServerFacts {
    unsafe try await ask("ask the server what it is") { pointer in
      unsafe pa_context_get_server_info(context, serverAnswered, pointer)
    }.server
  }

  /// The sink of that name, or the server's own choice.
  func sink(named name: String?, default ownChoice: String) async throws -> SinkFacts {
    let sinks = unsafe try await ask("ask the server for its sinks") { pointer in
      unsafe pa_context_get_sink_info_list(context, sinkAnswered, pointer)
    }.sinks
    let wanted = name ?? ownChoice
    if let sink = sinks.first(where: { $0.name == wanted }) ?? (name == nil ? sinks.first : nil) { return sink }
    guard !sinks.isEmpty else {
      throw PulseAudioError(
        action: "play through \(self.name)", reason: "the server has no sink",
        advice: "connect a sound card or use --speaker silent")
    }
    throw PulseAudioError(
      action: "play through the sink “\(wanted)”", reason: "\(self.name) has no sink of that name",
      advice: "it has " + sinks.map { "“\($0.name)”" }.sorted().joined(separator: ", "))
  }

  private func ask(_ action: String, _ begin: (UnsafeMutableRawPointer) -> OpaquePointer?) async throws -> Answer {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Answer, any Error>) in
      let query = Retained(Query(action, Once(continuation)))
      locked {
        guard let operation = unsafe begin(query.pointer) else {
          query.object.fail(code: unsafe pa_context_errno(context))
          query.release()
          return
        }
        unsafe pa_operation_set_state_callback(operation, operationChanged, query.pointer)
        unsafe pa_operation_unref(operation)
      }
    }
  }
}

/// What a query has gathered.
private struct Answer: Sendable {
  var server = ServerFacts()
  var sinks: [SinkFacts] = []
}

/// A question to the server under way, held by its operation until that is done or cancelled.
private final class Query: Sendable {
  private let action: String
  private let once: Once<Answer>
  private let answer = Mutex(Answer())

  init(_ action: String, _ once: Once<Answer>) {
    self.action = action
    self.once = once
  }

  func gather(_ piece: (inout Answer) -> Void) { answer.withLock { piece(&$0) } }
  func finish() { once.finish(.success(answer.withLock { $0 })) }
  func fail(code: Int32) { once.finish(.failure(PulseAudioError(action: action, code: code))) }
}

private func serverAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_server_info>?, _ pointer: UnsafeMutableRawPointer?
) {
  guard let facts = unsafe facts?.pointee else { return }
  let server = unsafe ServerFacts(
    name: text(facts.server_name), version: text(facts.server_version), defaultSink: text(facts.default_sink_name))
  unsafe Retained<Query>.object(pointer).gather { $0.server = server }
}

private func sinkAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_sink_info>?, _ end: Int32, _ pointer: UnsafeMutableRawPointer?
) {
  guard end == 0, let facts = unsafe facts?.pointee else { return }
  let sink = unsafe SinkFacts(
    name: text(facts.name), description: text(facts.description), driver: text(facts.driver),
    sampleRate: Int(facts.sample_spec.rate), channels: Int(facts.sample_spec.channels))
  unsafe Retained<Query>.object(pointer).gather { $0.sinks.append(sink) }
}

private func operationChanged(_ operation: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
  let query = unsafe Retained<Query>.object(pointer)
  switch unsafe pa_operation_get_state(operation) {
  case PA_OPERATION_DONE: query.finish()
  case PA_OPERATION_CANCELLED: query.fail(code: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
  default: return
  }
  Retained<Query>.release(query)
}

private func text(_ characters: UnsafePointer<CChar>?) -> String {
  unsafe characters.map { unsafe String(cString: $0) } ?? ""
}
