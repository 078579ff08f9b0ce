import Analysis
import Basics
import Bundles
import Quantities
package import Recordings

/// Writes trials as tidy tables, as CSV or as JSON Lines.
///
/// CSV tables have a description of their columns and scripts that read them. JSON Lines are in folders by site and date,
/// which DuckDB and Spark read as columns of a partitioned table: `beats/site=booth/date=2026-11-24/part-1.jsonl`.
///
/// Trials are read on all cores and written in their order, one after the other: memory does not grow with their number,
/// and the same trials give the same bytes.
package struct TableExport: Sendable {
  /// The form of the tables.
  package enum Form: Hashable, Sendable {
    /// One CSV file per table.
    case csv
    /// JSON Lines by site and date.
    case jsonLines

    var kind: ExportKind { self == .csv ? .table : .jsonLines }
  }

  private let form: Form
  private let folder: String
  private let version: String
  private let pseudonymisation: Pseudonymisation
  private let includesWaveforms: Bool
  private let corrections: CorrectionChoice

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - form: the form of the tables.
  ///   - folder: where the tables are written; a new folder, an empty one, or one with an earlier export of this form.
  ///   - version: the program's version.
  ///   - pseudonymisation: the pseudonymisation to apply.
  ///   - includesWaveforms: whether the table of samples also has the frames of waveforms.
  ///   - corrections: which people's corrections of beats are used.
  package init(
    _ form: Form, to folder: String, version: String, pseudonymisation: Pseudonymisation = .none,
    includesWaveforms: Bool = false, corrections: CorrectionChoice = .all
  ) {
    (self.form, self.folder, self.version, self.pseudonymisation) = (form, folder, version, pseudonymisation)
    (self.includesWaveforms, self.corrections) = (includesWaveforms, corrections)
  }

  /// What is written of one trial.
  private struct Part: Sendable {
    var partition = ""
    let rows: TrialRows
    /// The trial, whose waveforms are read while they are written, since they may be large.
    var waveforms: ExportedTrial?
    /// Whether people's corrections of beats are used.
    let isCorrected: Bool
    /// What is to be said of corrections that are not used; sentences.
    let notes: [String]
  }

  /// Writes the tables.
  ///
  /// - Parameters:
  ///   - selection: the trials.
  ///   - progress: called with the number of trials that were written.
  /// - Returns: what came of it; a trial that cannot be read is a problem and is in no table.
  /// - Throws: `ExportError` and `FileError`; CSV tables of an earlier export are still there then.
  package func write(
    _ selection: ExportSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    try form.kind.prepare(folder)
    let factors = selection.order.studyColumns.factorNames
    // What marks the folder comes first, so that an export that is interrupted can be repeated.
    let package = "\(folder)/\(DataPackage.file)"
    if form == .csv, !Folder.exists(package) {
      try File.replaceWhole(package, DataPackage.document([], version: version).encoded(pretty: true))
    }
    var outcome = ExportOutcome()
    if form == .jsonLines {
      outcome.keptScripts = try writeScripts(factors)
      for table in ExportTable.allCases where Folder.exists("\(folder)/\(table.rawValue)") {
        try Folder.removeTree("\(folder)/\(table.rawValue)")
      }
    }
    (outcome.problems, outcome.omissions) = (selection.problems, pseudonymisation.omissions)
    outcome.simulated = selection.order.simulated
    var tables = try TableFiles(form, folder, factors: factors)
    let places = selection.order.places
    try await outcome.take(places, progress: { progress($0, places.count) }) {
      try part($0, factors: factors)
    } _: { part, outcome in
      for table in ExportTable.allCases {
        if let own = part.rows.tables[table] { try tables.write(own.bytes, own.count, to: table, part.partition) }
      }
      outcome.trials += 1
      outcome.notes += part.notes
      if part.isCorrected { outcome.corrected += 1 }
      if let trial = part.waveforms { try write(waveformsOf: trial, part.partition, to: &tables, &outcome) }
    }
    let resources = try tables.finish()
    if form == .csv {
      outcome.keptScripts = try writeScripts(factors)
      let document = DataPackage.document(resources, version: version, mark: outcome.mark)
      try File.replaceWhole(package, document.encoded(pretty: true))
    }
    outcome.added = outcome.trials
    outcome.rows = resources.map { (form == .csv ? $0.table.file : $0.table.rawValue, $0.rows) }
    return outcome
  }

  /// Writes the scripts, except edited ones, and returns the names of these.
  private func writeScripts(_ factors: [String]) throws(FileError) -> [String] {
    var kept: [String] = []
    for script in ReadingScripts.files(form, factors: factors) {
      let path = "\(folder)/\(script.name)"
      if Folder.exists(path), !ReadingScripts.isUnchanged(try File.contents(of: path)) {
        kept.append(script.name)
      } else {
        try File.replaceWhole(path, Array(script.text.utf8))
      }
    }
    return kept
  }

  private func part(_ place: TrialPlace, factors: [String]) throws -> Part {
    let trial = try ExportedTrial(place, pseudonymisation, corrections: corrections)
    var part = Part(
      rows: TrialRows(trial, form, factors: factors), isCorrected: trial.corrections != nil,
      notes: trial.correctionNotes)
    if includesWaveforms, trial.record.recordings.contains(where: \.isWaveform) {
      let files = trial.record.recordings.filter { $0.isWaveform && $0.samples > 0 }.map(\.file)
      if let problem = trial.bundle.checkFiles(files).first {
        throw RecordingError.unreadable(path: place.path, reason: "\(problem)")
      }
      part.waveforms = trial
    }
    if form == .jsonLines {
      let site = pseudonymisation.isActive ? "station" : BIDSLabels.stem(of: trial.record.station.identifier)
      part.partition = "site=\(site)/date=\((trial.localTime(trial.start) ?? trial.start.precise).prefix(10))"
    }
    return part
  }

  private func write(
    waveformsOf trial: ExportedTrial, _ partition: String, to tables: inout TableFiles, _ outcome: inout ExportOutcome
  ) throws(FileError) {
    var failure: FileError?
    do throws(RecordingError) {
      try SamplesTable.readWaveforms(trial, RowWriter(form, SamplesTable.fields)) { rows, count in
        guard failure == nil else { return }
        do throws(FileError) { try tables.write(rows, count, to: .samples, partition) } catch { failure = error }
      }
    } catch {
      outcome.problems.append("\(error)")
    }
    if let failure { throw failure }
  }
}

