import Study

/// What a server says about itself.
struct ServerFacts: Hashable, Sendable {
  var name = ""
  var version = ""
  var defaultSink = ""
}

/// What a server says about a sink.
struct SinkFacts: Hashable, Sendable {
  var name: String
  var description: String
  var driver: String
  var sampleRate: Int
  var channels: Int
  /// In percent, for each channel.
  var volume: [Double]
  var isMuted: Bool

  /// Whether it throws its sound away.
  var isNull: Bool { driver.hasPrefix("module-null-sink") }
}

/// What a server says about our stream on a sink.
struct InputFacts: Hashable, Sendable {
  /// In percent, for each channel; empty where it cannot be set.
  var volume: [Double]
  var isMuted: Bool
}

/// What a stream plays to, and how loud.
struct OutputFacts: Hashable, Sendable {
  var sink: SinkFacts
  var input: InputFacts

  var volume: SpeakerVolume {
    SpeakerVolume(
      sink: sink.volume, isSinkMuted: sink.isMuted, stream: input.volume, isStreamMuted: input.isMuted)
  }

  /// Why nothing can be heard, with what to do about it; `nil` where something can.
  var silence: PulseAudioError? {
    guard volume.isSilent else { return nil }
    let name = sink.name
    let (reason, advice) =
      if sink.isMuted {
        ("the sink “\(name)” is muted", "unmute it with `pactl set-sink-mute \(name) 0`")
      } else if sink.volume.contains(where: { $0 > 0 }) {
        ("the station's own stream is muted", "unmute it: `pactl list sink-inputs` names it “stimulus”")
      } else {
        ("the volume of the sink “\(name)” is zero", "raise it with `pactl set-sink-volume \(name) 100%`")
      }
    return PulseAudioError(action: "play through “\(name)”", reason: reason, advice: advice)
  }
}
