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
