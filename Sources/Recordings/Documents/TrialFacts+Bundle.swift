import Basics
package import Bundles
import Quantities

extension TrialFacts {
  /// What a bundle says of its trial.
  package init(_ bundle: Bundle) {
    let result = bundle.trialResult
    trial = result.trial
    participant = result.participant
    session = result.session
    condition = result.task
    clip = result.clip?.name
    mood = result.clip?.mood
    start = result.startDate
    outcome = result.outcome
    grade = result.grade
    reasons = result.reasons
    sounds = result.sounds.map {
      Sound(onset: $0.onset.seconds, offset: $0.offset?.seconds, onsetUncertainty: $0.onsetUncertainty?.seconds)
    }
    steps = result.steps.map {
      Step(
        identifier: $0.identifier, shown: $0.shown.seconds, begun: $0.begun?.seconds, finished: $0.finished?.seconds,
        left: $0.left?.seconds, hasActiveTimes: $0.hasActiveTimes)
    }
  }
}
