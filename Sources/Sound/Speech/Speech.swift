import Glibc
import Study

/// A text as it is spoken.
package struct Speech: Sendable {
  package let text: String
  package let language: String
  /// The program that spoke it; `nil` where that is simulated.
  package var program: String?
  package var version: String?
  /// The gain that was applied, in decibels.
  package var gain = 0.0
  /// The loudness after that, in LUFS; `nil` where it was not measured.
  package var loudness: Double?
  /// Frames per second.
  let rate: Int
  /// The samples, one per frame.
  let samples: [Float]

  /// The loudness that speech is brought to: that of a clip with the usual target.
  static let target = LoudnessTarget(integrated: -23)

  package static let maxLength = Duration.seconds(120)

  /// A speech of these samples without leading and trailing silence; `nil` where nothing can be heard.
  init?(_ text: String, language: String, rate: Int, samples: [Float]) {
    guard let first = samples.firstIndex(where: { $0.magnitude > Self.silence }),
      let last = samples.lastIndex(where: { $0.magnitude > Self.silence })
    else { return nil }
    (self.text, self.language, self.rate) = (text, language, rate)
    var sound = Array(samples[first...last])
    let measured = Self.loudness(of: sound, rate: rate)
    let gain = measured?.gain(to: Self.target)?.decibels ?? 0
    Stimulus.amplify(&sound, decibels: gain)
    self.gain = gain
    loudness = (measured?.integrated).map { $0 + gain }
    self.samples = sound
  }

  /// A speech that is not heard, about as long as a person takes for the text.
  package init(silent text: String, language: String) {
    (self.text, self.language, rate) = (text, language, 1000)
    samples = [Float](repeating: 0, count: 300 + 60 * min(text.count, ActiveStep.maxSpeech))
  }

  package var duration: Duration { SoundFormat(sampleRate: rate, channels: 1).duration(of: samples.count) }

  /// What is softer counts as silence: −60 dB relative to full scale.
  private static let silence: Float = 0.001

  /// The loudness of a speech; a word that is too short to be measured is measured as often as it takes.
  private static func loudness(of samples: [Float], rate: Int) -> Loudness? {
    guard var meter = LoudnessMeter(SoundFormat(sampleRate: rate, channels: 1)) else { return nil }
    for _ in 0..<max(1, 3 * rate / max(1, samples.count)) { meter.add(samples) }
    return meter.loudness
  }

  /// The speech as a sound with a further gain in decibels, the same in every channel, with ramps of 2 ms.
  package func stimulus(in format: SoundFormat, gain: Double = 0) -> Stimulus {
    var resampled = Resampler(from: rate, to: format.sampleRate).resample(samples)
    Stimulus.amplify(&resampled, decibels: gain)
    let interleaved =
      format.channels == 1 ? resampled : resampled.flatMap { [Float](repeating: $0, count: format.channels) }
    let ramp = format.frames(in: .milliseconds(2))
    let sound = StimulusSamples(interleaved, channels: format.channels).rising(over: ramp).falling(over: ramp)
    return Stimulus(sampleRate: format.sampleRate, sound)
  }
}

/// Changes the rate of short sounds: a band-limited interpolation by a windowed sinc, one filter a phase.
struct Resampler: Sendable {
  private let up: Int
  private let down: Int
  private let half: Int
  /// The taps of each phase, one after the other.
  private let taps: [Float]

  /// The zero crossings of the sinc on each side.
  private static let crossings = 16

  init(from rate: Int, to other: Int) {
    func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
    let common = divisor(rate, other)
    let up = other / common
    (self.up, down) = (up, rate / common)
    // Towards a lower rate the band is that of the lower one.
    let band = min(1, Double(other) / Double(rate))
    let half = Int((Double(Self.crossings) / band).rounded(.up))
    self.half = half
    var taps: [Float] = []
    for phase in 0..<up {
      var weights = ((1 - half)...half).map { tap in
        let distance = Double(tap) - Double(phase) / Double(up)
        let x = Double.pi * distance * band * 0.95
        let window = 0.5 + 0.5 * cos(.pi * distance / Double(half))
        return (x == 0 ? 1 : sin(x) / x) * window
      }
      let sum = weights.reduce(0, +)
      for index in weights.indices { weights[index] /= sum }
      taps += weights.map(Float.init)
    }
    self.taps = taps
  }

  /// The sound of one channel at the other rate.
  func resample(_ samples: [Float]) -> [Float] {
    guard up != down else { return samples }
    let padded = [Float](repeating: 0, count: half) + samples + [Float](repeating: 0, count: half + 1)
    return (0..<(samples.count * up / down)).map { frame in
      let (base, phase) = (frame * down).quotientAndRemainder(dividingBy: up)
      let first = phase * 2 * half
      var sum: Float = 0
      for tap in 0..<2 * half { sum += padded[base + 1 + tap] * taps[first + tap] }
      return sum
    }
  }
}
