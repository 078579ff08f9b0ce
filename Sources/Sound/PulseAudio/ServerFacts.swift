import Quantities
import Study

/// A server's description of itself.
struct ServerFacts: Hashable, Sendable {
  var name = ""
  var version = ""
  var defaultSink = ""
  var defaultSource = ""

  /// Whether PipeWire emulates PulseAudio; it calls itself `PulseAudio (on PipeWire 0.3.65)`.
  var isPipeWire: Bool { name.contains("on PipeWire") }
}

/// A server's description of a sink.
struct SinkFacts: Hashable, Sendable {
  var name: String
  var description: String
  var driver: String
  var sampleRate: Int
  var channels: Int
  /// In percent, per channel.
  var volume: [Double]
  var isMuted: Bool
  /// PipeWire's node factory: `support.null-audio-sink`.
  var factory: String?
  /// How the server accesses a sound card: `mmap+timer`, `mmap`, `serial`; `nil` if the sink is not a card.
  var access: String?
  /// The number of bytes between two interrupts of the card.
  var fragmentBytes: Int?
  /// The number of bytes of the card's buffer.
  var bufferBytes: Int?
  var frameBytes = 0

  /// Whether it discards its sound: a null sink, including PulseAudio's “Dummy Output” and PipeWire's.
  ///
  /// The property `device.class = "abstract"` does not decide it: a tunnel to another machine's loudspeaker has it too.
  var isNull: Bool {
    driver.hasPrefix("module-null-sink") || name.hasPrefix("auto_null") || factory == "support.null-audio-sink"
  }

  /// How precisely the server knows this sink's position.
  func timing(on server: ServerFacts) -> SpeakerTiming {
    if server.isPipeWire {
      return SpeakerTiming(basis: .cycle, granularity: .nanoseconds(cycle(frames: Self.maxQuantum)))
    }
    guard let access else { return SpeakerTiming(basis: .clock, granularity: .zero) }
    guard access != "mmap+timer", let fragmentBytes, frameBytes > 0 else {
      return SpeakerTiming(basis: .position, granularity: Self.timedStep)
    }
    return SpeakerTiming(basis: .position, granularity: .nanoseconds(cycle(frames: fragmentBytes / frameBytes)))
  }

  /// The frames of the card's buffer, where the server fills it up whenever it looks at the card; `nil` where it does not.
  func filledBuffer(on server: ServerFacts) -> Int? {
    guard !server.isPipeWire, let access, access != "mmap+timer", let bufferBytes, frameBytes > 0 else { return nil }
    return bufferBytes / frameBytes
  }

  private func cycle(frames: Int) -> Int64 { Frames(frames).nanoseconds(rate: max(sampleRate, 1)) }

  /// PipeWire's `default.clock.max-quantum` (pipewire.conf): the longest cycle that a client of pipewire-pulse can
  /// cause; a stream that keeps the graph running requests it.
  private static let maxQuantum = 2048

  /// An allowance for cards that PulseAudio drives by its own timer, which it does only if the driver does not declare
  /// that the position moves by whole fragments (SNDRV_PCM_INFO_BATCH).
  private static let timedStep = Duration.microseconds(500)
}

/// A server's description of a stream on a sink.
struct InputFacts: Hashable, Sendable {
  var sink: UInt32
  /// The index of the client that owns the stream; the server's own streams have none.
  var client: UInt32
  /// The program's name, or otherwise the name of what it plays.
  var program: String
  var isPaused: Bool

  /// In percent, per channel; empty if it cannot be set.
  var volume: [Double]
  var isMuted: Bool

  /// Whether its samples are audible; the server does not report whether they are silence.
  var isOpen: Bool { !isPaused && !isMuted && (volume.isEmpty || volume.contains { $0 > 0 }) }
}

/// A server's description of a source.
struct SourceFacts: Hashable, Sendable {
  var name: String
  /// Its name for people.
  var title: String
  var sampleRate: Int
  var channels: Int
  /// Whether it hears what a sink is given.
  var isMonitor: Bool
  var isMuted: Bool
}

struct OutputFacts: Hashable, Sendable {
  var sink: SinkFacts
  var input: InputFacts

  var volume: SpeakerVolume {
    SpeakerVolume(
      sink: sink.volume, isSinkMuted: sink.isMuted, stream: input.volume, isStreamMuted: input.isMuted)
  }

  /// Why the output is inaudible, with advice; `nil` if it is audible.
  var silence: SoundServerError? {
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
    return SoundServerError(action: "play through “\(name)”", reason: reason, advice: advice)
  }
}
