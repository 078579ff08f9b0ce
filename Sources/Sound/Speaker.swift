package import Quantities
package import Study

/// An output that plays stimuli at scheduled moments and reports their measured onsets and offsets.
package protocol Speaker: Sendable {
  /// The output's properties.
  var description: SpeakerDescription { get }

  /// Prepares the speaker for sound of this format: wakes the sink and starts a silent stream.
  ///
  /// Idempotent; called ahead of the trial, so that ``play(_:at:)`` need not open anything.
  func prepare(_ format: SoundFormat) async throws

  /// Places a stimulus so that its first frame leaves the sink at the scheduled moment.
  ///
  /// - Parameters:
  ///   - stimulus: the stimulus, in a prepared format.
  ///   - moment: its onset, at least ``SpeakerDescription/lead`` ahead; otherwise it starts as soon as possible.
  /// - Returns: the current playback; there is only one at a time.
  /// - Throws: the speaker's own error if the stimulus cannot be placed.
  func play(_ stimulus: Stimulus, at moment: Moment) async throws -> any Playback

  /// Closes the stream; the speaker is not used afterwards.
  func close() async
}

/// A stimulus that is being played.
package protocol Playback: Sendable {
  /// The playback's events, ending after ``PlaybackEvent/ended(_:frames:)`` or ``PlaybackEvent/failed(reason:)``; may
  /// be read once.
  var events: AsyncStream<PlaybackEvent> { get }

  /// Ends the sound early, as soon as the sink allows, with a ramp to silence over `fade`.
  func stop(fade: Duration) async
}

/// An event of a playback.
package enum PlaybackEvent: Hashable, Sendable {
  /// The first frame left the sink; reported a little later, when its time has been measured.
  case started(MeasuredMoment)
  /// The last frame left the sink; `frames` is the number of the stimulus's frames that were played.
  case ended(MeasuredMoment, frames: Int)
  /// A disturbance that makes the stimulus doubtful.
  case disturbed(Disturbance<Moment>)
  /// The sound was lost: the server died or the sink disappeared.
  case failed(reason: String)
}

/// The output of a stimulus.
package struct SpeakerDescription: Hashable, Sendable {
  /// The kind of speaker: `pulseaudio`, `silent`.
  package var kind: String
  /// The server and its version, if any.
  package var server: String?
  /// The sink's name, if any.
  package var sink: String?
  /// The sink's human-readable name.
  package var sinkDescription: String?
  /// The sink's own frames per second; the server resamples sound of another rate.
  package var sinkRate: Int?
  /// Whether it can be heard: not with a null sink.
  package var isAudible: Bool
  /// How precisely the server knows the sink's position; `nil` if that is unknown.
  package var timing: SpeakerTiming?
  /// The output latency beyond what the server knows; a constant of the station, applied to onsets.
  package var outputLatency: Duration
  /// The volume when the speaker was prepared; `nil` before that, and without a volume control.
  package var volume: SpeakerVolume?
  /// The minimum time ahead at which a stimulus must be scheduled.
  package var lead: Duration

  /// Creates a description.
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
  /// Frames per second.
  package var sampleRate: Int
  /// Samples per frame.
  package var channels: Int

  /// Creates a format.
  package init(sampleRate: Int, channels: Int) {
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// A sound ready to be played: decoded, cut, looped, ramped and scaled.
package struct Stimulus: Sendable {
  /// Its format.
  package let format: SoundFormat
  /// The samples, channels interleaved; a whole number of frames.
  package let samples: StimulusSamples

  /// Creates a stimulus.
  ///
  /// - Precondition: the samples are whole frames.
  package init(format: SoundFormat, samples: [Float]) {
    self.init(sampleRate: format.sampleRate, StimulusSamples(samples, channels: format.channels))
  }

  /// Creates a stimulus of samples that may be looped.
  init(sampleRate: Int, _ samples: StimulusSamples) {
    format = SoundFormat(sampleRate: sampleRate, channels: samples.channels)
    self.samples = samples
  }

  /// The number of frames.
  package var frames: Int { samples.frames }

  /// The stimulus's duration.
  package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}
