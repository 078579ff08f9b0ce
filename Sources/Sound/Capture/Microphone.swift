/// Records from a source of a sound server.
package enum Microphone: Sendable {
  /// A kind of sound server, by its word in addresses.
  package enum Server: String, Hashable, Sendable, CaseIterable {
    case pipeWire = "pipewire"
    case pulseAudio = "pulse"
  }

  /// Begins to record from a source, `SINK.monitor` for what a sink is given, of the speaker's server; `nil` is the default.
  ///
  /// The listener hears what the source delivers, on a thread of its own.
  package static func open(
    _ source: String?, besides speaker: any Speaker, listener: @escaping @Sendable (CaptureEvent) -> Void
  ) async throws -> any Capture {
    speaker.description.facts.kind == SpeakerFacts.pipeWire
      ? try await PipeWireCapture.open(source: source, listener: listener)
      : try await PulseCapture.open(source: source, listener: listener)
  }

  /// Begins to record without a speaker; no server is PipeWire where it runs and has the source, else PulseAudio.
  package static func open(
    _ source: String?, on server: Server?, listener: @escaping @Sendable (CaptureEvent) -> Void
  ) async throws -> any Capture {
    try await whatRuns(server) {
      try await PipeWireCapture.open(source: source, listener: listener)
    } pulseAudio: {
      try await PulseCapture.open(source: source, listener: listener)
    }
  }

  /// The sources of a server, of the one that runs if none is given: the default first, monitors of sinks last.
  package static func sources(on server: Server? = nil) async throws -> [MicrophoneSource] {
    do {
      let sources = try await whatRuns(server) {
        try await PipeWireConnection.microphones()
      } pulseAudio: {
        try await PulseConnection(to: nil).microphones()
      }
      return sources.sorted { $0.rank < $1.rank }
    } catch let error as SoundServerError where error.isUnreachable {
      // The silent speaker has no microphone.
      throw SoundServerError(
        action: "look for microphones", reason: error.reason, advice: "start PipeWire or PulseAudio")
    }
  }

  private static func whatRuns<Value: Sendable>(
    _ server: Server?, pipeWire: () async throws -> Value, pulseAudio: () async throws -> Value
  ) async throws -> Value {
    switch server {
    case .pipeWire: try await pipeWire()
    case .pulseAudio: try await pulseAudio()
    case nil: try await SoundServerChoice.whatRuns(pipeWire: pipeWire, pulseAudio: pulseAudio)
    }
  }
}

/// A source of a sound server that can be recorded.
package struct MicrophoneSource: Hashable, Sendable {
  /// Its name, as ``Microphone/open(_:on:listener:)`` takes it.
  package let name: String
  /// Its name for people.
  package let title: String
  /// Whether it hears what a sink was given, and not a room.
  let isMonitor: Bool
  let isDefault: Bool

  fileprivate var rank: (Int, Int, String) { (isMonitor ? 1 : 0, isDefault ? 0 : 1, name) }
}

extension PulseConnection {
  func microphones() async throws -> [MicrophoneSource] {
    let facts = try await serverFacts()
    return try await sources().map {
      MicrophoneSource(
        name: $0.name, title: $0.title.isEmpty ? $0.name : $0.title, isMonitor: $0.isMonitor,
        isDefault: $0.name == facts.defaultSource)
    }
  }
}

extension PipeWireConnection {
  static func microphones() async throws -> [MicrophoneSource] {
    let connection = try PipeWireConnection()
    defer { connection.close() }
    try await connection.settle()
    let graph = connection.graph
    func title(_ node: Graph.Node) -> String { node.description.isEmpty ? node.name : node.description }
    return graph.nodes.values.flatMap { node in
      let source = MicrophoneSource(
        name: node.name, title: title(node), isMonitor: false, isDefault: node.name == graph.defaultSource)
      let monitor = MicrophoneSource(
        name: "\(node.name).monitor", title: "Monitor of \(title(node))", isMonitor: true, isDefault: false)
      return (node.isSource ? [source] : []) + (node.isSink ? [monitor] : [])
    }
  }
}
