import Quantities
import Study

/// What a server says about itself.
struct ServerFacts: Hashable, Sendable {
  var name = ""
  var version = ""
  var defaultSink = ""

  /// Whether PipeWire answers in PulseAudio's place; it names itself `PulseAudio (on PipeWire 0.3.65)`.
  var isPipeWire: Bool { name.contains("on PipeWire") }
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
  /// PipeWire's kind of node: `support.null-audio-sink`.
  var factory: String?
  /// How the server reaches a sound card: `mmap+timer`, `mmap`, `serial`; `nil` for what is no card.
  var access: String?
  /// How many bytes lie between two interrupts of the card.
  var fragmentBytes: Int?
  /// The bytes of a frame.
  var frameBytes = 0

  /// Whether it throws its sound away: a null sink, PulseAudio's “Dummy Output” and PipeWire's among them.
  ///
  /// The property `device.class = "abstract"` does not decide it: a tunnel to another machine's loudspeaker has it too.
  var isNull: Bool {
    driver.hasPrefix("module-null-sink") || name.hasPrefix("auto_null") || factory == "support.null-audio-sink"
  }

  /// Why nothing can be heard of a null sink.
  static func inaudible(_ name: String, _ description: String?) -> String {
    let called = description.map { $0.isEmpty || $0 == name ? "" : " (\($0))" } ?? ""
    return "the sink “\(name)”\(called) is a null sink: it discards its sound, and no one can hear it"
  }

  /// The refusal of a null sink that was not asked for by name.
  ///
  /// - Parameter others: the names of the server's other sinks that can be heard.
  /// - Returns: the error, with what to do.
  func refusal(others: [String] = []) -> PulseAudioError {
    let choice = others.isEmpty ? "" : " (" + others.map { "“\($0)”" }.joined(separator: ", ") + ")"
    return PulseAudioError(
      action: "play through the server's default sink", reason: Self.inaudible(name, description),
      advice: "connect a loudspeaker, choose another sink with --speaker NAME\(choice), or run without sound: "
        + "--speaker silent, or --speaker \(name) for this sink")
  }

  /// How finely the server knows what this sink is playing.
  func timing(on server: ServerFacts) -> SpeakerTiming {
    if server.isPipeWire {
      return SpeakerTiming(basis: .cycle, granularity: .nanoseconds(cycle(frames: Self.largestQuantum)))
    }
    guard let access else { return SpeakerTiming(basis: .clock, granularity: .zero) }
    guard access != "mmap+timer", let fragmentBytes, frameBytes > 0 else {
      return SpeakerTiming(basis: .position, granularity: Self.timedStep)
    }
    return SpeakerTiming(basis: .position, granularity: .nanoseconds(cycle(frames: fragmentBytes / frameBytes)))
  }

  private func cycle(frames: Int) -> Int64 { Frames(frames).nanoseconds(rate: max(sampleRate, 1)) }

  /// PipeWire's `default.clock.max-quantum` (pipewire.conf): the longest cycle that a client of pipewire-pulse brings
  /// about; a stream that keeps the graph running asks for it.
  private static let largestQuantum = 2048

  /// An allowance for cards that PulseAudio drives by its own timer, which it does only where the driver does not say
  /// that the position moves by whole fragments (SNDRV_PCM_INFO_BATCH).
  private static let timedStep = Duration.microseconds(500)
}

/// What a server says about a stream on a sink.
struct InputFacts: Hashable, Sendable {
  /// The number of the sink.
  var sink: UInt32
  /// The number of the connection that the stream belongs to; the server's own streams have none.
  var client: UInt32
  /// What the program calls itself, or else what it plays.
  var program: String
  /// Whether it pauses.
  var isPaused: Bool

  /// In percent, for each channel; empty where it cannot be set.
  var volume: [Double]
  var isMuted: Bool

  /// Whether its samples can be heard; whether they are silence the server does not say.
  var isOpen: Bool { !isPaused && !isMuted && (volume.isEmpty || volume.contains { $0 > 0 }) }
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
