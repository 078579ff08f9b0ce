import CPipeWire
import Quantities
import Synchronization

/// A source of a PipeWire graph, recorded by a filter of ours that is linked to it and to nothing else.
final class PipeWireCapture: Capture {
  let description: CaptureDescription
  private let recording: GraphRecording

  private init(_ description: CaptureDescription, _ recording: GraphRecording) {
    self.description = description
    self.recording = recording
  }

  deinit { recording.close() }

  /// Begins to record from a source, `SINK.monitor` for what a sink is given; `nil` is the default.
  ///
  /// The listener hears what the source delivers, on the connection's thread.
  static func open(
    remote: String? = nil, source name: String?, listener: @escaping @Sendable (CaptureEvent) -> Void
  ) async throws -> PipeWireCapture {
    let connection = try PipeWireConnection(to: remote)
    // It is released after the connection's end, when no thread uses it any more.
    var recording: GraphRecording?
    defer { withExtendedLifetime(recording) {} }
    do {
      try await connection.settle()
      let (source, isMonitor) = try connection.graph.source(named: name)
      // A source that was just made has no ports yet; all of them are there once it answers after the first.
      if connection.graph.outputs(of: source).isEmpty {
        _ = try await connection.wait(atMost: .seconds(2)) { !$0.graph.outputs(of: source).isEmpty }
        try await connection.settle()
      }
      let graph = connection.graph
      let (outputs, node) = (graph.outputs(of: source), graph.nodes[source] ?? Graph.Node())
      let shown = node.name + (isMonitor ? ".monitor" : "")
      let action = "record from “\(shown)”"
      guard let first = outputs.first else {
        throw SoundServerError(
          action: action, reason: "the source has no ports",
          advice: "see whether a session manager runs: `wpctl status` answers then")
      }
      if !isMonitor, node.isMuted {
        throw SoundServerError(
          action: action, reason: "it is muted", advice: "unmute it with `wpctl set-mute \(source) 0`")
      }
      unsafe connection.locked { unsafe cpipewire_graph_watch_port($0, first.id) }
      let begun = try GraphRecording(
        on: connection, source: source, isMonitor: isMonitor, named: shown, ports: outputs.map(\.id), listener)
      recording = begun
      try await begun.link(to: outputs)
      guard try await connection.wait(atMost: .seconds(5), until: { _ in begun.rate != nil }) else {
        throw connection.failure
          ?? SoundServerError(
            action: action, reason: "the source delivers nothing" + (connection.complaint.map { ": \($0)" } ?? ""),
            advice: "see whether `pw-top` shows it running, or name another one")
      }
      connection.relax()
      let settled = connection.graph
      return PipeWireCapture(
        CaptureDescription(
          server: "PipeWire \(settled.version)", source: shown, isMonitor: isMonitor, rate: begun.rate ?? 0,
          channels: outputs.count, inputLatency: begun.latency),
        begun)
    } catch {
      connection.close()
      throw error
    }
  }

  func close() { recording.close() }
}

/// The filter that records, and the blocks that it has taken.
@safe private final class GraphRecording: Sendable {
  private let connection: PipeWireConnection
  private let source: UInt32
  private let isMonitor: Bool
  private let name: String
  private let ports: [UInt32]
  private let listener: @Sendable (CaptureEvent) -> Void
  nonisolated(unsafe) private let capture: OpaquePointer  // read on the connection's thread only
  private let state = Mutex(State())

  private struct State: Sendable {
    /// The number of the next frame, and of the last block on the graph's clock.
    var frame = 0
    var last: (driver: UInt32, position: Int64, end: Int64)?
    var rate: Int?
    var latency = Duration.zero
    /// Our filter, once the server has made it.
    var filter = UInt32.max
    var hasFailed = false
  }

  /// The frames that are kept until they are read: 2.7 s at 48 kHz.
  private static let capacity: Int64 = 1 << 17

