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
    condition = record.condition
    (design, group) = (record.design, record.group)
    run = record.place?.run
    isAround = record.isAround
    simulation = record.simulation
    answers = Dictionary(record.answers.map { ($0.name, $0.value) }) { $1 }
    clip = record.clip?.clip.name
    mood = record.clip?.clip.annotation.mood
    start = record.startDate
    timeZone = record.station.timeZone
    localStart = record.station.zone?.precise(record.startDate)
    outcome = record.closing.outcome
    verdict = record.verdict
    reasons = record.reasons
    sounds = (record.playback?.segments ?? []).compactMap { segment in
      segment.onset.map {
        Sound(
          onset: $0.time.seconds, offset: segment.offset?.time.seconds, onsetUncertainty: $0.uncertainty.seconds)
      }
    }
    if let silence = record.steps.first(where: { $0.identifier == record.design?.silentStep }),
      let begun = silence.begun
    {
      // What is compared with clips lasts from its step's beginning to its end.
      sounds = [Sound(onset: begun.seconds, offset: silence.finished?.seconds)]
    }
    steps = record.steps.map {
      Step(
        identifier: $0.identifier, shown: $0.shown.seconds, begun: $0.begun?.seconds, finished: $0.finished?.seconds,
        left: $0.left?.seconds)
    }
  }
}
