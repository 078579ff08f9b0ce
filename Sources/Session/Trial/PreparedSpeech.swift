package import Bundles
package import Sound
import Study

/// A text that is ready to be spoken in a trial.
package struct PreparedSpeech: Sendable {
  /// What a trial records of it.
  package let facts: SpeechFacts
  /// The sound, in the format of the trial's other sounds.
  package let sound: Stimulus

  /// The format of tones and speech in a trial without a stimulus.
  static let format = SoundFormat(sampleRate: 48_000, channels: 2)

  /// A text with its sound.
  init(_ facts: SpeechFacts, _ sound: Stimulus) { (self.facts, self.sound) = (facts, sound) }

  /// A speech beside sounds of a format.
  ///
  /// - Parameters:
  ///   - speech: the speech.
  ///   - format: the format; `nil` where there is no stimulus.
  ///   - gain: a further gain, in decibels.
  package init(_ speech: Speech, beside format: SoundFormat?, gain: Double = 0) {
    sound = speech.stimulus(in: format ?? Self.format).amplified(decibels: gain)
    facts = SpeechFacts(
      text: speech.text, language: speech.language, program: speech.program, version: speech.version,
      duration: speech.duration, gain: speech.gain + gain, loudness: speech.loudness.map { $0 + gain })
  }
}
