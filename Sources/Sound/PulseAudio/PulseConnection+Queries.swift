import CPulse
import Synchronization

extension PulseConnection {
  func serverFacts() async throws -> ServerFacts {
    unsafe try await ask("ask the server what it is") { pointer in
      unsafe pa_context_get_server_info(context, serverAnswered, pointer)
    }.server
  }

  /// The sink with that name, or the server's default, unless that is a null sink and `refusingNull` is set.
  func sink(named name: String?, default ownChoice: String, refusingNull: Bool = false) async throws -> SinkFacts {
    let sinks = unsafe try await ask("ask the server for its sinks") { pointer in
      unsafe pa_context_get_sink_info_list(context, sinkAnswered, pointer)
    }.sinks
    let wanted = name ?? ownChoice
    if let sink = sinks.first(where: { $0.name == wanted }) ?? (name == nil ? sinks.first : nil) {
      guard name == nil, refusingNull, sink.isNull else { return sink }
      throw SoundServerError.nullSink(
        sink.name, sink.description, others: sinks.filter { !$0.isNull }.map(\.name).sorted())
    }
    guard !sinks.isEmpty else {
      throw SoundServerError(
        action: "play through \(self.name)", reason: "the server has no sink",
        advice: "connect a sound card or use --speaker silent")
    }
    throw SoundServerError(
      action: "play through the sink “\(wanted)”", reason: "\(self.name) has no sink of that name",
      advice: "it has " + sinks.map { "“\($0.name)”" }.sorted().joined(separator: ", "))
  }

  /// The source with that name, or the server's default; it must not be muted.
  func source(named name: String?, default ownChoice: String) async throws -> SourceFacts {
    let sources = try await sources()
    let wanted = name ?? ownChoice
    guard let source = sources.first(where: { $0.name == wanted }) else {
      throw SoundServerError(
        action: "record from the source “\(wanted)”", reason: "\(self.name) has no source of that name",
        advice: sources.isEmpty
          ? "connect a microphone" : "it has " + sources.map { "“\($0.name)”" }.sorted().joined(separator: ", "))
    }
    guard !source.isMuted else {
      throw SoundServerError(
        action: "record from the source “\(wanted)”", reason: "it is muted",
        advice: "unmute it with `pactl set-source-mute \(wanted) 0`")
    }
    return source
  }

  func sources() async throws -> [SourceFacts] {
    unsafe try await ask("ask the server for its sources") { pointer in
      unsafe pa_context_get_source_info_list(context, sourceAnswered, pointer)
    }.sources
  }

  private func ask(_ action: String, _ begin: (UnsafeMutableRawPointer) -> OpaquePointer?) async throws -> Answer {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Answer, any Error>) in
      let once = Once(continuation)
      locked { unsafe Query.begin(action, on: context, begin) { once.finish($0.mapError { $0 }) } }
    }
  }
}

extension HeldStream {
  /// Queries the sink and the volume of the stream; called with PulseAudio's lock held.
  ///
  /// `then` is called on PulseAudio's thread, or immediately if the query cannot be sent.
  func askForOutput(then: @escaping @Sendable (Result<OutputFacts, SoundServerError>) -> Void) {
    let action = "ask the server for the volume"
    guard let stream = unsafe state.pointee.stream, let context = unsafe pa_stream_get_context(stream) else {
      return then(.failure(failure ?? SoundServerError(action: action, reason: "the stream has ended")))
    }
    unsafe Query.begin(action, on: context) { pointer in
      // The server answers in order: the sink's answer precedes the stream's.
      guard
        let first = unsafe pa_context_get_sink_info_by_index(
          context, pa_stream_get_device_index(stream), sinkAnswered, pointer)
      else { return nil }
      defer { unsafe pa_operation_unref(first) }
      let second = unsafe pa_context_get_sink_input_info(
        context, pa_stream_get_index(stream), inputAnswered, pointer)
      // Without the second operation the query ends here; the first must not call back into it afterwards.
      if unsafe second == nil { unsafe pa_operation_cancel(first) }
      return unsafe second
    } then: { result in
      then(
        result.flatMap { answer in
          guard let sink = answer.sinks.first, let input = answer.inputs.first else {
            return .failure(SoundServerError(action: action, reason: "the sink or the stream is gone"))
          }
          return .success(OutputFacts(sink: sink, input: input))
        })
    }
  }
}

private func serverAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_server_info>?, _ pointer: UnsafeMutableRawPointer?
) {
  guard let facts = unsafe facts?.pointee else { return }
  let server = unsafe ServerFacts(
    name: text(facts.server_name), version: text(facts.server_version), defaultSink: text(facts.default_sink_name),
    defaultSource: text(facts.default_source_name))
  unsafe Retained<Query>.object(pointer).gather { $0.server = server }
}

