import Glibc
import Quantities

extension Stimulus {
  /// The factor of a gain in decibels.
  static func factor(decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  /// Multiplies samples by a gain in decibels.
  static func amplify(_ samples: inout [Float], decibels: Double) {
    guard decibels != 0 else { return }
    let factor = factor(decibels: decibels)
    for index in samples.indices { samples[index] *= factor }
  }

  /// What is left of it after `count` frames have been played, rising from silence: how a suspended sound goes on.
  public func dropping(frames count: Int, fadeIn: Duration = .zero) -> Stimulus {
    var rest = Array(samples.dropFirst(max(0, count) * format.channels))
    Ramp.rise(&rest, channels: format.channels, length: format.frames(in: fadeIn))
    return Stimulus(format: format, samples: rest)
  }

  /// The same with silence after it, up to a length; a longer one stays as it is.
  public func padded(to length: Duration) -> Stimulus {
    let missing = format.frames(in: length) - frames
    guard missing > 0 else { return self }
    return Stimulus(
      format: format, samples: samples + [Float](repeating: 0, count: missing * format.channels))
  }

  /// A short tone with ramps of a tenth of its length: the sound of a step's start or finish.
  ///
  /// - Parameters:
  ///   - format: the format of the stimulus beside which it is played.
  ///   - frequency: hertz, below half the sample rate.
  ///   - duration: how long.
  ///   - level: the sine's peak in decibels relative to full scale.
  /// - Returns: the tone, the same in every channel.
  public static func tone(
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
    Ramp.rise(&samples, channels: format.channels, length: frames / 10)
    Ramp.fall(&samples, channels: format.channels, length: frames / 10)
    return Stimulus(format: format, samples: samples)
  }
}
