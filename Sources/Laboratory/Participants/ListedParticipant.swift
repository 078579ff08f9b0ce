package import Basics

/// A participant of a study, as the participants' list has it.
package struct ListedParticipant: Hashable, Sendable {
  /// Whether the participant takes part.
  enum State: String, Sendable, CaseIterable {
    /// The participant takes part, and counts in the group.
    case enrolled
    /// Another participant has taken over the index and the group.
    case replaced
    /// The participant has withdrawn; nothing but index, group and state is left.
    case withdrawn
  }

  /// The participant's code; `nil` for one who has withdrawn.
  package let code: String?
  /// The participant's number in the order of enrolment, from 1; one who replaces another has the other's.
  package let index: Int
  /// Which participant at this index it is, from 1.
  let turn: Int
  /// The participant's group; `nil` in a study without groups.
  package let group: String?
  /// The counts of the groups from which the group was chosen, so that the choice can be repeated.
  package let groupCounts: [String: Int]
  /// The time of enrolment, in RFC 3339; `nil` for a participant who has withdrawn.
  package let enrolled: String?
  /// Whether the participant takes part.
  let state: State
  /// The name of the participant whom this one replaces; `nil` for none.
  package let replaces: String?
  /// The sessions in the order in which they were started.
  package let sessions: [ListedSession]

  /// The code, or a name that no code can be: `withdrawn-7`, by the index.
  var name: String { code ?? Self.tombstone(index: index, turn: turn) }

  /// The name after a withdrawal.
  var withdrawnName: String { Self.tombstone(index: index, turn: turn) }

  /// The name of a participant who has withdrawn.
  static func tombstone(index: Int, turn: Int) -> String {
    "withdrawn-\(index)" + (turn == 1 ? "" : "-\(turn)")
  }

  /// How many sessions are completed.
  var sessionsDone: Int { sessions.count { $0.state == .completed } }

  /// How many trials were done in all sessions that have ended.
  var trialsDone: Int { sessions.reduce(0) { $0 + $1.trialsDone } }

  /// The session that was started last, if it has not ended.
  var unfinishedSession: ListedSession? { sessions.last.flatMap { $0.state == .started ? $0 : nil } }

  /// The number of the next session: the one after the last that has ended.
  package var nextSession: Int { 1 + (sessions.filter { $0.state != .started }.map(\.number).max() ?? 0) }
}

extension [ListedParticipant] {
  /// The index of the next participant of the study.
  package var nextIndex: Int { 1 + (last?.index ?? 0) }

  /// How many participants of each group neither were replaced nor have withdrawn.
  var groupCounts: [String: Int] {
    compactMap { $0.state == .enrolled ? $0.group : nil }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

/// A session of a participant.
package struct ListedSession: Hashable, Sendable {
  /// How far it has come.
  enum State: String, Sendable, CaseIterable {
    /// It was started, and has not ended: it runs, or was interrupted.
    case started
    /// All of its trials are done.
    case completed
    /// It was ended before all of its trials were done.
    case endedEarly
  }

  /// Its number among the participant's sessions, from 1; an interrupted one may have the number of a later one.
  let number: Int
  /// The identifier of its run, a UUIDv7.
  let run: String
  /// How far it has come.
  let state: State
  /// How many trials it has.
  let trialsPlanned: Int
  /// How many of them were done when it ended; 0 before.
  let trialsDone: Int
  /// When it was started, in RFC 3339.
  let started: String
  /// When it ended, in RFC 3339; `nil` before.
  let ended: String?
  /// The name of the computer that started it.
  let host: String
}

/// A study of a participants' list.
package struct ListedStudy: Hashable, Sendable {
  /// The protocol's identifier.
  package let identifier: String
  /// The study's seed; `nil` as long as no station has proposed one.
  package let seed: UInt64?
}

extension ListedParticipant {
  /// Participants as rows for people.
  package static func table(_ participants: [ListedParticipant]) -> TextTable {
    var table = TextTable([
      ("participant", .left), ("index", .right), ("group", .left), ("state", .left), ("sessions", .left),
      ("trials", .right),
    ])
    for participant in participants {
      table.add([
        participant.name, "\(participant.index)", participant.group ?? "–", participant.shownState,
        participant.shownSessions, "\(participant.trialsDone)",
      ])
    }
    return table
  }

  private var shownState: String { state.rawValue + (replaces.map { ", replaces \($0)" } ?? "") }

  private var shownSessions: String {
    let counts = ListedSession.State.allCases.compactMap { state -> String? in
      let count = sessions.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.words)"
    }
    return counts.isEmpty ? "none" : counts.joined(separator: ", ")
  }

  fileprivate var json: JSONValue {
    [
      "participant": .string(name), "index": .integer(index), "group": .text(group),
      "groupCounts": .object(groupCounts.mapValues { .integer($0) }), "state": .string(state.rawValue),
      "enrolled": .text(enrolled), "replaces": .text(replaces), "sessionsDone": .integer(sessionsDone),
      "trialsDone": .integer(trialsDone), "sessions": .array(sessions.map(\.json)),
    ]
  }
}

extension ListedSession {
  fileprivate var json: JSONValue {
    [
      "number": .integer(number), "run": .string(run), "state": .string(state.rawValue),
      "trialsPlanned": .integer(trialsPlanned), "trialsDone": .integer(trialsDone), "started": .string(started),
      "ended": .text(ended), "host": .string(host),
    ]
  }
}

extension ListedSession.State {
  fileprivate var words: String {
    switch self {
    case .completed: "completed"
    case .endedEarly: "ended early"
    case .started: "not finished"
    }
  }
}

extension ListedStudy {
  /// The study with its participants, for programs.
  package func json(_ participants: [ListedParticipant]) -> JSONValue {
    [
      "study": .string(identifier), "seed": seed.map { .integer($0) } ?? .null,
      "participants": .array(participants.map(\.json)),
    ]
  }
}
