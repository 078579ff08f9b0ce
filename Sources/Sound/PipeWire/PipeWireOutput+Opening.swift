import Basics
import CPipeWire
import Glibc
import Quantities
import Study

extension PipeWireOutput {
  /// The cycles after which the graph's clock is known: its line has a slope.
  private static let settledCycles = 10

  /// Makes the filter, links it to the sink and waits, some seconds, until its silence is played, or will be in the next cycle.
  ///
  /// Without a volume that others are disturbances of, it is the present one.
  static func open(
    on connection: PipeWireConnection, sink: UInt32, outputLatency: OutputLatency = .zero,
    volume: SpeakerVolume? = nil, use: SpeakerUse = .scheduledSounds
  ) async throws -> PipeWireOutput {
    let graph = connection.graph
    guard let node = graph.nodes[sink] else {
      throw SoundServerError(action: "play through PipeWire", reason: "the sink went away")
    }
    let inputs = try await inputs(of: sink, named: node.name, on: connection)
    let output = try PipeWireOutput(
      on: connection, sink: sink, named: node.name, ports: inputs.map(\.port.channel), outputLatency: outputLatency)
    do {
      connection.listen { [weak output] message in output?.take(message) }
      let filter = try await output.link(to: inputs.map(\.id), isLowLatency: use == .soundsAfterEvents)
      try await output.awaitSound(inputs.count, isPunctual: use != .listening)
      try output.begin(filter: filter, volume: volume)
    } catch {
      // Its cycles end before the engine does that works on them.
      output.close()
      throw error
    }
    connection.relax()
    return output
  }

  /// Waits until so many links pass the silence on and, if it is to be punctual, until the clock is known.
  private func awaitSound(_ links: Int, isPunctual: Bool) async throws {
    // When all links pass sound on, no channel begins later than another. A filter without any has cycles as well.
    var isRunning = try await connection.wait(atMost: .seconds(5)) { $0.graph.activeLinks.count >= links }
    let linked = MonotonicClock().now
    if isRunning, isPunctual || clock.rate == 0 {
      isRunning = try await connection.wait(atMost: .seconds(5)) { [engine] _ in
        engine.status.finished.map { $0 > linked } ?? false
      }
    }
    // The node that drives the graph, known from the first such cycle on, decides how its clock is read.
    tune()
    while isRunning, isPunctual {
      isRunning = try await connection.wait(atMost: .seconds(5)) { [engine] _ in
        engine.status.steady >= Self.settledCycles
      }
      if !tune() { break }
    }
    if let failure { throw failure }
    guard isRunning else {
      throw SoundServerError(
        action: "play through “\(sinkName)”",
        reason: "the sink plays nothing" + (connection.complaint.map { ": \($0)" } ?? ""),
        advice: "see whether `pw-top` shows it running, or choose another with --speaker")
    }
  }

  /// Learns the steps of a card's position, unless they are known and the card was not started again since, as after an
  /// underrun.
  ///
  /// Where another program plays on the card, its sound is left as it is, and nothing is learned.
  func learn() async throws {
    let course = course
    guard course.timing.basis == .position, course.driver == sink else { return }
    guard engine.status.starts != scanned, !engine.isBusy else { return }
    let scan = CardScan(connection: connection, engine: engine) { [connection, sink, filter] in
      connection.graph.programs(on: sink, besides: filter).isEmpty
    }
    if let starts = try await scan.perform() { scanned = starts }
  }

  /// The graph's rate in Hz and the number of frames of a cycle; 0 where that is not known before the first cycle.
  var clock: (rate: Int, quantum: Int) {
    let status = engine.status
    if status.rate > 0 { return (status.rate, status.quantum) }
    let clock = unsafe connection.locked { unsafe cpipewire_graph_clock($0) }
    return (Int(clock?.rate ?? 0), Int(clock?.duration ?? 0))
  }

