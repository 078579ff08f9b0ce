import Basics

/// A trial of a BIDS data set, with the names that it has there.
struct BIDSEntry: Hashable, LedgerEntry {
  /// The trial's identifier, or its pseudonym.
  var trial: String
  /// The label of the participant.
  var participant: String
  /// The label of the session.
  var session: String
  /// The label of the task.
  var task: String
  /// The number of the run among those of the task in its session, from 1.
  var run: Int
  /// The participant's group.
  var group: String?
  /// When the trial began.
  var start: String
  /// The condition; `nil` for the steps around a session's trials.
  var condition: String?
  /// The clip's name.
  var clip: String?
  /// How it ended.
  var outcome: String
  /// How far it can be trusted.
  var verdict: String
  /// The same by the station's local time, and its time zone; `nil` where they are not known or hidden.
  var localStart: String?
  var timeZone: String?
  /// Whether it is simulated.
  var isSimulated: Bool
  /// The labels of the heart recordings.
  var hearts: [String]

  /// The folder of the session, inside the data set.
  var folder: String { "sub-\(participant)/ses-\(session)" }
  /// What the names of the trial's files begin with.
  var stem: String { "sub-\(participant)_ses-\(session)_task-\(task)_run-\(run)" }
  /// The path of a file of the trial, inside the data set.
  func path(_ suffix: String) -> String { "\(folder)/beh/\(stem)_\(suffix)" }
}

extension BIDSEntry {
  var json: JSONValue {
    [
      "trial": .string(trial), "participant": .string(participant), "session": .string(session), "task": .string(task),
      "run": .integer(run), "group": .text(group), "start": .string(start), "condition": .text(condition),
      "clip": .text(clip), "outcome": .string(outcome), "verdict": .string(verdict),
      "simulated": .bool(isSimulated), "localStart": .text(localStart), "timeZone": .text(timeZone),
      "hearts": .array(hearts.map { .string($0) }),
    ]
  }

  init?(_ json: JSONValue) {
    guard let trial = json["trial"]?.string, let participant = json["participant"]?.string,
      let session = json["session"]?.string, let task = json["task"]?.string, let run = json["run"]?.integer,
      let start = json["start"]?.string, let outcome = json["outcome"]?.string, let verdict = json["verdict"]?.string
    else { return nil }
    (self.trial, self.participant, self.session, self.task, self.run) = (trial, participant, session, task, run)
    (self.start, self.outcome, self.verdict) = (start, outcome, verdict)
    (group, condition, clip) = (json["group"]?.string, json["condition"]?.string, json["clip"]?.string)
    (localStart, timeZone) = (json["localStart"]?.string, json["timeZone"]?.string)
    isSimulated = json["simulated"]?.bool ?? false
    hearts = (json["hearts"]?.array ?? []).compactMap(\.string)
  }
}
