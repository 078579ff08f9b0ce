package import Basics
package import Bundles
import Quantities
package import Study

/// What is known of a trial besides its samples: who, what sounded when, and how far it can be trusted.
package struct TrialFacts: Hashable, Sendable {
  /// The trial's identifier.
  package var trial: String
  /// The participant's code.
  package var participant: String
  /// The session's number or name.
  package var session: String
  /// The design's condition, or else the protocol's identifier, which is the condition of a study whose protocols differ;
  /// `nil` for what lies around the trials of a session.
  package var condition: String?
  /// The trial's place in the design; `nil` for a trial without one.
  package var design: TrialPlacement?
  /// The participant's group; `nil` in a study without groups.
  package var group: String?
  /// The session that the trial belongs to, by its identifier; `nil` for a trial of its own.
  package var run: String?
  /// Whether these are the steps around the trials of a session, and not a trial.
  package var isAround = false
  package var simulation = TrialSimulation.none
  /// The answers to questions, by the names that tables have for them.
  var answers: [String: AnswerValue] = [:]
  /// The clip's name; `nil` for a trial without one.
  package var clip: String?
  /// The clip's mood; `nil` where its catalogue says none.
  package var mood: String?
  /// When the trial began.
  package var start: WallTime?
  /// The same by the station's clocks on the wall, with its offset from UTC; `nil` where the time zone is not known.
  var localStart: String?
  /// The station's time zone by its IANA name; `nil` where it is not known.
  var timeZone: String?
  /// How it ended.
  package var outcome: Outcome?
  /// How far it can be trusted.
  package var verdict: Verdict?
  /// Why it cannot be trusted further.
  package var reasons: [Caveat]
  /// The sounds, from onset to offset, in the order of time; a pause parts them.
  package var sounds: [Sound]
  /// The steps, in the order of time.
  package var steps: [Step]

  /// A stretch of the clip that sounded without a pause, as measured at the sound server.
  package struct Sound: Hashable, Sendable {
    /// When its first frame sounded, in seconds since the trial's zero.
    package var onset: Double
    /// When its last frame sounded; `nil` where it was not measured.
    package var offset: Double?
    /// Half the width of the interval in which the onset lies, in seconds; `nil` where it is not known.
    package var onsetUncertainty: Double?
  }

  /// A step of the protocol, as it went.
  package struct Step: Hashable, Sendable {
    package var identifier: String
    /// When it was shown, in seconds since the trial's zero.
    package var shown: Double
    /// When its active part began; `nil` for a step without one.
    package var begun: Double?
    /// When its active part finished; `nil` for a step without one, and where the trial ended before.
    package var finished: Double?
    /// When it was left; `nil` where the trial ended before.
    package var left: Double?

    /// When it began: its active part, or else the step.
    var start: Double { begun ?? shown }
    /// When it ended: its active part, or else the step; `nil` where the trial ended before.
    var end: Double? { finished ?? left }
  }
}

extension TrialFacts {
  /// The condition for people; of what lies around the trials of a session, that it does.
  package var conditionWords: String { condition ?? "around the trials" }
}

extension TrialFacts {
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
