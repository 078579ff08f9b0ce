import Basics
import Quantities

/// What a trial's sound went to.
package struct SpeakerFacts: Hashable, Sendable, Codable {
  /// Whether it is inaudible as requested: a silent speaker, or a null sink that the command names.
  package var isSilentOnPurpose: Bool { !isAudible && (kind == Self.silent || isNamed == true) }

  /// The kind of a private speaker that is inaudible on request.
  package static let silent = "silent"

  /// The kind of a sink of a PipeWire graph.
  static let pipeWire = "pipewire"

  /// The kind of speaker: `pulseaudio`, `pipewire`, `silent`.
  package var kind: String
  /// The server and its version.
  package var server: String?
  package var sink: String?
  /// Whether the command named the sink; `nil` where that is not known.
  package var isNamed: Bool?
  /// The sink's own frames a second.
  package var sinkRate: Int?
  /// The frames of a cycle of a PipeWire graph; `nil` on other servers.
  package var quantum: Int?
  /// Whether it could be heard: not with a null sink.
  package var isAudible: Bool
  /// How finely the server knew what the sink was playing; `nil` where that is not known.
  package var timing: SpeakerTiming?
  /// The output latency beyond what the server knows, which is part of every onset and offset.
  package var outputLatency: Duration
  /// What of every uncertainty is that of the output latency.
  package var outputLatencyUncertainty: Duration
  /// How the output latency was found; `nil` where that is not known.
  package var outputLatencyBasis: OutputLatency.Basis?
  /// How loud it was before the trial; `nil` where there is nothing that could be set.
  package var volume: SpeakerVolume?

  private enum CodingKeys: String, CodingKey {
    case kind, server, sink, sinkRate, quantum, timing, outputLatency, outputLatencyUncertainty, outputLatencyBasis,
      volume
    case isNamed = "named"
    case isAudible = "audible"
  }

  init(
    kind: String, server: String? = nil, sink: String? = nil, sinkRate: Int? = nil, quantum: Int? = nil,
    isAudible: Bool, timing: SpeakerTiming? = nil, outputLatency: OutputLatency = .zero, volume: SpeakerVolume? = nil,
    isNamed: Bool? = nil
  ) {
    self.isNamed = isNamed
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkRate = sinkRate
    self.quantum = quantum
    self.isAudible = isAudible
    self.timing = timing
    self.outputLatency = outputLatency.latency
    outputLatencyUncertainty = outputLatency.uncertainty
    outputLatencyBasis = outputLatency.basis
    self.volume = volume
  }
}

/// How precisely the sound server knows its sink's position.
package struct SpeakerTiming: Hashable, Sendable, Codable, CheckedInJSON {
  /// What the times of a speaker are measured with.
  package enum Basis: String, Hashable, Sendable, CaseIterable, Codable {
    /// Only the server's clock: a null sink's position is computed.
    case clock
    /// The position of a sound card, which advances in steps.
    case position
    /// A server on PipeWire, which reports the state after its last cycle.
    case cycle
    /// A basis written by a later version of the station.
    case unknown

    /// Decodes any text; one that is not known becomes `unknown`.
    package init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  package var basis: Basis
  /// The step of the reported position, part of the uncertainty of onset and offset; where the card's course is followed, the
  /// uncertainty can be less.
  package var granularity: Duration

  /// Why decoded numbers are out of range; `nil` if they are valid.
  package var jsonProblem: String? { granularity < .zero ? "“granularity_ns” is negative" : nil }
}
