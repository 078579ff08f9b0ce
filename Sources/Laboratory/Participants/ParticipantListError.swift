import Basics

/// What a participants' list refuses.
package enum ParticipantListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The study has another seed.
  case otherSeed(study: String, kept: UInt64, given: UInt64)
  /// The study has no such participant; it has the known ones.
  case unknown(participant: String, study: String, known: [String])
  /// Another participant has taken over.
  case replaced(participant: String, study: String, by: String)
  /// The code that is to replace another is enrolled already.
  case enrolled(participant: String, study: String)
  /// No session has this run's identifier.
  case noSession(run: String, study: String)

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .otherSeed(let study, let kept, let given):
      "cannot use the seed \(given): the study “\(study)” has the seed \(kept), by which its earlier participants were "
        + "assigned; leave the seed out"
    case .unknown(let participant, let study, let known):
      "the study “\(study)” has no participant “\(participant.visible)”; "
        + (known.isEmpty ? "it has no participants" : Spelling.advice(for: participant, among: known))
    case .replaced(let participant, let study, let other):
      "participant “\(participant)” of the study “\(study)” has been replaced by “\(other)”; use the code of "
        + "one who takes part"
    case .enrolled(let participant, let study):
      "participant “\(participant)” is enrolled in the study “\(study)” already; choose an unused code"
    case .noSession(let run, let study):
      "the participants' list has no session \(run) of the study “\(study)”; was its participant withdrawn meanwhile?"
    }
  }
}
