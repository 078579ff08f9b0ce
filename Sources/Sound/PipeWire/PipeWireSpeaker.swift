import Basics
import Glibc
import Quantities
import Study
import Synchronization

/// A sink of a PipeWire graph, to which a filter of ours is linked for the session.
///
/// A stimulus is placed on the frame that, by the clock of the graph's driver, leaves the sink at the scheduled moment; the
/// same clock gives the measured onset and offset.
final class PipeWireSpeaker: Speaker {
  private let remote: String?
  private let server: PrivatePipeWire?
  private let outputLatency: OutputLatencies
  private let state: Mutex<State>

  private struct State {
    var description: SpeakerDescription
    /// A connection that was made and not yet used.
    var connection: PipeWireConnection?
    var output: PipeWireOutput?
    var isClosed = false
    var use = SpeakerUse.scheduledSounds
  }

  /// Connects to the user's own server, or the one with this socket (a name or a path), and finds a sink.
  ///
  /// No server is started. Without a name it is the default sink, which is refused if it is a null sink and `refusesNullSink` is set.
  convenience init(
    remote: String? = nil, sink: String? = nil, refusesNullSink: Bool = true,
    outputLatency: OutputLatencies = OutputLatencies()
  ) async throws {
    try await self.init(
      remote: remote, sink: sink, refusesNullSink: refusesNullSink, outputLatency: outputLatency, server: nil)
  }

  init(
    remote: String?, sink name: String?, refusesNullSink: Bool, outputLatency: OutputLatencies, server: PrivatePipeWire?
  ) async throws {
    self.remote = remote
    self.server = server
    self.outputLatency = outputLatency
    let connection = try PipeWireConnection(to: remote)
    do {
      try await connection.settle()
      let graph = connection.graph
      let sink = try graph.sink(named: name, refusingNull: refusesNullSink)
      let node = graph.nodes[sink] ?? Graph.Node()
      state = Mutex(
        State(
          description: SpeakerDescription(
            SpeakerFacts(
              kind: server == nil ? SpeakerFacts.pipeWire : SpeakerFacts.silent, server: "PipeWire \(graph.version)",
              sink: node.name, sinkRate: node.rate, isAudible: !node.isNull, timing: node.timing,
              outputLatency: outputLatency.of(node.name), volume: node.speakerVolume),
            sinkDescription: node.description, channels: graph.inputs(of: sink).count, lead: .milliseconds(130),
            hasUnknownDelay: node.api == nil && !node.isNull),
          connection: connection))
    } catch {
      connection.close()
      throw error
    }
  }

  /// Starts a private server with a null sink and connects to it: everything is real except the sound.
  static func silent() async throws -> PipeWireSpeaker {
    let server = try await PrivatePipeWire.started()
    return try await PipeWireSpeaker(
      remote: server.address, sink: nil, refusesNullSink: false, outputLatency: OutputLatencies(), server: server)
  }

  /// Whether there is a socket of the user's own server.
  static var hasSocket: Bool {
    func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
    let remote = variable("PIPEWIRE_REMOTE") ?? "pipewire-0"
    if remote.hasPrefix("/") { return Folder.exists(remote) }
    guard let folder = variable("PIPEWIRE_RUNTIME_DIR") ?? variable("XDG_RUNTIME_DIR") else { return false }
    return Folder.exists("\(folder)/\(remote)")
  }

  deinit {
    let (output, connection) = state.withLock { ($0.output, $0.connection) }
    output?.close()
    connection?.close()
  }

  /// The sink; the quantum and ``SpeakerDescription/lead`` are known when a format is prepared.
  var description: SpeakerDescription { state.withLock { $0.description } }

  /// Asks for cycles of 256 frames from the next preparation on.
  func useLowLatency() { state.withLock { $0.use = .soundsAfterEvents } }

  /// Does not wait for the graph's clock from the next preparation on.
  func useForListening() { state.withLock { $0.use = .listening } }

  /// Links the filter to the sink and waits until the graph runs; after a lost connection, connects again first.
  ///
  /// A muted sink is refused.
  func prepare(_ format: SoundFormat) async throws {
    let output = try await openOutput()
    output.tune()
    describe(output)
    if let silence = output.silence(output.connection.graph) { throw silence }
  }

  /// Learns the steps of a card's position, unless they are known and the card was not started again since.
  ///
  /// It takes 4.5 s, for steps of several frames 9 s, and 22.5 s for long ones that divide the graph's cycle.
  func learn() async throws { try await openOutput().learn() }

  /// Hands a stimulus to the graph; returns when its first frames are prepared.
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback {
    let output = try await openOutput()
    return PipeWirePlayback(try output.play(stimulus, at: moment), on: output)
  }

  /// Ends the connection, and the private server if there is one.
  func close() async {
    let (output, connection) = state.withLock { state in
      state.isClosed = true
      defer { (state.output, state.connection) = (nil, nil) }
      return (state.output, state.connection)
    }
    output?.close()
    connection?.close()
    await server?.stopped()
  }

  private func openOutput() async throws -> PipeWireOutput {
    let (held, unused, isClosed, use, name) = state.withLock { state in
      defer { state.connection = nil }
      return (state.output, state.connection, state.isClosed, state.use, state.description.sink)
    }
    if isClosed { throw SoundServerError(action: "play", reason: "the speaker is closed") }
    if let held {
      if held.failure == nil, !held.isStill { return held }
      held.close()
    }
    let connection = try unused ?? PipeWireConnection(to: remote)
    do {
      if unused == nil { try await connection.settle() }
      // Whatever the default is by now: the sink reported at first remains.
      let sink = try connection.graph.sink(named: name, refusingNull: false)
      let output = try await PipeWireOutput.open(
        on: connection, sink: sink, outputLatency: outputLatency.of(name ?? ""), volume: description.volume,
        use: use)
      guard describe(output) else {
        output.close()
        throw SoundServerError(action: "play", reason: "the speaker is closed")
      }
      return output
    } catch {
      connection.close()
      state.withLock { $0.output = nil }
      throw error
    }
  }

  /// Takes the output and describes it; `false` if the speaker was closed meanwhile.
  @discardableResult
  private func describe(_ output: PipeWireOutput) -> Bool {
    let (status, node) = (output.engine.status, output.connection.graph.nodes[output.sink])
    let timing = output.course.timing
    return state.withLock { state in
      guard !state.isClosed else { return false }
      state.output = output
      (state.description.facts.sinkRate, state.description.facts.quantum) = output.clock
      state.description.facts.timing = timing
      state.description.channels = output.ports.count
      state.description.facts.volume = state.description.volume ?? node?.speakerVolume
      // A sound is handed over a cycle ahead, and the next cycle's work may be under way.
      state.description.lead = status.cycle * 2 + status.delay + .milliseconds(20)
      let least = status.cycle + status.delay + .milliseconds(3)
      state.description.leastLead = state.use == .soundsAfterEvents ? least : state.description.lead
      return true
    }
  }
}

final class PipeWirePlayback: Playback {
  let events: AsyncStream<PlaybackEvent>
  private let output: PipeWireOutput

  init(_ events: AsyncStream<PlaybackEvent>, on output: PipeWireOutput) {
    self.events = events
    self.output = output
  }

  func stop(fade: Duration) async { output.stop(fade: fade) }
}
