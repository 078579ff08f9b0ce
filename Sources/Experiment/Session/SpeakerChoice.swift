package import Sound

/// Where the sound goes.
package enum SpeakerChoice: Hashable, Sendable {
  /// The sound server's own choice of sink.
  case standard
  /// A sink by its name.
  case sink(String)
  /// A private sound server without a loudspeaker.
  case silent

  /// A choice as an option or a settings file says it: `nil` or `default`, `silent`, or the name of a sink.
  package init(_ option: String?) {
    switch option {
    case nil, "default": self = .standard
    case "silent": self = .silent
    case let name?: self = .sink(name)
    }
  }

  /// The sink's name, where one was given.
  package var sinkName: String? {
    guard case .sink(let name) = self else { return nil }
    return name
  }

  /// Connects; the output latency is that of a real sink, and has no meaning for a silent one.
  ///
  /// A trial refuses a null sink that was not named; commands that only play or measure accept it with a note.
  ///
  /// - Parameters:
  ///   - refusesNullSink: whether a null sink that was not named is refused.
  ///   - outputLatency: what the sink's output takes beyond what its server knows.
  /// - Returns: the speaker, connected.
  /// - Throws: what keeps the sound server or the sink from being used.
  package func open(refusesNullSink: Bool = true, outputLatency: Duration = .zero) async throws -> PulseSpeaker {
    switch self {
    case .standard: try await PulseSpeaker(refusesNullSink: refusesNullSink, outputLatency: outputLatency)
    case .sink(let name): try await PulseSpeaker(sink: name, outputLatency: outputLatency)
    case .silent: try await PulseSpeaker.silent()
    }
  }
}
