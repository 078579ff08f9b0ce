import Basics

/// What a BIDS data set of the station holds: every trial with the names that it has there.
///
/// A later export adds what is not in it and changes nothing else.
struct BIDSLedger: Sendable {
  /// A trial of the data set.
  struct Entry: Hashable, Sendable {
    /// The trial's identifier, or what is said instead of it.
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

  /// The trials, in the order in which they were added.
  var entries: [Entry] = []
  var labels = BIDSLabels()
  /// The options with which the data set was made.
  var options: String

  /// The file inside the data set.
  static let file = "sourcedata/station/trials.jsonl"
  private static let format = "station.bids/1"

  init(options: String) { self.options = options }

  /// Reads the ledger of a data set; `nil` where there is none yet.
  ///
  /// - Throws: ``ExportError`` for a file that is no ledger, and `FileError`.
  init?(of folder: String) throws {
    let path = "\(folder)/\(Self.file)"
    guard Folder.exists(path) else { return nil }
    func refuse(_ reason: String) -> ExportError { .unreadable(path: folder, reason: "“\(Self.file)” \(reason)") }
    let lines = try File.contents(of: path).split(separator: UInt8(ascii: "\n"))
    guard let head = try lines.first.map({ try JSONReader.read(Array($0)).value }),
      head["format"]?.string == Self.format, let options = head["options"]?.string
    else { throw refuse("is not of the form \(Self.format)") }
    self.options = options
    labels = BIDSLabels(head["labels"])
    entries.reserveCapacity(lines.count)
    for (index, line) in lines.dropFirst().enumerated() {
      guard let entry = Entry(try JSONReader.read(Array(line)).value) else {
        throw refuse("is damaged in line \(index + 2)")
      }
      entries.append(entry)
    }
  }

  /// Writes the ledger.
  func write(to folder: String) throws(FileError) {
    let head: JSONValue = ["format": .string(Self.format), "options": .string(options), "labels": labels.json]
    var bytes = Array(head.text().utf8) + [UInt8(ascii: "\n")]
    for entry in entries {
      bytes += entry.json.text().utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    try File.replaceWhole("\(folder)/\(Self.file)", bytes)
  }
}

extension BIDSLedger.Entry {
  fileprivate var json: JSONValue {
    [
      "trial": .string(trial), "participant": .string(participant), "session": .string(session), "task": .string(task),
      "run": .integer(run), "group": .text(group), "start": .string(start), "condition": .text(condition),
      "clip": .text(clip), "outcome": .string(outcome), "verdict": .string(verdict),
      "simulated": .bool(isSimulated), "localStart": .text(localStart), "timeZone": .text(timeZone),
      "hearts": .array(hearts.map { .string($0) }),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
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
