import Basics
package import Quantities
import Study
import Synchronization

/// A sink of a PulseAudio server, with one silent stream held open for each format that was prepared.
///
/// A stimulus is laid on the held stream at the frame that, by the server's own timing, leaves the sink at the scheduled
/// moment; afterwards the server's timing says when it did.
package final class PulseSpeaker: Speaker {
  private let server: String?
  private let privateServer: PrivateSoundServer?
  private let outputLatency: Duration
  private let patience: Patience
  private let state: Mutex<State>

  private struct State {
    var connection: PulseConnection?
    var sink: SinkFacts
    var timing: SpeakerTiming
    var description: SpeakerDescription
    var streams: [SoundFormat: HeldStream] = [:]
  }

  /// Connects to a server and finds a sink.
  ///
  /// - Parameters:
  ///   - server: its address; `nil` asks `PULSE_SERVER` and PulseAudio's own settings. No server is started.
  ///   - sink: the sink's name; `nil` takes the server's own choice.
  ///   - refusesNullSink: whether the server's own choice is refused where it is a null sink.
  ///   - outputLatency: what the sink's output takes beyond what the server knows; it is added to onsets and offsets.
  /// - Throws: ``PulseAudioError`` where there is no server or no such sink, or the server's own choice is refused.
  package convenience init(
    server: String? = nil, sink: String? = nil, refusesNullSink: Bool = true, outputLatency: Duration = .zero
  ) async throws {
    try await self.init(
      server: server, sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency, patience: Patience())
  }

  /// Starts a private server with a null sink and connects to it: everything is real but the sound.
  ///
  /// - Throws: ``PulseAudioError`` where `pulseaudio` is not installed.
  package static func silent() async throws -> PulseSpeaker {
    let server = try await PrivateSoundServer.started()
    return try await PulseSpeaker(server: server.address, patience: Patience(), privateServer: server)
  }

  /// Connects, with other limits than usual to how long anything may take.
  init(
    server: String?, sink sinkName: String? = nil, refusesNullSink: Bool = true, outputLatency: Duration = .zero,
    patience: Patience, privateServer: PrivateSoundServer? = nil
  ) async throws {
    self.server = server
    self.privateServer = privateServer
    self.outputLatency = outputLatency
    self.patience = patience
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    let sink = try await connection.sink(
      named: sinkName, default: facts.defaultSink, refusingNull: refusesNullSink && privateServer == nil)
    let timing = sink.timing(on: facts)
    state = Mutex(
      State(
        connection: connection, sink: sink, timing: timing,
        description: SpeakerDescription(
          kind: privateServer == nil ? "pulseaudio" : "silent", server: "\(facts.name) \(facts.version)",
          sink: sink.name, sinkDescription: sink.description, sinkRate: sink.sampleRate, isAudible: !sink.isNull,
          timing: timing, outputLatency: outputLatency, lead: .milliseconds(130))))
  }

  /// The sink; ``SpeakerDescription/lead`` is measured when a format is prepared.
  package var description: SpeakerDescription { state.withLock { $0.description } }

  /// Opens a silent stream of this format and waits until it sounds; on a lost connection, connects again first.
  ///
  /// - Throws: ``PulseAudioError`` where there is no sound, and where none could be heard: a muted sink is refused.
  package func prepare(_ format: SoundFormat) async throws {
    let (stream, connection) = try await stream(for: format)
    try await check(stream, connection)
  }

  /// Places a stimulus; returns when it lies on the stream, shortly before its moment.
  ///
  /// - Throws: ``PulseAudioError`` where the sound is lost before that, or the sink is muted; `CancellationError` when
  ///   the task is cancelled.
  package func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let (stream, connection) = try await stream(for: stimulus.format)
    return try await stream.play(stimulus, at: moment, on: connection)
  }

  /// Ends all streams and the connection, and the private server where there is one.
  package func close() async {
    let (streams, connection) = state.withLock { state in
      defer {
        state.streams = [:]
        state.connection = nil
      }
      return (state.streams.values, state.connection)
    }
    connection?.locked { for stream in streams { stream.close() } }
    await privateServer?.stopped()
  }

  private func stream(for format: SoundFormat) async throws -> (HeldStream, PulseConnection) {
    let connection = try await openConnection()
    let (held, sink, timing) = state.withLock { ($0.streams[format], $0.sink, $0.timing) }
    if let held, connection.locked({ held.failure }) == nil { return (held, connection) }
    let opened = try await HeldStream.open(
      format, to: sink, on: connection, timing: timing, outputLatency: outputLatency.nanoseconds, patience: patience)
    state.withLock { $0.streams[format] = opened }
    try await check(opened, connection)
    return (opened, connection)
  }

  /// Asks the server what the stream really plays to, which opening it may have changed, and how loud.
  private func check(_ stream: HeldStream, _ connection: PulseConnection) async throws {
    let output = try await stream.checkOutput(on: connection)
    let lead = connection.locked { stream.lead }
    state.withLock { state in
      state.sink = output.sink
      state.description.describe(output.sink)
      // What counts is what was first told: what becomes of it later is a disturbance.
      state.description.volume = state.description.volume ?? output.volume
      state.description.lead = max(lead, .milliseconds(100))
    }
  }

  private func openConnection() async throws -> PulseConnection {
    if let connection = state.withLock({ $0.connection }), connection.isOpen { return connection }
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    // Whatever the server would choose by now: what was told of the sink holds.
    let sink = try await connection.sink(named: state.withLock { $0.sink.name }, default: facts.defaultSink)
    state.withLock { state in
      state.connection = connection
      state.streams = [:]
      state.sink = sink
      state.timing = sink.timing(on: facts)
      state.description.describe(sink)
    }
    return connection
  }
}

extension SpeakerDescription {
  fileprivate mutating func describe(_ sink: SinkFacts) {
    self.sink = sink.name
    sinkDescription = sink.description
    sinkRate = sink.sampleRate
    isAudible = !sink.isNull
  }
}
