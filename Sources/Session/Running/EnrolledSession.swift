import Basics
import Bundles
import Laboratory
import Quantities
import Study

/// The session of an enrolled participant: its plan, how much of it is done, and the participants' list that it is noted in.
struct EnrolledSession {
  let list: ParticipantList
  let study: String
  let plan: Plan
  let progress: SessionProgress
  /// When the participant was enrolled for this session; `nil` where that was before.
  var enrolled: String?

  /// Enrols the participant, where that has not been done, and plans the next session or finds the one that goes on.
  ///
  /// - Parameters:
  ///   - setup: what the session is to do.
  ///   - archive: where it is kept.
  ///   - environment: what it takes from the computer.
  ///   - now: the time.
  /// - Returns: the session; `nil` for a single trial that enrols no one.
  /// - Throws: ``SessionError``, `PlanError`, `GroupsFull`, `ParticipantListError`, `StoreError` for a list that cannot be
  ///   used, or what keeps earlier sessions from being read.
  static func make(
    _ setup: SessionSetup, in archive: any SessionArchive, _ environment: SessionEnvironment, at now: WallTime
  ) async throws -> EnrolledSession? {
    let study = setup.study.studyProtocol
    guard study.enrolsParticipants else { return nil }
    let sessions = try archive.sessions(of: setup.participant, in: study.identifier)
    try archive.makeReady()
    let list = try await environment.openList(setup.participants ?? "\(setup.results)/participants.sqlite")
    if setup.resumes {
      guard let record = sessions.last, record.state != .completed else {
        throw SessionError.nothingToResume(participant: setup.participant)
      }
      let place = PlanPlace(index: record.index, group: record.group, session: record.number)
      var setup = setup
      if let repeats = record.repeats(of: study) {
        (setup.trials, setup.drawsWithReplacement) = (repeats.trials, repeats.withReplacement)
      }
      let plan = try setup.plan(record.seed, place)
      let progress = try SessionProgress(resuming: record, plan, of: setup.study.reference, in: archive)
      return EnrolledSession(list: list, study: study.identifier, plan: plan, progress: progress)
    }
    try setup.checkUnfinished(sessions)
    let proposal = setup.seed ?? .random(in: 0...Draw.maxSeed)
    if let seed = setup.seed { try await list.setSeed(of: study.identifier, to: seed) }
    let seed = try await list.seed(of: study.identifier, proposing: proposal)
    let participant = setup.participant
    let listed = try await enrol(participant, in: study, list, seed: seed, at: now)
    let isNew = listed.enrolled == "\(now)" && listed.sessions.isEmpty
    let number = try setup.number(after: sessions, listed)
    let place = PlanPlace(index: listed.index, group: listed.group, session: number)
    let plan = try setup.plan(seed, place)
    let record = SessionRecord(
      session: environment.identify(now).description, studyProtocol: setup.study.reference,
      participant: participant, startDate: now, plan: plan,
      basis: SessionBasis(
        study, clips: setup.study.clips, assignment: study.groups?.assignment(of: listed, participant, seed: seed)),
      language: study.language)
    return EnrolledSession(
      list: list, study: study.identifier, plan: plan, progress: SessionProgress(record, plan, in: archive),
      enrolled: isNew ? listed.enrolled : nil)
  }

  /// Enrols a participant, where that has not been done.
  ///
  /// - Throws: `GroupsFull`, `ParticipantListError` or `StoreError`.
  static func enrol(
    _ participant: String, in study: StudyProtocol, _ list: ParticipantList, seed: UInt64, at now: WallTime
  ) async throws -> ListedParticipant {
    try await list.enrol(participant, in: study.identifier, at: "\(now)") { index, counts in
      try study.groups?.assign(index: index, participant: participant, counts: counts, seed: seed).name
    }
  }

  /// Tells the list that the session begins.
  ///
  /// - Throws: `ParticipantListError` or `StoreError`.
  func begin(_ setup: SessionSetup) async throws {
    let record = progress.record
    _ = try await list.beginSession(
      record.session, of: record.participant, in: study, number: record.number, trials: plan.trials.count,
      at: "\(record.startDate)", on: setup.station.identifier)
  }

  /// Undoes the enrolment for a session that never began.
  func undoEnrolment() async {
    guard let enrolled else { return }
    _ = try? await list.undoEnrolment(of: progress.record.participant, in: study, at: enrolled)
  }

  /// Tells the list how the session ended.
  ///
  /// - Throws: `ParticipantListError` or `StoreError`.
  func end(_ record: SessionRecord, at now: WallTime) async throws {
    try await list.endSession(
      record.session, in: study, isCompleted: record.state == .completed, trialsDone: record.trialsDone.count,
      at: "\(now)")
  }
}

extension SessionSetup {
  /// Refuses to begin a session as long as the last one can be resumed, unless its number is given.
  fileprivate func checkUnfinished(_ sessions: [SessionRecord]) throws {
    guard Int(session ?? "") == nil, let last = sessions.last, last.state != .completed else { return }
    throw SessionError.unfinished(
      participant: participant, session: last.number, done: last.trialsDone.count, of: last.plan.count)
  }

  /// The number of the session that begins: the one that was given, or the one after those that this results folder and
  /// the participants' list know.
  fileprivate func number(after sessions: [SessionRecord], _ listed: ListedParticipant) throws -> Int {
    if let number = Int(session ?? "") { return number }
    return try sessions.nextNumber(of: participant, listed, in: study.studyProtocol)
  }

  /// The plan of a session of a study.
  fileprivate func plan(_ seed: UInt64, _ place: PlanPlace) throws(PlanError) -> Plan {
    var setup = self
    (setup.seed, setup.place) = (seed, place)
    return try setup.plan()
  }
}

extension [SessionRecord] {
  /// The number of a participant's next session: the one after those that the records and the participants' list know.
  ///
  /// - Throws: ``SessionError/participantIsDone(participant:sessions:)``.
  func nextNumber(
    of participant: String, _ listed: ListedParticipant?, in study: StudyProtocol
  ) throws(SessionError) -> Int {
    let number = Swift.max(listed?.nextSession ?? 1, 1 + (map(\.number).max() ?? 0))
    guard number <= study.sessions else {
      throw SessionError.participantIsDone(participant: participant, sessions: study.sessions)
    }
    return number
  }
}

extension StudyGroups {
  /// How a listed participant's group was found, so that it can be found again.
  fileprivate func assignment(
    of listed: ListedParticipant, _ participant: String, seed: UInt64
  ) -> SessionBasis.GroupAssignment {
    let found = try? assign(index: listed.index, participant: participant, counts: listed.groupCounts, seed: seed)
    return SessionBasis.GroupAssignment(
      counts: listed.groupCounts, draw: found?.name == listed.group ? found?.draw : nil,
      isInherited: listed.replaces != nil)
  }
}