private func sinkAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_sink_info>?, _ end: Int32, _ pointer: UnsafeMutableRawPointer?
) {
  guard end == 0, let facts = unsafe facts?.pointee else { return }
  let sink = unsafe SinkFacts(facts)
  unsafe Retained<Query>.object(pointer).gather { $0.sinks.append(sink) }
}

private func sourceAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_source_info>?, _ end: Int32, _ pointer: UnsafeMutableRawPointer?
) {
  guard end == 0, let facts = unsafe facts?.pointee else { return }
  let source = unsafe SourceFacts(
    name: text(facts.name), title: text(facts.description), sampleRate: Int(facts.sample_spec.rate),
    channels: Int(facts.sample_spec.channels), isMonitor: facts.monitor_of_sink != UInt32.max, isMuted: facts.mute != 0)
  unsafe Retained<Query>.object(pointer).gather { $0.sources.append(source) }
}

extension SinkFacts {
  init(_ facts: pa_sink_info) {
    func property(_ name: String) -> String? { unsafe Sound.property(name, of: facts.proplist) }
    var specification = unsafe facts.sample_spec
    unsafe self.init(
      name: text(facts.name), description: text(facts.description), driver: text(facts.driver),
      sampleRate: Int(facts.sample_spec.rate), channels: Int(facts.sample_spec.channels),
      volume: percent(facts.volume), isMuted: facts.mute != 0, factory: property("factory.name"),
      access: property("device.access_mode"),
      fragmentBytes: property("device.buffering.fragment_size").flatMap { Int($0) },
      bufferBytes: property("device.buffering.buffer_size").flatMap { Int($0) },
      frameBytes: unsafe Int(pa_frame_size(&specification)))
  }
}

func inputAnswered(
  _ context: OpaquePointer?, _ facts: UnsafePointer<pa_sink_input_info>?, _ end: Int32,
  _ pointer: UnsafeMutableRawPointer?
) {
  guard end == 0, let facts = unsafe facts?.pointee else { return }
  let volume = unsafe facts.has_volume != 0 ? percent(facts.volume) : []
  let names = [PA_PROP_APPLICATION_NAME, PA_PROP_APPLICATION_PROCESS_BINARY, PA_PROP_MEDIA_NAME]
  let known = names.compactMap { unsafe property($0, of: facts.proplist) }.first { !$0.isEmpty }
  let program = unsafe known ?? text(facts.name)
  let input = unsafe InputFacts(
    sink: facts.sink, client: facts.client, program: program, isPaused: facts.corked != 0, volume: volume,
    isMuted: facts.mute != 0)
  unsafe Retained<Query>.object(pointer).gather { $0.inputs.append(input) }
}

private func property(_ name: String, of list: OpaquePointer?) -> String? {
  guard let list = unsafe list, let value = unsafe pa_proplist_gets(list, name) else { return nil }
  return unsafe String(cString: value)
}

private func text(_ characters: UnsafePointer<CChar>?) -> String {
  unsafe characters.map { unsafe String(cString: $0) } ?? ""
}

/// Percent with two decimals, from PulseAudio's 65,536 steps.
private func percent(_ volume: pa_cvolume) -> [Double] {
  unsafe withUnsafeBytes(of: volume.values) { bytes in
    unsafe bytes.bindMemory(to: pa_volume_t.self).prefix(Int(volume.channels)).map {
      (Double($0) * 10_000 / Double(PA_VOLUME_NORM)).rounded() / 100
    }
  }
}

struct Answer: Sendable {
  var server = ServerFacts()
  var sinks: [SinkFacts] = []
  var inputs: [InputFacts] = []
  var sources: [SourceFacts] = []
}

/// A pending query, retained by its operation until that is done or cancelled.
final class Query: Sendable {
  typealias Completion = @Sendable (Result<Answer, SoundServerError>) -> Void

  private let action: String
  private let completion: Completion
  private let answer = Mutex(Answer())

  private init(_ action: String, _ completion: @escaping Completion) {
    self.action = action
    self.completion = completion
  }

  /// Sends a query; called with PulseAudio's lock held.
  ///
  /// `begin` sends the request, whose callbacks get the query, and returns its operation; `then` is called once, on
  /// PulseAudio's thread or immediately.
  static func begin(
    _ action: String, on context: OpaquePointer, _ begin: (UnsafeMutableRawPointer) -> OpaquePointer?,
    then: @escaping Completion
  ) {
    let query = Retained(Query(action, then))
    guard let operation = unsafe begin(query.pointer) else {
      query.object.fail(code: unsafe pa_context_errno(context))
      query.release()
      return
    }
    unsafe pa_operation_set_state_callback(operation, operationChanged, query.pointer)
    unsafe pa_operation_unref(operation)
  }

  func gather(_ piece: (inout Answer) -> Void) { answer.withLock { piece(&$0) } }
  fileprivate func finish() { completion(.success(answer.withLock { $0 })) }
  fileprivate func fail(code: Int32) { completion(.failure(SoundServerError(action: action, code: code))) }
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
