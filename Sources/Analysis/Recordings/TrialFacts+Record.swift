import Basics
package import Bundles
import Quantities
import Study

extension TrialFacts {
  /// What a bundle says of its trial.
  package init(_ record: TrialRecord) {
    trial = record.trial
    participant = record.participant
    session = record.session
    condition = record.studyProtocol.identifier
    clip = record.clip?.clip.name
    mood = record.clip?.clip.annotation.mood
    start = record.startDate
    outcome = record.closing.outcome
    verdict = record.verdict
    reasons = record.reasons
    sounds = (record.playback?.segments ?? []).compactMap { segment in
      segment.onset.map {
        Sound(
          onset: $0.time.seconds, offset: segment.offset?.time.seconds, onsetUncertainty: $0.uncertainty.seconds)
      }
    }
    steps = record.steps.map {
      Step(
        identifier: $0.identifier, shown: $0.shown.seconds, begun: $0.begun?.seconds, finished: $0.finished?.seconds,
        left: $0.left?.seconds)
    }
  }
}
