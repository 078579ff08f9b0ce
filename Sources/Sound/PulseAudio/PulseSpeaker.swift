public import Quantities
import Synchronization

/// A sink of a PulseAudio server, with one silent stream held open for each format that was prepared.
///
/// A stimulus is laid on the held stream at the frame that, by the server's own timing, leaves the sink at the scheduled
/// moment; afterwards the server's timing says when it did.
public final class PulseSpeaker: Speaker {
  private let server: String?
  private let privateServer: PrivateSoundServer?
  private let sinkName: String?
  private let outputLatency: Duration
  private let state: Mutex<State>

  private struct State {
    var connection: PulseConnection?
    var sink: SinkFacts
    var description: SpeakerDescription
    var streams: [SoundFormat: HeldStream] = [:]
  }

  /// Connects to a server and finds a sink.
  ///
  /// - Parameters:
  ///   - server: its address; `nil` asks `PULSE_SERVER` and PulseAudio's own settings. No server is started.
  ///   - sink: the sink's name; `nil` takes the server's own choice.
  ///   - outputLatency: what the sink's output takes beyond what the server knows; it is added to onsets and offsets.
  /// - Throws: ``PulseAudioError`` where there is no server or no such sink.
  public convenience init(server: String? = nil, sink: String? = nil, outputLatency: Duration = .zero) async throws {
    try await self.init(server: server, sink: sink, outputLatency: outputLatency, privateServer: nil)
  }

  /// Starts a private server with a null sink and connects to it: everything is real but the sound.
  ///
  /// - Throws: ``PulseAudioError`` where `pulseaudio` is not installed.
  public static func silent() async throws -> PulseSpeaker {
    let server = try PrivateSoundServer()
    return try await PulseSpeaker(server: server.address, sink: nil, outputLatency: .zero, privateServer: server)
  }

  private init(
    server: String?, sink sinkName: String?, outputLatency: Duration, privateServer: PrivateSoundServer?
  ) async throws {
    self.server = server
    self.privateServer = privateServer
    self.sinkName = sinkName
    self.outputLatency = outputLatency
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    let sink = try await connection.sink(named: sinkName, default: facts.defaultSink)
    state = Mutex(
      State(
        connection: connection, sink: sink,
        description: SpeakerDescription(
          kind: privateServer == nil ? "pulseaudio" : "silent", server: "\(facts.name) \(facts.version)",
          sink: sink.name, sinkDescription: sink.description, sinkRate: sink.sampleRate, isAudible: !sink.isNull,
          outputLatency: outputLatency, lead: .milliseconds(130))))
  }

  /// The sink; ``SpeakerDescription/lead`` is measured when a format is prepared.
  public var description: SpeakerDescription { state.withLock { $0.description } }

  /// Opens a silent stream of this format and waits until it sounds; on a lost connection, connects again first.
  public func prepare(_ format: SoundFormat) async throws {
    _ = try await stream(for: format)
  }

  /// Places a stimulus; returns when it lies on the stream, shortly before its moment.
  ///
  /// - Throws: ``PulseAudioError`` where the sound is lost before that; `CancellationError` when the task is cancelled.
  public func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let (stream, connection) = try await stream(for: stimulus.format)
    let (events, continuation) = AsyncStream.makeStream(of: PlaybackEvent.self)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (placed: CheckedContinuation<Void, any Error>) in
        connection.locked {
          // Cancelled before this, nobody would call `cancel()` again; cancelled later, it waits for the lock.
          if Task.isCancelled { return placed.resume(throwing: CancellationError()) }
          stream.play(stimulus, at: moment, continuation, Once(placed))
        }
      }
    } onCancel: {
      connection.locked { stream.cancel() }
    }
    return PulsePlayback(events, on: stream, of: connection)
  }

  /// Ends all streams and the connection, and the private server where there is one.
  public func close() async {
    let (streams, connection) = state.withLock { state in
      defer {
        state.streams = [:]
        state.connection = nil
      }
      return (state.streams.values, state.connection)
    }
    connection?.locked { for stream in streams { stream.close() } }
    privateServer?.stop()
  }

  private func stream(for format: SoundFormat) async throws -> (HeldStream, PulseConnection) {
    let connection = try await openConnection()
    let (held, sink) = state.withLock { ($0.streams[format], $0.sink) }
    if let held, connection.locked({ held.failure }) == nil { return (held, connection) }
    let opened = try await HeldStream.open(
      format, to: sink, on: connection, outputLatency: outputLatency.nanoseconds)
    let lead = connection.locked { opened.lead }
    state.withLock { state in
      state.streams[format] = opened
      state.description.lead = max(lead, .milliseconds(100))
    }
    return (opened, connection)
  }

  private func openConnection() async throws -> PulseConnection {
    if let connection = state.withLock({ $0.connection }), connection.isOpen { return connection }
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    let sink = try await connection.sink(named: sinkName, default: facts.defaultSink)
    state.withLock { state in
      state.connection = connection
      state.streams = [:]
      state.sink = sink
      state.description.sink = sink.name
      state.description.sinkDescription = sink.description
      state.description.sinkRate = sink.sampleRate
      state.description.isAudible = !sink.isNull
    }
    return connection
  }
}
