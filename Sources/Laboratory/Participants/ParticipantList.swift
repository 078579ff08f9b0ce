import Basics
import Quantities
import SampleStore

/// The participants of studies: a list that one station keeps in a SQLite file, or several stations on a server.
///
/// Each call is one transaction, which either happens as a whole or not at all, whatever ends the process. Errors are
/// ``ParticipantListError``, `StoreError` for a file or server that cannot be used, and `CancellationError`.
package actor ParticipantList {
  private let executor = QueueExecutor(label: "station.participants")
  /// The queue on which the list waits for its database.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var driver: (any SQLDriver)?

  init(_ open: @Sendable () throws -> any SQLDriver) throws {
    do { driver = try open() } catch { throw StoreError.translate(error) }
  }

  // Closing a file checkpoints its log; on this executor no other task has to wait for that.
  isolated deinit { driver = nil }

  /// Opens a list, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - location: a file, whose folder has to exist, or a server: `postgresql://USER@HOST:PORT/DATABASE`.
  ///   - report: receives a description of the process or server that is waited for.
  /// - Returns: the list.
  /// - Throws: `StoreError` for a file or server that cannot be used, or whose list was made by a newer station; it is
  ///   left untouched.
  package static func open(
    _ location: String, report: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> ParticipantList {
    try await QueueExecutor.run {
      try ParticipantList {
        if PostgresAddress.isAddress(location) {
          try PostgresSession(location, .participants, StorePatience(limit: .seconds(60), report: report))
        } else {
          try SQLiteConnection.list(location, StorePatience(report: report))
        }
      }
    }
  }

  /// Makes a list in memory, which ends when it is closed.
  ///
  /// - Throws: `StoreError`.
  package static func inMemory() async throws -> ParticipantList {
    try await QueueExecutor.run { try ParticipantList { try SQLiteConnection(inMemory: .participants) } }
  }

  /// Closes the list, and returns when its files and connections are closed; later calls are refused.
  package func close() { driver = nil }

  // MARK: Studies

  /// The studies that the list knows, by identifier.
  package func studies() throws -> [ListedStudy] {
    try reading { driver in
      // Sorted here, since servers sort by their own languages.
      try driver.rows("SELECT identifier, seed FROM studies", []) { row in
        ListedStudy(identifier: row.word(0), seed: UInt64(exactly: row.integer(1)))
      }.sorted { $0.identifier < $1.identifier }
    }
  }

  /// The study's seed: the first one that was proposed.
  ///
  /// - Parameters:
  ///   - study: the protocol's identifier.
  ///   - proposal: the seed that the study takes if it has none, at most 2^53 − 1.
  /// - Returns: the seed, the same for all who ask.
  /// - Throws: the errors of every call.
  package func seed(of study: String, proposing proposal: UInt64) throws -> UInt64 {
    precondition(proposal < 1 << 53, "a seed is at most 2^53 − 1")
    return try writing(in: study) { driver in
      let kept = try driver.rows("SELECT seed FROM studies WHERE identifier = ?1", [.text(study)]) { $0.integer(0) }
      if let kept = kept.first.flatMap({ UInt64(exactly: $0) }) { return kept }
      try driver.run(
        "UPDATE studies SET seed = ?2 WHERE identifier = ?1", [.text(study), .integer(Int64(proposal))])
      return proposal
    }
  }

  /// Gives a study a seed that was chosen.
  ///
  /// - Parameters:
  ///   - study: the protocol's identifier.
  ///   - seed: the seed, at most 2^53 − 1.
  /// - Throws: ``ParticipantListError/otherSeed(study:kept:given:)`` if the study has another one.
  package func setSeed(of study: String, to seed: UInt64) throws {
    let kept = try self.seed(of: study, proposing: seed)
    guard kept == seed else { throw ParticipantListError.otherSeed(study: study, kept: kept, given: seed) }
  }

  // MARK: Participants

  /// The participants of a study, by index; those who replace others come after them.
  package func participants(of study: String) throws -> [ListedParticipant] {
    try reading { try Self.participants(of: study, $0) }
  }

  /// Enrols a participant with the next index.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier.
  ///   - time: the time of enrolment, in RFC 3339.
  ///   - choose: chooses the group from the index and from how many participants of each group neither were replaced nor
  ///     have withdrawn; `nil` in a study without groups. It may be called again after a conflict with another station.
  /// - Returns: the participant, who may have been enrolled, and replaced, before.
  /// - Throws: what `choose` throws; then the participant is not enrolled.
  package func enrol(
    _ participant: String, in study: String, at time: String,
    choosingGroup choose: @Sendable (_ index: Int, _ counts: [String: Int]) throws -> String?
  ) throws -> ListedParticipant {
    precondition(StudyCode.isLegal(participant), "a participant's code is checked before it is enrolled")
    return try writing(in: study) { driver in
      let all = try Self.participants(of: study, driver)
      if let known = all.first(where: { $0.code == participant }) { return known }
      let (index, counts) = (all.nextIndex, all.groupCounts)
      return try Self.add(
        ListedParticipant(
          code: participant, index: index, turn: 1, group: try choose(index, counts), groupCounts: counts,
          enrolled: time, state: .enrolled, replaces: nil, sessions: []),
        to: study, driver)
    }
  }

  /// Undoes an enrolment of which nothing came: the index is given again, and in a file nothing of it is left.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier.
  ///   - time: the time of that enrolment.
  /// - Returns: whether it was undone; one that has sessions, or after which others were enrolled, is kept.
  /// - Throws: the errors of every call.
  package func undoEnrolment(of participant: String, in study: String, at time: String) throws -> Bool {
    let isUndone = try writing(in: study) { driver in
      let all = try Self.participants(of: study, driver)
      guard let listed = all.first(where: { $0.code == participant }), listed.enrolled == time, listed.replaces == nil,
        listed.sessions.isEmpty, listed.index + 1 == all.nextIndex
      else { return false }
      try driver.run(
        "DELETE FROM participants WHERE study = ?1 AND place = ?2 AND turn = ?3", Self.key(listed, study))
      if all.count == 1 { try driver.run("DELETE FROM studies WHERE identifier = ?1", [.text(study)]) }
      return true
    }
    if isUndone { try using { try $0.wipe() } }
    return isUndone
  }

  /// Gives a participant's index and group to another one, who was not enrolled.
  ///
  /// - Parameters:
  ///   - old: the code of the participant who is replaced.
  ///   - new: the code of the other one.
  ///   - study: the protocol's identifier.
  ///   - time: the time of enrolment, in RFC 3339.
  /// - Returns: the new participant.
  /// - Throws: ``ParticipantListError`` if the old one is unknown or was replaced, and if the new one is enrolled.
  package func replace(
    _ old: String, by new: String, in study: String, at time: String
  ) throws -> ListedParticipant {
    precondition(StudyCode.isLegal(new), "a participant's code is checked before it is enrolled")
    return try writing(in: study) { driver in
      let all = try Self.participants(of: study, driver)
      let old = try Self.active(old, in: study, among: all)
      guard !all.contains(where: { $0.code == new }) else {
        throw ParticipantListError.enrolled(participant: new, study: study)
      }
      try driver.run(
        "UPDATE participants SET state = ?4 WHERE study = ?1 AND place = ?2 AND turn = ?3",
        Self.key(old, study) + [.text(ListedParticipant.State.replaced.rawValue)])
      return try Self.add(
        ListedParticipant(
          code: new, index: old.index, turn: old.turn + 1, group: old.group, groupCounts: old.groupCounts,
          enrolled: time, state: .enrolled, replaces: old.name, sessions: []),
        to: study, driver)
    }
  }

  /// Removes a person from the list: the code, the time of enrolment and the sessions.
  ///
  /// Index, group and state remain; the index is not given again, and the group has a free place. In a file nothing of
  /// what was removed is left.
  ///
  /// - Parameters:
  ///   - participant: the participant's code.
  ///   - study: the study; `nil` for all.
  /// - Returns: the name that the list has now, for each study that had the participant.
  /// - Throws: the errors of every call.
  func withdraw(_ participant: String, from study: String? = nil) throws -> [String: String] {
    guard StudyCode.isLegal(participant) else { return [:] }
    let names: [String: String] = try writing { driver in
      // In PostgreSQL this locks all studies.
      try driver.run("UPDATE studies SET seed = seed", [])
      let studies = try driver.rows("SELECT study FROM participants WHERE code = ?1", [.text(participant)]) {
        $0.word(0)
      }
      var names: [String: String] = [:]
      for one in studies where study ?? one == one {
        for entry in try Self.participants(of: one, driver) where entry.code == participant {
          let key = Self.key(entry, one)
          try driver.run("DELETE FROM sessions WHERE study = ?1 AND place = ?2 AND turn = ?3", key)
          try driver.run(
            "UPDATE participants SET code = '', enrolled = '', state = ?4 WHERE study = ?1 AND place = ?2 AND turn = ?3",
            key + [.text(ListedParticipant.State.withdrawn.rawValue)])
          names[one] = ListedParticipant.tombstone(index: entry.index, turn: entry.turn)
        }
      }
      return names
    }
    try using { try $0.wipe() }
    return names
  }

  // MARK: Transactions

  /// Reads a consistent snapshot of the list.
  func reading<Result>(_ body: (any SQLDriver) throws -> Result) throws -> Result {
    try using { driver in try driver.read { try body(driver) } }
  }

  /// Writes in a transaction, alone in the study.
  func writing<Result>(in study: String, _ body: (any SQLDriver) throws -> Result) throws -> Result {
    try writing { driver in
      try driver.run("INSERT INTO studies VALUES (?1, -1) ON CONFLICT DO NOTHING", [.text(study)])
      // In PostgreSQL this locks the study until the end of the transaction.
      try driver.run("UPDATE studies SET seed = seed WHERE identifier = ?1", [.text(study)])
      return try body(driver)
    }
  }

  private func writing<Result>(_ body: (any SQLDriver) throws -> Result) throws -> Result {
    try using { driver in try driver.write { try body(driver) } }
  }

  private func using<Result>(_ body: (any SQLDriver) throws -> Result) throws -> Result {
    try Task.checkCancellation()
    guard let driver else {
      throw StoreError(.databaseInaccessible, "the participants' list has been closed; open it again")
    }
    do { return try body(driver) } catch { throw StoreError.translate(error) }
  }
}

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
