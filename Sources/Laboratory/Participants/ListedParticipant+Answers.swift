package import Basics

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
