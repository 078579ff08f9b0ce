package import Sound

/// Where the sound goes.
package enum SpeakerChoice: Hashable, Sendable {
  /// A kind of sound server.
  package enum Server: String, Hashable, Sendable {
    case pipeWire = "pipewire"
    case pulseAudio = "pulse"
  }

  /// The default sink of a server; of the server that runs if none is named.
  case defaultSink(on: Server?)
  /// A sink by its name.
  case sink(String, on: Server?)
  /// A private sound server without a loudspeaker.
  case silent

  /// The default sink of the server that runs.
  package static let standard = SpeakerChoice.defaultSink(on: nil)

  /// A choice as an option or a settings file says it: `nil` or `default`, `silent`, or the name of a sink; a sink or
  /// `default` after `pipewire:` or `pulse:` is one of that server.
  package init(_ option: String?) {
    guard let option else {
      self = .standard
      return
    }
    let parts = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let server = parts.count == 2 ? Server(rawValue: String(parts[0])) : nil
    let name = server == nil ? option : String(parts[1])
    self =
      switch name {
      case "default", "": .defaultSink(on: server)
      case "silent" where server == nil: .silent
      default: .sink(name, on: server)
      }
  }

  /// The sink's name, where one was given.
  package var sinkName: String? {
    guard case .sink(let name, _) = self else { return nil }
    return name
  }

  /// The server, where one was given.
  package var server: Server? {
    switch self {
    case .defaultSink(let server), .sink(_, let server): server
    case .silent: nil
    }
  }

  /// Connects; the output latency is that of a real sink, and has no meaning for a silent one.
  ///
  /// A trial refuses a null sink that was not named; commands that only play or measure accept it with a note.
  ///
  /// - Parameters:
  ///   - refusesNullSink: whether a null sink that was not named is refused.
  ///   - outputLatency: what the sinks' output takes beyond what their server knows.
  /// - Returns: the speaker, connected.
  /// - Throws: what keeps the sound server or the sink from being used.
  package func open(refusesNullSink: Bool = true, outputLatency: OutputLatencies = OutputLatencies()) async throws
    -> any Speaker
  {
    if self == .silent { return try await SilentServer.open() }
    let choice = SoundServerChoice(sink: sinkName, refusesNullSink: refusesNullSink, outputLatency: outputLatency)
    return switch server {
    case .pipeWire: try await choice.pipeWire()
    case .pulseAudio: try await choice.pulseAudio()
    case nil: try await choice.whatRuns()
    }
  }
}
