package import Basics

/// A withdrawal that is under way, or was when its computer stopped: what is to be removed, so that it can be completed.
///
/// It is the only file that still has the code while the withdrawal goes on, and is removed at its end.
package struct PendingWithdrawal: Hashable, Sendable, Codable, CheckedInJSON {
  /// The format of the document: `station.withdrawal/1`.
  private let format: String
  /// The participant's code.
  package let participant: String
  /// The study; `nil` for all.
  package let study: String?
  /// When it began.
  package let time: WallTime
  /// What is to be removed from the results folder, also what has been removed already.
  package var files = PersonalFiles()
  /// The names that the participants' list has afterwards, for each study.
  package var names: [String: String] = [:]

  private static let format = "station.withdrawal/1"

  /// A withdrawal that begins.
  package init(participant: String, study: String?, time: WallTime) {
    format = Self.format
    (self.participant, self.study, self.time) = (participant, study, time)
  }

  /// What is wrong with it although its members are right.
  package var jsonProblem: String? {
    format == Self.format ? nil : "its format is “\(format)”, and this station reads “\(Self.format)”"
  }

  /// What remains of the participant: a line for each study.
  package var tombstones: [WithdrawnParticipant] {
    files.studies.union(names.keys).sorted().map { study in
      WithdrawnParticipant(
        participant: names[study], study: study, bundles: files.bundles.count { $0.study == study },
        sessions: files.sessions.count { $0.study == study }, time: time)
    }
  }
}

/// What remains of a participant who has withdrawn from a study, without data: a line of `withdrawn.jsonl`.
package struct WithdrawnParticipant: Hashable, Sendable, Codable {
  /// The name in the participants' list: `withdrawn-7`; `nil` for one whom the list did not have.
  package let participant: String?
  /// The study.
  package let study: String
  /// How many bundles were removed.
  package let bundles: Int
  /// How many records of sessions were removed.
  package let sessions: Int
  /// When.
  package let time: WallTime
}
