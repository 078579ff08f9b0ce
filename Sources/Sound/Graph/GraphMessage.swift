import Basics
import CPipeWire
import Glibc

/// What a PipeWire server says, as a value.
enum GraphMessage: Hashable, Sendable {
  case server(version: String)
  /// A node with the properties that are known by now.
  case node(UInt32, [String: String])
  case port(UInt32, Graph.Port)
  case link(UInt32, Graph.Link)
  /// Whether a link of ours passes sound on.
  case linkState(UInt32, isActive: Bool)
  case client(UInt32, String)
  case removed(UInt32)
  case defaultSink(String?)
  case defaultSource(String?)
  /// Linear factors, and whether the sink is muted; `nil` if that is not said.
  case volume(UInt32, [Float], isMuted: Bool?)
  case rate(UInt32, Int)
  /// What the user says a node's latency is beyond what its driver knows.
  case latencyOffset(UInt32, Duration)
  /// The latency of what comes out of a port.
  case portLatency(UInt32, Graph.PortLatency)
  /// An error of an object, or of the connection if `object` is 0.
  case failed(object: UInt32, code: Int, String)
  /// The answer to a question with that number.
  case done(Int)
  /// The state of our filter, negative for an error, with its reason.
  case filterState(Int, String)
  case tick

  static let nodeProperties = [
    "node.name", "node.description", "media.class", "factory.name", "device.api", "application.name", "client.id",
    "priority.session", "api.alsa.period-size",
  ]

  /// Converts a message; `nil` for one that does not concern a speaker.
  init?(_ message: cpipewire_message) {
    var message = unsafe message
    func property(_ name: String) -> String? {
      unsafe cpipewire_property(&message, name).map { unsafe String(cString: $0) }
    }
    func number(_ name: String) -> UInt32? { property(name).flatMap { UInt32($0) } }
    let (id, text) = unsafe (message.id, message.text.map { unsafe String(cString: $0) } ?? "")
    switch unsafe Int(message.kind) {
    case cpipewire_server: self = .server(version: property("core.version") ?? "")
    case cpipewire_node:
      self = .node(
        id, Dictionary(Self.nodeProperties.compactMap { name in property(name).map { (name, $0) } }) { $1 })
    case cpipewire_port:
      guard let node = number("node.id") else { return nil }
      self = .port(
        id,
        Graph.Port(
          node: node, isInput: property("port.direction") == "in", channel: property("audio.channel") ?? "",
          index: number("port.id").map { Int($0) } ?? 0))
    case cpipewire_link_made:
      guard let output = number("link.output.node"), let input = number("link.input.node") else { return nil }
      self = .link(id, Graph.Link(output: output, input: input))
    case cpipewire_link_state: self = unsafe .linkState(id, isActive: message.number == 1)
    case cpipewire_client: self = .client(id, property("application.name") ?? "")
    case cpipewire_removed: self = .removed(id)
    case cpipewire_default_sink: self = .defaultSink(Self.name(in: text))
    case cpipewire_default_source: self = .defaultSource(Self.name(in: text))
    case cpipewire_volume:
      let values = unsafe Array(UnsafeBufferPointer(start: message.values, count: Int(message.count)))
      self = .volume(id, values, isMuted: unsafe message.number < 0 ? nil : message.number == 1)
    case cpipewire_node_rate: self = unsafe .rate(id, Int(message.number))
    case cpipewire_latency_offset: self = unsafe .latencyOffset(id, .nanoseconds(message.number))
    case cpipewire_port_latency:
      let values = unsafe Array(UnsafeBufferPointer(start: message.values, count: Int(message.count))).map(Double.init)
      guard unsafe message.number == 0, values.count == 3, values.allSatisfy(\.isFinite) else { return nil }
      self = .portLatency(
        id, Graph.PortLatency(quantums: values[0], frames: values[1], time: .seconds(values[2] / 1e9)))
    case cpipewire_error: self = unsafe .failed(object: id, code: Int(message.number), text)
    case cpipewire_done: self = unsafe .done(Int(message.number))
    case cpipewire_filter_state: self = unsafe .filterState(Int(message.number), text)
    case cpipewire_tick: self = .tick
    default: return nil
    }
  }

  /// The name in the metadata's value: `{"name":"alsa_output.pci"}`.
  private static func name(in text: String) -> String? {
    (try? JSONReader.read(Array(text.utf8)))?.value["name"]?.string
  }
}

extension Graph {
  mutating func take(_ message: GraphMessage) {
    switch message {
    case .server(let version): self.version = version
    case .node(let id, let properties): nodes[id, default: Node()].take(properties)
    case .port(let id, let port): ports[id] = port
    case .link(let id, let link): links[id] = link
    case .linkState(let id, isActive: true): activeLinks.insert(id)
    case .linkState(let id, isActive: false): activeLinks.remove(id)
    case .client(let id, let name): clients[id] = name.isEmpty ? nil : name
    case .defaultSink(let name): defaultSink = name
    case .defaultSource(let name): defaultSource = name
    case .rate(let id, let rate): nodes[id]?.rate = rate
    case .latencyOffset(let id, let offset): nodes[id]?.latencyOffset = offset
    case .portLatency(let id, let latency): ports[id]?.latency = latency
    case .volume(let id, let values, let isMuted):
      if !values.isEmpty { nodes[id]?.volume = values.map(Self.percent) }
      if let isMuted { nodes[id]?.isMuted = isMuted }
    case .removed(let id):
      (nodes[id], ports[id], links[id], clients[id]) = (nil, nil, nil, nil)
      activeLinks.remove(id)
    case .failed, .done, .filterState, .tick: break
    }
  }

  /// Percent with two decimals on PulseAudio's cubic scale.
  static func percent(_ factor: Float) -> Double { (cbrt(Double(max(factor, 0))) * 10_000).rounded() / 100 }
}

extension Graph.Node {
  /// Takes over properties; those that are not said keep their value.
  fileprivate mutating func take(_ properties: [String: String]) {
    name = properties["node.name"] ?? name
    description = properties["node.description"] ?? description
    mediaClass = properties["media.class"] ?? mediaClass
    factory = properties["factory.name"] ?? factory
    api = properties["device.api"] ?? api
    application = properties["application.name"] ?? application
    client = properties["client.id"].flatMap { UInt32($0) } ?? client
    priority = properties["priority.session"].flatMap { Int($0) } ?? priority
    period = properties["api.alsa.period-size"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? period
  }
}
