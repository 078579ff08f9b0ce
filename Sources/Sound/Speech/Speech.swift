package import Study

/// A text as it is spoken.
package struct Speech: Sendable {
  /// The text.
  package let text: String
  /// The language of the voice.
  package let language: String
  /// The program that spoke it; `nil` where that is simulated.
  package var program: String?
  /// The program's version.
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
  package static let target = LoudnessTarget(integrated: -23)

  /// The longest speech.
  package static let maxLength = Duration.seconds(120)

  /// A speech of these samples; its leading and trailing silence is dropped.
  ///
  /// - Returns: `nil` where nothing can be heard.
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
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - language: its language.
  package init(silent text: String, language: String) {
    (self.text, self.language, rate) = (text, language, 1000)
    samples = [Float](repeating: 0, count: 300 + 60 * min(text.count, ActiveStep.maxSpeech))
  }

  /// How long it lasts.
  package var duration: Duration { SoundFormat(sampleRate: rate, channels: 1).duration(of: samples.count) }

  /// What is softer counts as silence: −60 dB relative to full scale.
  private static let silence: Float = 0.001

  /// The loudness of a speech; a word that is too short to be measured is measured as often as it takes.
  private static func loudness(of samples: [Float], rate: Int) -> Loudness? {
    guard var meter = LoudnessMeter(SoundFormat(sampleRate: rate, channels: 1)) else { return nil }
    for _ in 0..<max(1, 3 * rate / max(1, samples.count)) { meter.add(samples) }
    return meter.loudness
  }

  /// The speech as a sound, the same in every channel.
  ///
  /// - Parameters:
  ///   - format: the format of the sounds beside which it is played.
  ///   - gain: a further gain, in decibels.
  /// - Returns: the sound, with ramps of 2 ms.
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
