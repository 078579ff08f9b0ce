import Glibc
import Quantities

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

  /// A short tone with ramps of a tenth of its length: the sound of a step's start or finish.
  ///
  /// - Parameters:
  ///   - format: the format of the stimulus beside which it is played.
  ///   - frequency: in hertz, below half the sample rate.
  ///   - duration: the tone's duration.
  ///   - level: the sine's peak in decibels relative to full scale.
  /// - Returns: the tone, the same in every channel.
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
