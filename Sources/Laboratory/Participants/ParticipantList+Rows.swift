import Basics
import SampleStore

extension ParticipantList {
  /// The values that identify a participant: `?1`, `?2` and `?3`.
  static func key(_ participant: ListedParticipant, _ study: String) -> [SQLValue] {
    [.text(study), .integer(participant.index), .integer(participant.turn)]
  }

  /// All participants of a study with their sessions, by index and turn.
  static func participants(of study: String, _ driver: any SQLDriver) throws -> [ListedParticipant] {
    let sessions = try driver.rows(
      """
      SELECT place, turn, number, run, state, planned, done, started, ended, host FROM sessions WHERE study = ?1
      ORDER BY place, turn, visit
      """, [.text(study)]
    ) { row in (key: Key(place: row.number(0), turn: row.number(1)), session: try session(row)) }
    let byParticipant = Dictionary(grouping: sessions, by: \.key).mapValues { $0.map(\.session) }
    var before: ListedParticipant?
    return try driver.rows(
      """
      SELECT place, turn, code, group_name, group_counts, enrolled, state FROM participants WHERE study = ?1
      ORDER BY place, turn
      """, [.text(study)]
    ) { row in
      let key = Key(place: row.number(0), turn: row.number(1))
      let participant = ListedParticipant(
        code: row.word(2).unlessEmpty, index: key.place, turn: key.turn, group: row.word(3).unlessEmpty,
        groupCounts: try counts(row.word(4)), enrolled: row.word(5).unlessEmpty, state: try state(row.word(6)),
        replaces: key.turn > 1 ? before?.name : nil, sessions: byParticipant[key] ?? [])
      before = participant
      return participant
    }
  }

  /// Adds a participant to a study, and returns it.
  static func add(
    _ participant: ListedParticipant, to study: String, _ driver: any SQLDriver
  ) throws -> ListedParticipant {
    let counts = JSONValue.object(participant.groupCounts.mapValues { .integer($0) })
    try driver.run(
      "INSERT INTO participants VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      key(participant, study) + [
        .text(participant.code ?? ""), .text(participant.group ?? ""), .text(counts.text()),
        .text(participant.enrolled ?? ""), .text(participant.state.rawValue),
      ])
    return participant
  }

  /// The participant with a code, who takes part.
  ///
  /// - Throws: ``ParticipantListError`` for a code that is unknown, or was replaced.
  static func active(
    _ code: String, in study: String, among all: [ListedParticipant]
  ) throws -> ListedParticipant {
    guard let found = all.first(where: { $0.code == code }) else {
      throw ParticipantListError.unknown(participant: code, study: study, known: all.compactMap(\.code))
    }
    if let next = all.first(where: { $0.index == found.index && $0.turn == found.turn + 1 }) {
      throw ParticipantListError.replaced(participant: code, study: study, by: next.name)
    }
    return found
  }

  private struct Key: Hashable {
    let place: Int
    let turn: Int
  }

  private static func session(_ row: any SQLRow) throws -> ListedSession {
    ListedSession(
      number: row.number(2), run: row.word(3), state: try state(row.word(4)), trialsPlanned: row.number(5),
      trialsDone: row.number(6), started: row.word(7), ended: row.word(8).unlessEmpty, host: row.word(9))
  }

  private static func state<State: RawRepresentable<String>>(_ text: String) throws -> State {
    guard let state = State(rawValue: text) else { throw damaged(text) }
    return state
  }

  private static func counts(_ text: String) throws -> [String: Int] {
    guard let object = try? JSONReader.read(Array(text.utf8)).value.object else { throw damaged(text) }
    return try object.mapValues { value in
      guard let count = value.integer else { throw damaged(text) }
      return count
    }
  }

  private static func damaged(_ text: String) -> StoreError {
    StoreError(
      .databaseInaccessible,
      "the participants' list holds “\(text.visible)”, which it never wrote; restore it from a backup")
  }
}

extension String {
  /// The text; `nil` if there is none.
  fileprivate var unlessEmpty: String? { isEmpty ? nil : self }
}

extension ParticipantList {
  /// Starts a session of a participant.
  ///
  /// A session whose run was started before is returned as it is, so that the call can be repeated.
  ///
  /// - Parameters:
  ///   - run: the identifier of the session, a UUIDv7.
  ///   - participant: the participant's code.
  ///   - study: the protocol's identifier.
  ///   - number: the session's number; `nil` for the next after the last one that has ended.
  ///   - trials: how many trials it has.
  ///   - time: the time of its start, in RFC 3339.
  ///   - host: the computer's name.
  /// - Returns: the session.
  /// - Throws: ``ParticipantListError`` if the participant is unknown, or was replaced.
  package func beginSession(
    _ run: String, of participant: String, in study: String, number: Int? = nil, trials: Int, at time: String,
    on host: String
  ) throws -> ListedSession {
    try writing(in: study) { driver in
      let participant = try Self.active(
        participant, in: study, among: try Self.participants(of: study, driver))
      if let known = participant.sessions.first(where: { $0.run == run }) { return known }
      let session = ListedSession(
        number: number ?? participant.nextSession, run: run, state: .started, trialsPlanned: trials, trialsDone: 0,
        started: time, ended: nil, host: host)
      try driver.run(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, '', ?10)",
        Self.key(participant, study) + [
          .integer(participant.sessions.count + 1), .integer(session.number), .text(run),
          .text(session.state.rawValue), .integer(trials), .text(time), .text(host),
        ])
      return session
    }
  }

  /// Ends a session, or changes how one has ended, as after its continuation.
  ///
  /// - Parameters:
  ///   - run: the identifier of the session.
  ///   - study: the protocol's identifier.
  ///   - isCompleted: whether it did not end early.
  ///   - trials: how many of its trials are done.
  ///   - time: the time of its end, in RFC 3339.
  /// - Throws: ``ParticipantListError`` if there is no such session.
  package func endSession(
    _ run: String, in study: String, isCompleted: Bool, trialsDone trials: Int, at time: String
  ) throws {
    let state = isCompleted ? ListedSession.State.completed : .endedEarly
    try writing(in: study) { driver in
      let ended = try driver.rows(
        "UPDATE sessions SET state = ?3, done = ?4, ended = ?5 WHERE study = ?1 AND run = ?2 RETURNING run",
        [.text(study), .text(run), .text(state.rawValue), .integer(trials), .text(time)]
      ) { $0.word(0) }
      guard !ended.isEmpty else { throw ParticipantListError.noSession(run: run, study: study) }
    }
  }

  /// The participant's session that was started last, if it has not ended.
  func unfinishedSession(of participant: String, in study: String) throws -> ListedSession? {
    try participants(of: study).first { $0.code == participant }?.unfinishedSession
  }
}
