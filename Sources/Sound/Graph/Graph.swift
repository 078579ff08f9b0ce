/// The part of a PipeWire graph that concerns a speaker or a microphone: its sinks and sources, and what is linked to them.
struct Graph: Sendable {
  /// A sink, or another node.
  struct Node: Hashable, Sendable {
    var name = ""
    var description = ""
    var mediaClass = ""
    /// The node's factory: `support.null-audio-sink`.
    var factory: String?
    /// What a device is driven by: `alsa`, `bluez5`.
    var api: String?
    var application: String?
    var client: UInt32?
    /// A session manager's preference.
    var priority = 0
    /// The rate of the node's own format.
    var rate: Int?
    /// The frames between two interrupts of a card, if they are set.
    var period: Int?
    /// In percent per channel, on PulseAudio's cubic scale; empty if the node has no volume.
    var volume: [Double] = []
    var isMuted = false

    /// What the user says its latency is beyond what its driver knows.
    var latencyOffset = Duration.zero

    /// The part of it that the clock of the graph leaves out: a Bluetooth sink's clock has it already
    /// (`spa/plugins/bluez5/media-sink.c`).
    var offsetBeyondClock: Duration { api == "bluez5" ? .zero : latencyOffset }

    var isSource: Bool { mediaClass.hasPrefix("Audio/Source") || mediaClass == "Audio/Duplex" }

    var isSink: Bool { mediaClass == "Audio/Sink" || mediaClass == "Audio/Duplex" }

    /// Whether it discards its sound.
    var isNull: Bool { factory == "support.null-audio-sink" || name.hasPrefix("auto_null") }
  }

  struct Port: Hashable, Sendable {
    var node: UInt32
    var isInput: Bool
    /// The position: `FL`, `MONO`.
    var channel: String
    /// The port's place among the node's ports.
    var index: Int
    /// The latency of what comes out of it, by the server; `nil` while that is not told.
    var latency: PortLatency?
  }

  /// A latency, as PipeWire adds it up: each part counts.
  struct PortLatency: Hashable, Sendable {
    var quantums = 0.0
    var frames = 0.0
    var time = Duration.zero

    func total(quantum: Int, rate: Int) -> Duration {
      time + .seconds((quantums * Double(quantum) + frames) / Double(max(rate, 1)))
    }
  }

  struct Link: Hashable, Sendable {
    var output: UInt32
    var input: UInt32
  }

  var version = ""
  var nodes: [UInt32: Node] = [:]
  var ports: [UInt32: Port] = [:]
  /// The nodes that are linked, by the link's identifier.
  var links: [UInt32: Link] = [:]
  /// The links of ours that pass sound on.
  var activeLinks: Set<UInt32> = []
  /// The names of the clients' programs.
  var clients: [UInt32: String] = [:]
  /// The session manager's default sink; `nil` if there is no session manager, or no default.
  var defaultSink: String?
  var defaultSource: String?

  func inputs(of node: UInt32) -> [(id: UInt32, port: Port)] {
    ports.filter { $0.value.node == node && $0.value.isInput }.sorted {
      ($0.value.index, $0.key) < ($1.value.index, $1.key)
    }
    .map { ($0.key, $0.value) }
  }

  func outputs(of node: UInt32) -> [(id: UInt32, port: Port)] {
    ports.filter { $0.value.node == node && !$0.value.isInput }.sorted {
      ($0.value.index, $0.key) < ($1.value.index, $1.key)
    }
    .map { ($0.key, $0.value) }
  }

  /// The sinks, the preferred first.
  var sinks: [(id: UInt32, node: Node)] {
    nodes.filter(\.value.isSink).map { ($0.key, $0.value) }.sorted {
      ($1.node.priority, $0.node.name, $0.id) < ($0.node.priority, $1.node.name, $1.id)
    }
  }

  /// The sink with that name, else the default, else the preferred one; a default that is a null sink may be refused.
  func sink(named name: String?, refusingNull: Bool) throws(SoundServerError) -> UInt32 {
    let sinks = sinks
    let wanted = name ?? defaultSink
    guard let sink = sinks.first(where: { $0.node.name == wanted }) ?? (name == nil ? sinks.first : nil) else {
      throw missing(name, among: sinks.map(\.node.name))
    }
    if name == nil, refusingNull, sink.node.isNull {
      throw SoundServerError.nullSink(
        sink.node.name, sink.node.description, others: sinks.filter { !$0.node.isNull }.map(\.node.name).sorted())
    }
    return sink.id
  }

  /// The source with that name, or the sink whose monitor it names, else the default, else the preferred one.
  func source(named name: String?) throws(SoundServerError) -> (id: UInt32, isMonitor: Bool) {
    let sources = nodes.filter(\.value.isSource).sorted {
      ($1.value.priority, $0.value.name, $0.key) < ($0.value.priority, $1.value.name, $1.key)
    }
    let wanted = name ?? defaultSource
    if let source = sources.first(where: { $0.value.name == wanted }) ?? (name == nil ? sources.first : nil) {
      return (source.key, false)
    }
    let monitors = Dictionary(sinks.map { ($0.node.name + ".monitor", $0.id) }) { $1 }
    if let wanted, let sink = monitors[wanted] { return (sink, true) }
    let known = sources.map(\.value.name) + monitors.keys
    throw SoundServerError(
      action: "record from the source “\(wanted ?? "default")”", reason: "PipeWire has no source of that name",
      advice: known.isEmpty
        ? "connect a microphone" : "it has " + known.map { "“\($0)”" }.sorted().joined(separator: ", "))
  }

  private func missing(_ name: String?, among sinks: [String]) -> SoundServerError {
    guard let name, !sinks.isEmpty else {
      return SoundServerError(
        action: "play through PipeWire", reason: "the server has no sink",
        advice: "connect a sound card, or use --speaker silent")
    }
    return SoundServerError(
      action: "play through the sink “\(name)”", reason: "PipeWire has no sink of that name",
      advice: "it has " + sinks.map { "“\($0)”" }.sorted().joined(separator: ", "))
  }

  /// The programs other than a node's own that are linked to a sink.
  func programs(on sink: UInt32, besides own: UInt32) -> [String] {
    let others = Set(links.values.filter { $0.input == sink && $0.output != own }.map(\.output))
    return others.compactMap { id in
      guard let node = nodes[id] else { return nil }
      return node.application ?? node.client.flatMap { clients[$0] } ?? node.name
    }.sorted()
  }
}
