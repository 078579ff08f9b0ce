import Sound

/// Where the sound goes, as `--speaker` says.
enum SpeakerChoice: Hashable, Sendable {
  /// The sound server's own choice of sink.
  case standard
  /// A sink by its name.
  case sink(String)
  /// A private sound server that nobody hears.
  case silent

  init(_ option: String?) {
    switch option {
    case nil: self = .standard
    case "silent": self = .silent
    case let name?: self = .sink(name)
    }
  }

  /// Connects.
  func open() async throws -> PulseSpeaker {
    switch self {
    case .standard: try await PulseSpeaker()
    case .sink(let name): try await PulseSpeaker(sink: name)
    case .silent: try await PulseSpeaker.silent()
    }
  }
}
