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
  var isSimulated: Bool
  /// The labels of the heart recordings.
  var hearts: [String]
  /// The SHA-256 of the corrections of its beats that were used; `nil` for none.
  var correctionsSHA256: String?

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
      "hearts": .array(hearts.map { .string($0) }), "correctionsSHA256": .text(correctionsSHA256),
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
    correctionsSHA256 = json["correctionsSHA256"]?.string
    hearts = (json["hearts"]?.array ?? []).compactMap(\.string)
  }
}

/// The labels of a BIDS data set, which have letters and digits only, for names that may have others.
///
/// A name that is a label already is its own, unless another name has it. The map is kept in the data set.
struct BIDSLabels: Hashable, Sendable {
  /// What is labelled; each has labels of its own.
  enum Kind: String, CaseIterable, Sendable {
    case participant, session, task
  }

  private var labels: [Kind: [String: String]] = [:]
  // File systems may not tell letters by their case.
  private var taken: [Kind: Set<String>] = [:]

  init() {}

  /// The label of a name, a new one where it has none yet.
  mutating func label(_ name: String, _ kind: Kind) -> String {
    if let known = labels[kind]?[name] { return known }
    let stem = Self.stem(of: name)
    var label = stem
    var number = 1
    while taken[kind]?.contains(label.lowercased()) ?? false {
      number += 1
      label = "\(stem)x\(number)"
    }
    set(label, for: name, kind)
    return label
  }

  /// The letters and digits of a name.
  static func stem(of name: String) -> String {
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    return plain.isEmpty ? "x" : String(String.UnicodeScalarView(plain))
  }

  private mutating func set(_ label: String, for name: String, _ kind: Kind) {
    labels[kind, default: [:]][name] = label
    taken[kind, default: []].insert(label.lowercased())
  }

  /// The map as the data set keeps it.
  var json: JSONValue {
    .object(
      Kind.allCases.reduce(into: [:]) { all, kind in
        all[kind.rawValue] = .object((labels[kind] ?? [:]).mapValues { .string($0) })
      })
  }

  /// Reads what ``json`` says.
  init(_ json: JSONValue?) {
    for kind in Kind.allCases {
      for (name, label) in json?[kind.rawValue]?.object ?? [:] {
        if let label = label.string { set(label, for: name, kind) }
      }
    }
  }
}

/// Labels that are distinct within a trial, for names of files.
struct DistinctLabels {
  // File systems may not tell letters by their case.
  private var taken: Set<String> = []

  /// A label of a name, different from all before.
  mutating func label(_ name: String) -> String {
    var label = BIDSLabels.stem(of: name)
    while !taken.insert(label.lowercased()).inserted { label += "x" }
    return label
  }
}
