package import Quantities
package import Study

/// Something that plays stimuli at scheduled moments and says when they really sounded.
package protocol Speaker: Sendable {
  /// What the sound goes to.
  var description: SpeakerDescription { get }

  /// Makes the speaker ready for sound of this format: the sink awake, a silent stream running.
  ///
  /// Idempotent; called ahead of the trial, so that ``play(_:at:)`` has nothing left to open.
  func prepare(_ format: SoundFormat) async throws

  /// Places a stimulus so that its first frame leaves the sink at the scheduled moment.
  ///
  /// - Parameters:
  ///   - stimulus: what is played; its format was prepared.
  ///   - moment: when; at least ``SpeakerDescription/lead`` ahead, or else as soon as is possible.
  /// - Returns: the playback under way; one at a time.
  /// - Throws: the speaker's own error, where the stimulus cannot be placed.
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback

  /// Closes the stream; the speaker is not used afterwards.
  func close() async
}

/// A stimulus under way.
package protocol Playback: Sendable {
  /// What happens, ending after ``PlaybackEvent/ended(_:frames:)`` or ``PlaybackEvent/failed(reason:)``; read once.
  var events: AsyncStream<PlaybackEvent> { get }

  /// Ends the sound early, as soon as the sink allows, falling to silence over `fade`.
  func stop(fade: Duration) async
}

/// What happens to a stimulus.
package enum PlaybackEvent: Hashable, Sendable {
  /// The first frame left the sink; told a little later, when it has been measured.
  case started(MeasuredMoment)
  /// The last frame left the sink; `frames` counts those of the stimulus that were played.
  case ended(MeasuredMoment, frames: Int)
  /// Something that puts the stimulus in doubt.
  case disturbed(Disturbance<Moment>)
  /// The sound was lost: the server died, the sink went away.
  case failed(reason: String)
}

/// What a stimulus goes to.
package struct SpeakerDescription: Hashable, Sendable {
  /// The kind of speaker: `pulseaudio`, `silent`.
  package var kind: String
  /// The server and its version, where there is one.
  package var server: String?
  /// The sink's name, where there is one.
  package var sink: String?
  /// What people call the sink.
  package var sinkDescription: String?
  /// The sink's own frames a second; sound of another rate is resampled by the server.
  package var sinkRate: Int?
  /// Whether it can be heard: not with a null sink.
  package var isAudible: Bool
  /// How finely the server knows what the sink is playing; `nil` where that is not known.
  package var timing: SpeakerTiming?
  /// How long the sink's output takes beyond what the server knows; a constant of the station, applied to onsets.
  package var outputLatency: Duration
  /// How loud it was when it was made ready; `nil` before that, and where there is nothing that could be set.
  package var volume: SpeakerVolume?
  /// How far ahead a stimulus must be scheduled to sound in time.
  package var lead: Duration

  /// A description.
  package init(
    kind: String, server: String? = nil, sink: String? = nil, sinkDescription: String? = nil, sinkRate: Int? = nil,
    isAudible: Bool, timing: SpeakerTiming? = nil, outputLatency: Duration = .zero, volume: SpeakerVolume? = nil,
    lead: Duration
  ) {
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkDescription = sinkDescription
    self.sinkRate = sinkRate
    self.isAudible = isAudible
    self.timing = timing
    self.outputLatency = outputLatency
    self.volume = volume
    self.lead = lead
  }
}

/// The format of a sound: 32-bit floating-point samples, channels interleaved.
package struct SoundFormat: Hashable, Sendable {
  /// Frames a second.
  package var sampleRate: Int
  /// Samples a frame.
  package var channels: Int

  /// A format.
  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// Sound that is ready to be played: decoded, cut, looped, ramped and scaled.
package struct Stimulus: Sendable {
  /// Its format.
  package let format: SoundFormat
  /// The samples, channels interleaved; a whole number of frames.
  package let samples: StimulusSamples

  /// A stimulus.
  ///
  /// - Precondition: the samples are whole frames.
  package init(format: SoundFormat, samples: [Float]) {
    self.init(sampleRate: format.sampleRate, StimulusSamples(samples, channels: format.channels))
  }

  /// A stimulus of samples that may be repeated.
  init(sampleRate: Int, _ samples: StimulusSamples) {
    format = SoundFormat(sampleRate: sampleRate, channels: samples.channels)
    self.samples = samples
  }

  /// The number of frames.
  package var frames: Int { samples.frames }

  /// How long it sounds.
  package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}
