package import Basics
import Bundles

/// What came of an export.
package struct ExportOutcome: Sendable {
  /// How many trials it holds.
  package internal(set) var trials = 0
  /// How many of them were added by this call.
  var added = 0
  /// How many rows each table has, in the order of writing; empty for what is no table.
  var rows: [(table: String, count: Int)] = []
  /// How many files were written, in forms with files of each trial.
  var files = 0
  /// How many of the trials that were added have no file, since they have nothing that the form could hold.
  package internal(set) var withoutFiles = 0
  /// How many of the trials are simulated.
  var simulated = 0
  /// How many simulated trials were left out.
  package internal(set) var simulatedLeftOut = 0
  /// What could not be exported; sentences.
  package internal(set) var problems: [String] = []
  /// In how many of the trials that were added people's corrections of beats are used.
  var corrected = 0
  /// What is to be said of corrections that are not used; sentences.
  package internal(set) var notes: [String] = []
  /// The scripts of an earlier export that were edited since, and were not written again.
  var keptScripts: [String] = []
  /// What was left out on purpose; clauses.
  var omissions: [String] = []

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
    return [what] + empty + [mark].compactMap(\.self)
      + (corrected > 0 ? ["beats corrected by people in \(corrected.counted("trial"))"] : [])
      + rows.map { "  \($0.table): \($0.count.counted("row"))" }
      + kept + (omissions.isEmpty ? [] : ["left out: \(omissions.joined(separator: ", "))"])
  }

  package func json(folder: String) -> JSONValue {
    [
      "folder": .string(folder), "trials": .integer(trials), "added": .integer(added), "files": .integer(files),
      "simulated": .integer(simulated), "withoutFiles": .integer(withoutFiles),
      "rows": .object(rows.reduce(into: [:]) { $0[$1.table] = .integer($1.count) }),
      "keptScripts": .array(keptScripts.map { .string($0) }),
      "omitted": .array(omissions.map { .string($0) }), "problems": .array(problems.map { .string($0) }),
      "corrected": .integer(corrected), "notes": .array(notes.map { .string($0) }),
    ]
  }
}

/// A trial in the ledger of an export.
protocol LedgerEntry: Sendable {
  /// The trial's identifier, or its pseudonym.
  var trial: String { get }
  /// The SHA-256 of the corrections of its beats that were used; `nil` for none.
  var correctionsSHA256: String? { get }
  var json: JSONValue { get }

  /// Reads what ``json`` says; `nil` for anything else.
  init?(_ json: JSONValue)
}

/// The trials that the folder of an export has, and the options with which they were written.
///
/// The file is JSON Lines: a head, and a line for each trial.
struct ExportLedger<Entry: LedgerEntry>: Sendable {
  /// The trials, in the order in which they were added.
  var entries: [Entry] = []
  /// What else the kind of export keeps for later ones.
  var members: [String: JSONValue] = [:]

  private let path: String
  private let kind: String
  private let options: String

  /// Reads the ledger of a folder, or begins one.
  ///
  /// - Throws: ``ExportError`` for a file that is not a ledger, or was made with other options, and `FileError`.
  init(_ kind: ExportKind, in folder: String, options: String) throws {
    let name = kind.ledger
    (path, self.kind, self.options) = ("\(folder)/\(name)", kind.name, options)
    guard Folder.exists(path) else { return }
    func refuse(_ reason: String) -> ExportError { .unreadable(path: folder, reason: "“\(name)” \(reason)") }
    let lines = try File.contents(of: path).split(separator: UInt8(ascii: "\n"))
    guard let head = try lines.first.map({ try JSONReader.read(Array($0)).value })?.object,
      head["format"]?.string == ExportKind.format, head["kind"]?.string == kind.name,
      let were = head["options"]?.string
    else { throw refuse("is not of the form \(ExportKind.format)") }
    guard were == options else { throw ExportError.otherOptions(path: folder, were: were, are: options) }
    members = head
    entries.reserveCapacity(lines.count)
    for (index, line) in lines.dropFirst().enumerated() {
      guard let entry = Entry(try JSONReader.read(Array(line)).value) else {
        throw refuse("is damaged in line \(index + 2)")
      }
      entries.append(entry)
    }
  }

  /// Writes the ledger.
  func write() throws(FileError) {
    var head = members
    head["format"] = .string(ExportKind.format)
    head["kind"] = .string(kind)
    head["options"] = .string(options)
    var bytes: [UInt8] = []
    for line in [JSONValue.object(head)] + entries.map(\.json) {
      bytes += line.text().utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    try File.replaceWhole(path, bytes)
  }
}
