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

extension SpeakerFacts {
  /// What a reader of the result should know of the speaker, a sentence each.
  var remarks: [String] {
    var remarks: [String] = []
    if isSilentOnPurpose {
      remarks.append(
        "no one could hear the clip: the sink “\(sink ?? "unknown")” is a null sink, which discards its sound")
    }
    if let timing, timing.basis == .cycle {
      let tenths = (timing.granularity.nanoseconds + 50_000) / 100_000
      remarks.append(
        "the server was on PipeWire, which reports playback once per cycle: onset and offset are uncertain by at least "
          + "\(tenths / 10).\(tenths % 10) ms, and shifts of the sound could not be seen")
    }
    return remarks
  }
}