  private static func inputs(
    of sink: UInt32, named name: String, on connection: PipeWireConnection
  ) async throws -> [(id: UInt32, port: Graph.Port)] {
    // A sink that was just made has no ports yet; all of them are there once it answers after the first.
    if connection.graph.inputs(of: sink).isEmpty {
      _ = try await connection.wait(atMost: .seconds(2)) { !$0.graph.inputs(of: sink).isEmpty }
      try await connection.settle()
    }
    let inputs = connection.graph.inputs(of: sink)
    guard !inputs.isEmpty else {
      throw SoundServerError(
        action: "play through “\(name)”", reason: "the sink has no ports",
        advice: "see whether a session manager runs: `wpctl status` answers then")
    }
    return inputs
  }

  private func link(to inputs: [UInt32], isLowLatency: Bool) async throws -> UInt32 {
    let result = unsafe connection.locked { graph -> Int32 in
      unsafe Self.withCStrings(ports) { names in
        unsafe cpipewire_graph_play(graph, engine.pointer, names, Int32(ports.count), isLowLatency)
      }
    }
    let action = "play through “\(sinkName)”"
    try PipeWireConnection.check(result, action, "the stream")
    let count = inputs.count
    let own = try await connection.filter()
    guard try await connection.wait(atMost: .seconds(5), until: { $0.graph.outputs(of: own).count == count }) else {
      throw connection.failure
        ?? SoundServerError(action: action, reason: "PipeWire does not make the stream's ports")
    }
    for (output, input) in zip(connection.graph.outputs(of: own).map(\.id), inputs) {
      let result = unsafe connection.locked { unsafe cpipewire_graph_link($0, output, input) }
      try PipeWireConnection.check(result, action, "the link to the sink")
    }
    return own
  }

  static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = unsafe texts.map { unsafe UnsafePointer<CChar>(strdup($0)) }
    defer { unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    return unsafe copies.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a sink has ports") }
      return unsafe body(start)
    }
  }
}

extension PipeWireConnection {
  /// The node of our filter, once the server has made it.
  func filter() async throws -> UInt32 {
    var filter = UInt32.max
    // The server makes the node, and then its ports.
    for _ in 0..<10 where filter == .max {
      try await settle()
      filter = unsafe locked { unsafe cpipewire_graph_filter($0) } ?? .max
    }
    return filter
  }
}

extension Graph {
  /// What decides how the clock of the graph is read.
  struct Course: Hashable, Sendable {
    var driver: UInt32
    var rate: Int
    /// The rate in which the driver counts its delay; `nil` for the graph's.
    var cardRate: Int?
    var timing: SpeakerTiming
    /// What the user says that the sink, and the card behind it, are later than the driver knows.
    var offset: Duration
  }

  /// How the clock is read for a sink, by the graph's last cycle.
  ///
  /// It has the delay of the driver's card. The position of another card, or of a virtual sink whose sound a card plays, is
  /// known to a cycle at best.
  func course(of sink: UInt32, after status: CycleEngine.Status) -> Course {
    // Before the first cycle that is the sink, presumably.
    let driver = status.rate > 0 ? status.driver : sink
    var timing = nodes[sink]?.timing ?? SpeakerTiming(basis: .clock, granularity: .zero)
    var offset = nodes[sink]?.offsetBeyondClock ?? .zero
    if driver != sink {
      if timing.basis == .clock, let node = nodes[driver] {
        timing = node.timing
        offset += node.offsetBeyondClock
      }
      if timing.basis == .position { timing.granularity += status.cycle }
    }
    return Course(driver: driver, rate: status.rate, cardRate: nodes[driver]?.rate, timing: timing, offset: offset)
  }
}

extension Graph.Node {
  /// PipeWire's own choice of a card's period where none is set, in frames.
  private static let assumedPeriod = 1024

  /// How precisely a sink's position is known.
  var timing: SpeakerTiming {
    switch api {
    case "alsa":
      // Until it is measured: a card's position may move by whole periods.
      SpeakerTiming(
        basis: .position,
        granularity: .nanoseconds(Frames(period ?? Self.assumedPeriod).nanoseconds(rate: max(rate ?? 48_000, 1))))
    case "bluez5": SpeakerTiming(basis: .position, granularity: .milliseconds(20))
    default: SpeakerTiming(basis: .clock, granularity: .zero)
    }
  }
}