/// The files of all tables while they are written; of each table one is open.
struct TableFiles {
  private let form: TableExport.Form
  private let folder: String
  private let factors: [String]
  private var open: [ExportTable: (partition: String, file: OpenTable)] = [:]
  private var parts: [String: Int] = [:]
  private var counts: [ExportTable: Int] = [:]

  /// Begins the files of CSV tables, which are there also without rows.
  init(_ form: TableExport.Form, _ folder: String, factors: [String]) throws(FileError) {
    (self.form, self.folder, self.factors) = (form, folder, factors)
    guard form == .csv else { return }
    for table in ExportTable.allCases { try begin(table, "") }
  }

  /// Appends rows to a table.
  ///
  /// - Parameters:
  ///   - rows: their bytes.
  ///   - count: how many they are.
  ///   - table: the table.
  ///   - partition: the folder in the table's folder; empty for CSV.
  /// - Throws: `FileError`.
  mutating func write(_ rows: [UInt8], _ count: Int, to table: ExportTable, _ partition: String) throws(FileError) {
    guard count > 0 else { return }
    if open[table]?.partition != partition { try begin(table, partition) }
    try open[table]?.file.write(rows)
    counts[table, default: 0] += count
  }

  private mutating func begin(_ table: ExportTable, _ partition: String) throws(FileError) {
    _ = try open.removeValue(forKey: table)?.file.finish()
    guard form == .jsonLines else {
      let file = try OpenTable("\(folder)/\(table.file)")
      let header = TableRow.text(table.fields(factors: factors).map { TableRow.harmless($0.name) }) + "\n"
      try file.write(Array(header.utf8))
      open[table] = (partition, file)
      return
    }
    let place = "\(folder)/\(table.rawValue)/\(partition)"
    try Folder.ensure(place)
    let number = (parts[place] ?? 0) + 1
    parts[place] = number
    open[table] = (partition, try OpenTable("\(place)/part-\(number).jsonl"))
  }

  /// Gives the open files their names.
  ///
  /// - Returns: every table; size and digest are those of its last file.
  mutating func finish() throws(FileError) -> [DataPackage.Resource] {
    var resources: [DataPackage.Resource] = []
    for table in ExportTable.allCases {
      let written = try open.removeValue(forKey: table)?.file.finish()
      resources.append(
        DataPackage.Resource(
          table: table, fields: table.fields(factors: factors), bytes: written?.bytes ?? 0,
          sha256: written?.sha256 ?? "", rows: counts[table] ?? 0))
    }
    return resources
  }
}

/// A file that is kept in a collection.
private final class OpenTable {
  private var file: StreamedFile

  init(_ path: String) throws(FileError) { file = try StreamedFile(path) }

  func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  func finish() throws(FileError) -> (bytes: Int, sha256: String) { try file.finish() }
}

/// What all tables have of one trial.
struct TrialRows: Sendable {
  /// The rows of each table, and how many they are.
  private(set) var tables: [ExportTable: (bytes: [UInt8], count: Int)] = [:]

  /// The rows of a trial.
  ///
  /// - Parameters:
  ///   - trial: the trial.
  ///   - form: the form of the rows.
  ///   - factors: the factors of the designs, each of which is a column.
  init(_ trial: ExportedTrial, _ form: TableExport.Form, factors: [String]) {
    for table in ExportTable.allCases {
      let writer = RowWriter(form, table.fields(factors: factors))
      var bytes: [UInt8] = []
      var count = 1
      switch table {
      case .trials: writer.row(trial, TrialsTable.columns(factors: factors), to: &bytes)
      case .beats: count = BeatsTable.append(trial, writer, to: &bytes)
      case .samples: count = SamplesTable.append(trial, writer, to: &bytes)
      case .answers:
        count = trial.record.answers.count
        for answer in trial.record.answers {
          writer.row(AnswersTable.Row(trial: trial, answer: answer), AnswersTable.columns, to: &bytes)
        }
      case .screens:
        let rows = ScreensTable.rows(of: trial)
        count = rows.count
        for row in rows { writer.row(row, ScreensTable.columns, to: &bytes) }
      case .keys:
        count = trial.record.keyPresses.count
        for press in trial.record.keyPresses {
          writer.row(KeysTable.Row(trial: trial, press: press), KeysTable.columns, to: &bytes)
        }
      }
      tables[table] = (bytes, count)
    }
  }
}
