import Basics
import Quantities

/// What a trial records of a text that is spoken.
package struct SpeechFacts: Hashable, Sendable, FlatInJSON, CheckedInJSON {
  /// The text.
  package var text: String
  /// The language of the voice.
  package var language: String
  /// The program that spoke it; `nil` where that was simulated.
  package var program: String?
  /// The program's version; `nil` where it did not say.
  package var version: String?
  /// How long it lasts when it is spoken to its end.
  package var duration: Duration
  /// The gain that was applied, in decibels.
  package var gain: Double
  /// The loudness after that, in LUFS; `nil` where it was not measured.
  package var loudness: Double?

  private enum CodingKeys: String, CodingKey {
    case text, language, program, version, duration
    case gain = "gain_dB"
    case loudness = "loudness_LUFS"
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? { duration < .zero ? "“duration_ns” is negative" : nil }

  /// What is known of a speech.
  package init(
    text: String, language: String, program: String?, version: String?, duration: Duration, gain: Double,
    loudness: Double?
  ) {
    (self.text, self.language, self.program, self.version) = (text, language, program, version)
    (self.duration, self.gain, self.loudness) = (duration, gain, loudness)
  }
}
