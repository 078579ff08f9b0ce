package import Basics
import Bundles

/// What came of an export.
package struct ExportOutcome: Sendable {
  /// How many trials it holds.
  package internal(set) var trials = 0
  /// How many of them were added by this call.
  package internal(set) var added = 0
  /// How many rows each table has, in the order of writing; empty for what is no table.
  package internal(set) var rows: [(table: String, count: Int)] = []
  /// How many files were written, in forms with files of each trial.
  package internal(set) var files = 0
  /// How many of the trials that were added have no file, since they have nothing that the form could hold.
  package internal(set) var withoutFiles = 0
  /// How many of the trials are simulated.
  package internal(set) var simulated = 0
  /// How many simulated trials were left out.
  package internal(set) var simulatedLeftOut = 0
  /// What could not be exported; sentences.
  package internal(set) var problems: [String] = []
  /// The scripts of an earlier export that were edited since, and were not written again.
  package internal(set) var keptScripts: [String] = []
  /// What was left out on purpose; clauses.
  package internal(set) var omissions: [String] = []

  init() {}

  /// The mark of simulated trials; `nil` without one.
  var mark: String? { TrialSimulation.sentence(simulated: simulated, of: trials) }

  /// The outcome for people, without the problems.
  package func lines(folder: String) -> [String] {
    let present = trials - added
    guard added == 0 || withoutFiles < added || present > 0 else {
      return ["wrote no file to “\(folder)”: in \(added.counted("trial")) nothing was recorded that the form holds"]
    }
    let what =
      present > 0
      ? "added \(added.counted("trial")) to \(present) in “\(folder)”"
      : "exported \(added.counted("trial")) to “\(folder)”" + (files > 0 ? " in \(files.counted("file"))" : "")
    let empty =
      withoutFiles == 0
      ? [] : ["no file for \(withoutFiles.counted("trial")): nothing was recorded that the form holds"]
    let kept = keptScripts.map { "kept \($0), which was edited after an earlier export; rename it to get the new one" }
    return [what] + empty + [mark].compactMap(\.self) + rows.map { "  \($0.table): \($0.count.counted("row"))" }
      + kept + (omissions.isEmpty ? [] : ["left out: \(omissions.joined(separator: ", "))"])
  }

  /// The outcome as JSON.
  package func json(folder: String) -> JSONValue {
    [
      "folder": .string(folder), "trials": .integer(trials), "added": .integer(added), "files": .integer(files),
      "simulated": .integer(simulated), "withoutFiles": .integer(withoutFiles),
      "rows": .object(rows.reduce(into: [:]) { $0[$1.table] = .integer($1.count) }),
      "keptScripts": .array(keptScripts.map { .string($0) }),
      "omitted": .array(omissions.map { .string($0) }), "problems": .array(problems.map { .string($0) }),
    ]
  }
}
