import Basics
import Bundles
import HealthStore
import Quantities
import Study

/// A session's place in its study: the participant's index and group, the session's number, and what is left of it.
struct SessionEntry {
  let list: ParticipantList
  let study: String
  let plan: Plan
  let progress: SessionProgress

  /// Enrols the participant, where that has not been done, and plans the next session or finds the one that goes on.
  ///
  /// - Parameters:
  ///   - setup: what the session is to do.
  ///   - results: the folder of its bundles.
  ///   - now: the time.
  /// - Returns: the entry; `nil` for a protocol that is a single trial, which needs none.
  /// - Throws: ``SessionError``, `PlanError`, `GroupsFull`, `ParticipantListError`, `StoreError` for a list that cannot be
  ///   used, or what keeps earlier sessions from being read.
  static func make(_ setup: SessionSetup, in results: ResultsFolder, at now: WallTime) async throws -> SessionEntry? {
    let study = setup.study.studyProtocol
    guard study.hasTrials else { return nil }
    let sessions = try results.sessions(of: setup.participant, in: study.identifier)
    try results.makeReady()
    let list = try await ParticipantList.open(setup.participants ?? "\(results.path)/participants.sqlite")
    if setup.resumes {
      guard let record = sessions.last, record.state != .completed else {
        throw SessionError.nothingToResume(participant: setup.participant)
      }
      let place = PlanPlace(index: record.index, group: record.group, session: record.number)
      let plan = try setup.plan(record.seed, place)
      let progress = try SessionProgress(resuming: record, plan, of: setup.protocolReference, in: results)
      return SessionEntry(list: list, study: study.identifier, plan: plan, progress: progress)
    }
    let number = try setup.number(after: sessions)
    let proposal = setup.seed ?? .random(in: 0...Draw.largestSeed)
    if let seed = setup.seed { try await list.setSeed(of: study.identifier, to: seed) }
    let seed = try await list.seed(of: study.identifier, proposing: proposal)
    let participant = setup.participant
    let listed = try await list.enrol(participant, in: study.identifier, at: "\(now)") { index, counts in
      try study.groups?.assign(index: index, participant: participant, counts: counts, seed: seed).name
    }
    let place = PlanPlace(index: listed.index, group: listed.group, session: number ?? listed.nextSession)
    let plan = try setup.plan(seed, place)
    let record = SessionRecord(
      session: TrialIdentifier(time: now).description, studyProtocol: setup.protocolReference,
      participant: participant, startDate: now, plan: plan)
    _ = try await list.beginSession(
      record.session, of: participant, in: study.identifier, number: place.session, trials: plan.trials.count,
      at: "\(now)", on: setup.station.identifier)
    return SessionEntry(
      list: list, study: study.identifier, plan: plan, progress: SessionProgress(record, plan, in: results))
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
  /// The number of the session that begins: the one that was given; `nil` for the participant's next.
  fileprivate func number(after sessions: [SessionRecord]) throws -> Int? {
    if let number = Int(session ?? "") { return number }
    if let last = sessions.last, last.state != .completed {
      throw SessionError.unfinished(
        participant: participant, session: last.number, done: last.trialsDone.count, of: last.plan.count)
    }
    let planned = study.studyProtocol.sessions
    guard (sessions.map(\.number).max() ?? 0) < planned else {
      throw SessionError.participantIsDone(participant: participant, sessions: planned)
    }
    return sessions.map(\.number).max().map { $0 + 1 }
  }

  /// The plan of a session of a study.
  fileprivate func plan(_ seed: UInt64, _ place: PlanPlace) throws(PlanError) -> Plan {
    var setup = self
    (setup.seed, setup.place) = (seed, place)
    return try setup.plan()
  }
}
