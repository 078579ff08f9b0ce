package import Study

/// Which sound of a trial is meant.
///
/// Every action on a sound and every event of the speaker carries it, so that what becomes of one sound is never taken
/// for another's.
package struct SoundID: Hashable, Sendable {
  /// What a sound is in its step.
  package enum Kind: Hashable, Sendable {
    /// The stimulus, or what is left of it after a pause, which is the next segment.
    case stimulus(segment: Int)
    /// The tone at the start of the step.
    case startTone
    /// The tone at its finish.
    case finishTone
    /// A noise of the step, numbered from 1: of one side of the headphones, or of both.
    case noise(Int, of: HeadphoneCheckStep.Side? = nil)
    /// What the step says; after a pause, what is asked for again is of the next segment.
    case speech(Utterance, segment: Int)
  }

  /// The step's index.
  package var step: Int
  /// What it is in the step.
  package var kind: Kind

  /// A sound of a step.
  package init(step: Int, _ kind: Kind) {
    self.step = step
    self.kind = kind
  }

  /// Whether it is the stimulus, and not a tone or speech.
  package var isStimulus: Bool {
    if case .stimulus = kind { true } else { false }
  }

  /// Whether it is speech.
  package var isSpeech: Bool {
    if case .speech = kind { true } else { false }
  }
}
