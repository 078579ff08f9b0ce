import Basics
package import Bundles
package import Laboratory
package import Study

/// The session that a participant would do next, found without enrolling anyone.
package struct NextSession: Sendable {
  /// The participant's code.
  package let participant: String
  /// Its place in the study.
  package let place: PlanPlace
  /// The study's seed; `nil` as long as no session has drawn it.
  package let seed: UInt64?
  /// How often a single trial is performed in a session that is to be resumed; `nil` as the protocol says.
  package var repeats: SessionRecord.Repeats?
  /// What the participants' list and the records of sessions say of the participant.
  package let standing: Standing

  /// Where a participant stands in a study.
  package enum Standing: Hashable, Sendable {
    /// The participant is not enrolled: index and group are those of the next participant to be enrolled.
    case notEnrolled
    /// The participant is enrolled, and begins the session.
    case begins
    /// The session was interrupted after so many trials of its plan, and is to be resumed.
    case resumes(done: Int, of: Int)
  }

  /// Finds a participant's next session.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the protocol.
  ///   - list: the participants' list; `nil` where there is none yet.
  ///   - results: the folder with the records of sessions.
  ///   - given: the session's number and the group, where they are given.
  ///   - seed: the study's seed, where it is given.
  /// - Returns: the session.
  /// - Throws: `NextSessionError`, `SessionError.participantIsDone(participant:sessions:)`, `GroupsFull`, and what
  ///   keeps list or records from being read.
  package static func find(
    _ participant: String, in study: StudyProtocol, list: ParticipantList?, results: ResultsFolder,
    given: (session: Int?, group: String?) = (nil, nil), seed: UInt64? = nil
  ) async throws -> NextSession {
    let sessions = try results.sessions(of: participant, in: study.identifier)
    if given.session == nil, let last = sessions.last, last.state != .completed {
      return NextSession(
        participant: participant, place: PlanPlace(index: last.index, group: last.group, session: last.number),
        seed: last.seed, repeats: last.repeats(of: study),
        standing: .resumes(done: last.trialsDone.count, of: last.plan.count))
    }
    let kept = try await list?.studies().first { $0.identifier == study.identifier }?.seed
    if let kept, let seed, kept != seed {
      throw ParticipantListError.otherSeed(study: study.identifier, kept: kept, given: seed)
    }
    let all = try await list?.participants(of: study.identifier) ?? []
    let listed = all.first { $0.code == participant }
    let number = try given.session ?? sessions.nextNumber(of: participant, listed, in: study)
    guard let listed else {
      let group = try newGroup(of: participant, in: study, all, given.group, seed: kept ?? seed)
      return NextSession(
        participant: participant, place: PlanPlace(index: all.nextIndex, group: group, session: number),
        seed: kept ?? seed, standing: .notEnrolled)
    }
    if let group = given.group, group != listed.group {
      throw NextSessionError.otherGroup(participant: participant, group: listed.group, given: group)
    }
    return NextSession(
      participant: participant,
      place: PlanPlace(index: listed.index, group: listed.group, session: number),
      seed: kept ?? seed, standing: .begins)
  }

  /// The group that a participant would get, as far as that is certain before enrolment.
  private static func newGroup(
    of participant: String, in study: StudyProtocol, _ all: [ListedParticipant], _ given: String?, seed: UInt64?
  ) throws -> String? {
    guard let groups = study.groups else { return nil }
    switch (groups.assignment, seed) {
    case (.index, _):
      return try groups.assign(index: all.nextIndex, participant: participant, counts: [:], seed: 0).name
    case (.hash, let seed?):
      return try groups.assign(index: all.nextIndex, participant: participant, counts: [:], seed: seed).name
    case (.hash, nil), (.list, _):
      if let given { return given }
      throw NextSessionError.groupUnknown(
        participant: participant, assignment: groups.assignment, groups: groups.groups.map(\.name))
    }
  }
}

/// Why a participant's next session cannot be planned.
enum NextSessionError: Misuse, Hashable, CustomStringConvertible {
  /// The group of a participant who is not enrolled is not certain.
  case groupUnknown(participant: String, assignment: StudyGroups.Assignment, groups: [String])
  /// The participant is in another group.
  case otherGroup(participant: String, group: String?, given: String)

  /// Whether something given in the call is the reason.
  var isMisuse: Bool {
    if case .otherGroup = self { true } else { false }
  }

  /// What failed, why, and what to do.
  var description: String {
    switch self {
    case .groupUnknown(let participant, let assignment, let groups):
      "cannot plan for “\(participant)”, who is not enrolled: "
        + (assignment == .list
          ? "the participants' list chooses the group at enrolment"
          : "the group depends on the study's seed, which the first session draws")
        + "; add --group, for example --group \(groups.first ?? "")"
    case .otherGroup(let participant, let group, let given):
      "“\(participant)” is in the group “\(group ?? "")”, not “\(given)”; leave --group out"
    }
  }
}
