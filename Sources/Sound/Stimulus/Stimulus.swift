import Glibc
import Quantities

/// A sound ready to be played: decoded, cut, looped, ramped and scaled.
package struct Stimulus: Sendable {
  package let format: SoundFormat
  /// The samples, channels interleaved; a whole number of frames.
  let samples: StimulusSamples

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

  /// Opens a clip, of which all or this much is played, and which is decoded meanwhile.
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

  var duration: Duration { .seconds(Double(frames) / Double(format.sampleRate)) }
}

extension Stimulus {
  /// The linear factor of a gain in decibels.
  static func factor(decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  /// Multiplies samples by a gain in decibels.
  static func amplify(_ samples: inout [Float], decibels: Double) {
    guard decibels != 0 else { return }
    let factor = factor(decibels: decibels)
    for index in samples.indices { samples[index] *= factor }
  }

  /// The rest of the stimulus after `count` played frames, with a fade-in: for resuming after a suspension.
  package func dropping(frames count: Int, fadeIn: Duration = .zero) -> Stimulus {
    Stimulus(
      sampleRate: format.sampleRate, samples.dropping(frames: count).rising(over: format.frames(in: fadeIn)))
  }

  /// A short tone with ramps of a tenth of its length: the sound of a step's start or finish, the same in every channel.
  ///
  /// Its frequency in hertz is below half the sample rate; its level is the sine's peak in decibels relative to full scale.
  package static func tone(
    _ format: SoundFormat, frequency: Double = 880, duration: Duration = .milliseconds(200), level: Double = -20
  ) -> Stimulus {
    precondition(frequency > 0 && frequency < Double(format.sampleRate) / 2, "a tone lies below half the sample rate")
    let frames = format.frames(in: duration)
    let amplitude = Double(factor(decibels: level))
    var samples: [Float] = []
    samples.reserveCapacity(frames * format.channels)
    for frame in 0..<frames {
      let value = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(format.sampleRate)))
      for _ in 0..<format.channels { samples.append(value) }
    }
    let tone = StimulusSamples(samples, channels: format.channels)
    return Stimulus(sampleRate: format.sampleRate, tone.rising(over: frames / 10).falling(over: frames / 10))
  }
}
