import Basics
import Quantities
import Study
import Synchronization

/// A sink of a PulseAudio server, with one silent stream held open for each prepared format.
///
/// A stimulus is placed on the held stream at the frame that, by the server's timing, leaves the sink at the scheduled
/// moment; afterwards the server's timing gives the measured onset.
final class PulseSpeaker: Speaker {
  private let server: String?
  private let privateServer: PrivateSoundServer?
  private let outputLatency: OutputLatencies
  private let patience: Patience
  private let state: Mutex<State>

  private struct State {
    var connection: PulseConnection?
    var sink: SinkFacts
    var timing: SpeakerTiming
    /// The frames of the card's buffer, if its position can be followed.
    var buffer: Int?
    var description: SpeakerDescription
    var streams: [SoundFormat: HeldStream] = [:]
    /// The first volume of each format's stream, of which others are disturbances, also after a lost connection.
    var volumes: [SoundFormat: SpeakerVolume] = [:]
    var use = SpeakerUse.scheduledSounds
  }

  /// Connects to the server with this address, or to that of `PULSE_SERVER` and PulseAudio's own settings, and finds a sink.
  ///
  /// No server is started. Without a name it is the default sink, which is refused if it is a null sink and `refusesNullSink` is set.
  convenience init(
    server: String? = nil, sink: String? = nil, refusesNullSink: Bool = true,
    outputLatency: OutputLatencies = OutputLatencies()
  ) async throws {
    try await self.init(
      server: server, sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency, patience: Patience())
  }

  /// Starts a private server with a null sink and connects to it: everything is real except the sound.
  static func silent() async throws -> PulseSpeaker {
    let server = try await PrivateSoundServer.started()
    return try await PulseSpeaker(server: server.address, patience: Patience(), privateServer: server)
  }

  init(
    server: String?, sink sinkName: String? = nil, refusesNullSink: Bool = true,
    outputLatency: OutputLatencies = OutputLatencies(),
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
        connection: connection, sink: sink, timing: timing, buffer: sink.filledBuffer(on: facts),
        description: SpeakerDescription(
          SpeakerFacts(
            kind: privateServer == nil ? "pulseaudio" : SpeakerFacts.silent, server: "\(facts.name) \(facts.version)",
            sink: sink.name, sinkRate: sink.sampleRate, isAudible: !sink.isNull, timing: timing,
            outputLatency: outputLatency.of(sink.name)),
          sinkDescription: sink.description, channels: sink.channels, lead: .milliseconds(130))))
  }

  /// The sink; ``SpeakerDescription/lead`` is measured when a format is prepared.
  var description: SpeakerDescription { state.withLock { $0.description } }

  /// Asks for a latency of 30 ms from the next preparation on.
  func useLowLatency() { state.withLock { $0.use = .soundsAfterEvents } }

  /// Lets the server hold two seconds from the next preparation on.
  func useForListening() { state.withLock { $0.use = .listening } }

  /// Opens a silent stream of this format and waits until it plays; after a lost connection, reconnects first.
  ///
  /// A muted sink is refused.
  func prepare(_ format: SoundFormat) async throws {
    let (stream, connection) = try await stream(for: format)
    try await check(stream, connection)
  }

  /// Places a stimulus; returns when it is on the stream, shortly before its onset.
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let (stream, connection) = try await stream(for: stimulus.format)
    return try await stream.play(stimulus, at: moment, on: connection)
  }

  /// Ends all streams and the connection, and the private server if there is one.
  func close() async {
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
    let (held, sink, timing, buffer, use) = state.withLock {
      ($0.streams[format], $0.sink, $0.timing, $0.buffer, $0.use)
    }
    if let held, connection.locked({ held.failure }) == nil { return (held, connection) }
    let opened = try await HeldStream.open(
      format, to: sink, on: connection, timing: timing, buffer: buffer, outputLatency: outputLatency.of(sink.name),
      use: use, patience: patience)
    state.withLock { $0.streams[format] = opened }
    try await check(opened, connection)
    return (opened, connection)
  }

  /// Queries the stream's actual sink, which opening may have changed, and the volume.
  private func check(_ stream: HeldStream, _ connection: PulseConnection) async throws {
    let format = stream.format
    let output = try await stream.checkOutput(on: connection, volume: state.withLock { $0.volumes[format] })
    let (lead, leastLead) = connection.locked { (stream.lead, stream.leastLead) }
    state.withLock { state in
      state.sink = output.sink
      state.description.describe(output.sink)
      state.volumes[format] = state.volumes[format] ?? output.volume
      state.description.volume = state.description.volume ?? output.volume
      state.description.lead = max(lead, .milliseconds(100))
      state.description.leastLead = state.use == .soundsAfterEvents ? leastLead : state.description.lead
    }
  }

  private func openConnection() async throws -> PulseConnection {
    if let connection = state.withLock({ $0.connection }), connection.isOpen { return connection }
    let connection = try await PulseConnection(to: server)
    let facts = try await connection.serverFacts()
    // Whatever the server's default is by now: the sink reported at first remains.
    let sink = try await connection.sink(named: state.withLock { $0.sink.name }, default: facts.defaultSink)
    state.withLock { state in
      state.connection = connection
      state.streams = [:]
      state.sink = sink
      state.timing = sink.timing(on: facts)
      state.buffer = sink.filledBuffer(on: facts)
      state.description.describe(sink)
    }
    return connection
  }
}

extension SpeakerDescription {
  fileprivate mutating func describe(_ sink: SinkFacts) {
    facts.sink = sink.name
    facts.sinkRate = sink.sampleRate
    facts.isAudible = !sink.isNull
    (sinkDescription, channels) = (sink.description, sink.channels)
  }
}

final class PulsePlayback: Playback {
  let events: AsyncStream<PlaybackEvent>
  private let stream: HeldStream
  private let connection: PulseConnection

  init(_ events: AsyncStream<PlaybackEvent>, on stream: HeldStream, of connection: PulseConnection) {
    self.events = events
    self.stream = stream
    self.connection = connection
  }

  func stop(fade: Duration) async {
    connection.locked { stream.stop(fade: fade) }
  }
}
