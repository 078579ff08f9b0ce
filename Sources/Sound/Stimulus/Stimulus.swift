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

  /// Opens a clip, which is decoded while it is played.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - duration: how much of it is played; `nil` for all of it.
  /// - Throws: ``ClipError``.
  package init(playing path: String, duration: Duration? = nil) throws(ClipError) {
    let clip = ClipStream(try ClipReader(path, hashing: false))
    // Of the largest number of frames, the duration can still be given in nanoseconds.
    let frames = duration.map { clip.format.frames(in: $0) } ?? 1 << 40
    self.init(sampleRate: clip.format.sampleRate, StimulusSamples(clip, frames: frames))
  }

  /// Why a clip that is decoded while it is played ends early; `nil` if it does not.
  package var failure: ClipError? { samples.failure }

  /// The number of frames; of a clip that is decoded while it is played, known once its end is decoded.
  package var frames: Int { samples.frames }

  /// The stimulus's duration.
  package var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}
