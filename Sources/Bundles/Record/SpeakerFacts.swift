import Basics
import Quantities
package import Study

/// What a trial's sound went to.
package struct SpeakerFacts: Hashable, Sendable, Codable {
  /// Whether nobody can hear it, as the command asks: of a silent speaker, or of a sink that it names.
  var isSilentOnPurpose: Bool { !isAudible && (kind == Self.silent || isNamed == true) }

  /// The kind of a speaker that was asked for because nobody hears it.
  package static let silent = "silent"

  /// The kind of speaker: `pulseaudio`, `silent`.
  package var kind: String
  /// The server and its version.
  package var server: String?
  /// The sink's name.
  package var sink: String?
  /// Whether the command named the sink; `nil` where that is not known.
  package var isNamed: Bool?
  /// The sink's own frames a second.
  package var sinkRate: Int?
  /// Whether it could be heard: not with a null sink.
  package var isAudible: Bool
  /// How finely the server knew what the sink was playing; `nil` where that is not known.
  package var timing: SpeakerTiming?
  /// The station's constant of output latency, which is part of every onset.
  package var outputLatency: Duration
  /// How loud it was before the trial; `nil` where there is nothing that could be set.
  package var volume: SpeakerVolume?

  private enum CodingKeys: String, CodingKey {
    case kind, server, sink, sinkRate, timing, outputLatency, volume
    case isNamed = "named"
    case isAudible = "audible"
  }

  /// Facts about a speaker.
  package init(
    kind: String, server: String?, sink: String?, sinkRate: Int?, isAudible: Bool, timing: SpeakerTiming? = nil,
    outputLatency: Duration, volume: SpeakerVolume?, isNamed: Bool? = nil
  ) {
    self.isNamed = isNamed
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkRate = sinkRate
    self.isAudible = isAudible
    self.timing = timing
    self.outputLatency = outputLatency
    self.volume = volume
  }
}