  init(
    on connection: PipeWireConnection, source: UInt32, isMonitor: Bool, named name: String, ports: [UInt32],
    _ listener: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(SoundServerError) {
    guard let capture = unsafe cpipewire_capture_new(Int32(clamping: ports.count), Self.capacity) else {
      throw SoundServerError(action: "record through PipeWire", reason: "no memory for the sound")
    }
    unsafe self.capture = capture
    self.connection = connection
    (self.source, self.isMonitor) = (source, isMonitor)
    self.name = name
    self.ports = ports
    self.listener = listener
  }

  deinit { unsafe cpipewire_capture_free(capture) }

  /// The graph's rate; `nil` before the first block.
  var rate: Int? { state.withLock { $0.rate } }
  var latency: Duration { state.withLock { $0.latency } }

  func close() { connection.close() }

  func link(to outputs: [(id: UInt32, port: Graph.Port)]) async throws {
    connection.listen { [weak self] message in self?.take(message) }
    let channels = outputs.map(\.port.channel)
    let result = unsafe connection.locked { graph in
      unsafe PipeWireOutput.withCStrings(channels) { names in
        unsafe cpipewire_graph_record(graph, capture, names, Int32(clamping: channels.count))
      }
    }
    guard result == 0 else {
      throw SoundServerError(action: "record from “\(name)”", reason: "PipeWire refuses the stream")
    }
    let filter = try await connection.filter()
    state.withLock { $0.filter = filter }
    guard
      try await connection.wait(atMost: .seconds(5), until: { $0.graph.inputs(of: filter).count == channels.count })
    else {
      throw connection.failure
        ?? SoundServerError(action: "record from “\(name)”", reason: "PipeWire does not make the stream's ports")
    }
    for (output, input) in zip(outputs, connection.graph.inputs(of: filter)) {
      unsafe connection.locked { unsafe _ = cpipewire_graph_link($0, output.id, input.id) }
    }
  }

  /// Takes a message, on the connection's thread with its lock held.
  private func take(_ message: GraphMessage) {
    let latency = ports.first.flatMap { connection.graph.ports[$0]?.latency }
    var cycle = cpipewire_cycle()
    while unsafe cpipewire_capture_next(capture, &cycle) {
      let count = Int(cycle.duration) * ports.count
      let samples = unsafe [Float](unsafeUninitializedCapacity: count) { buffer, filled in
        if let start = buffer.baseAddress { unsafe cpipewire_capture_take(capture, start) }
        filled = count
      }
      listener(.block(block(cycle, samples, latency)))
    }
    guard let reason = failure(by: message),
      !state.withLock({ state in
        defer { state.hasFailed = true }
        return state.hasFailed
      })
    else { return }
    listener(.failed(reason: reason))
  }

  private func failure(by message: GraphMessage) -> String? {
    if let failure = connection.failure { return failure.reason }
    return switch message {
    case .removed(source): "the source “\(name)” went away"
    case .filterState(let number, let reason) where number < 0:
      SoundServerError.refusal(of: "the stream", reason)
    default: nil
    }
  }

  private func block(
    _ cycle: cpipewire_cycle, _ samples: [Float], _ latency: Graph.PortLatency?
  ) -> CapturedBlock {
    state.withLock { state in
      let rate = Double(max(cycle.rate, 1))
      if let last = state.last {
        // Another driver starts counting again; its time continues.
        let missed =
          cycle.driver == last.driver && cycle.position >= last.position
          ? cycle.position - last.position : Int64((Double(cycle.nsec - last.end) * rate / 1e9).rounded())
        state.frame += Int(max(0, missed))
      }
      defer { state.frame += Int(cycle.duration) }
      state.last = (
        cycle.driver, cycle.position + cycle.duration, cycle.nsec + Int64(Double(cycle.duration) * 1e9 / rate)
      )
      state.rate = Int(cycle.rate)
      state.latency = latency?.total(quantum: Int(cycle.duration), rate: Int(cycle.rate)) ?? .zero
      var start = Moment(nanoseconds: cycle.nsec).advanced(by: .zero - state.latency)
      // A sink that drives the graph runs last in a cycle: its monitor hands the frames on in the next one.
      if isMonitor, cycle.driver == source {
        start = start.advanced(by: .seconds(-Double(cycle.duration) / rate))
      }
      return CapturedBlock(frame: state.frame, start: start, samples: samples)
    }
  }
}
