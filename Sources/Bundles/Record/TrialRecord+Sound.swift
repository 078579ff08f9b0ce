import Basics
import Quantities
package import Study

extension TrialRecord {
  /// Something that a step said aloud.
  package struct Spoken: Hashable, Sendable, Codable {
    /// The step.
    package let step: String
    /// What it is in the step.
    package let utterance: Utterance
    /// How often the step had been paused before.
    package let segment: Int
    /// The text and the voice.
    package let speech: SpeechFacts
    /// When it was to begin.
    package let scheduled: Duration
    /// When its first frame left the sink; `nil` where none did, or that was not measured.
    package var onset: MeasuredTime?
    /// When its last frame left the sink.
    package var offset: MeasuredTime?
  }
}
