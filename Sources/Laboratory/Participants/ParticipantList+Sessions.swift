import SampleStore

extension ParticipantList {
  /// Starts a session of a participant.
  ///
  /// A session whose run was started before is returned as it is, so that the call can be repeated.
  ///
  /// - Parameters:
  ///   - run: the identifier of the run, a UUIDv7.
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
  ///   - run: the identifier of the run.
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
  package func unfinishedSession(of participant: String, in study: String) throws -> ListedSession? {
    try participants(of: study).first { $0.code == participant }?.unfinishedSession
  }
}
