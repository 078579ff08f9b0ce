import Analysis
import Basics
import Bundles
import Quantities

/// Writes trials as tidy tables with a description of their columns and scripts that read them.
///
/// Trials are read on all cores and written in their order, one after the other: memory does not grow with their number,
/// and the same trials give the same bytes.
package struct TableExport: Sendable {
  private let folder: String
  private let version: String
  private let disguise: Disguise

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - folder: where the tables are written; a new folder, an empty one, or one with an earlier export.
  ///   - version: the program's version.
  ///   - disguise: what is said instead of what could identify.
  package init(to folder: String, version: String, disguise: Disguise = .none) {
    (self.folder, self.version, self.disguise) = (folder, version, disguise)
  }

  /// What is written of one trial.
  private struct Part: Sendable {
    var rows: TrialRows?
    var problem: String?
  }

  /// Writes the tables.
  ///
  /// - Parameters:
  ///   - selection: the trials.
  ///   - progress: called with the number of trials that were written.
  /// - Returns: what came of it; a trial that cannot be read is a problem and is in no table.
  /// - Throws: ``ExportError`` and `FileError`; the tables of an earlier export are still there then.
  package func write(
    _ selection: ExportSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    try ExportKind.table.prepare(folder)
    let factors = selection.order.studyColumns.factorNames
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, disguise.omissions)
    let disguise = disguise
    var tables = try Tables.begin(folder, factors: factors)
    var failure: FileError?
    var done = 0
    await Parallel.ordered(selection.order.places) { place in
      Self.part(place, disguise, factors: factors)
    } take: { part in
      done += 1
      progress(done, selection.order.places.count)
      guard let rows = part.rows else {
        if let problem = part.problem { outcome.problems.append(problem) }
        return
      }
      guard failure == nil else { return }
      do throws(FileError) {
        for table in ExportTable.allCases {
          if let own = rows.tables[table] { try tables.write(own.bytes, own.count, to: table) }
        }
        outcome.trials += 1
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    let resources = try tables.finish(factors: factors)
    for script in ReadingScripts.files(factors: factors) {
      try File.replaceWhole("\(folder)/\(script.name)", Array(script.text.utf8))
    }
    let document = DataPackage.document(resources, version: version)
    try File.replaceWhole("\(folder)/\(DataPackage.file)", document.encoded(pretty: true))
    outcome.added = outcome.trials
    outcome.rows = resources.map { ($0.table.file, $0.rows) }
    return outcome
  }

  private static func part(_ place: TrialPlace, _ disguise: Disguise, factors: [String]) -> Part {
    do {
      return Part(rows: TrialRows(try ExportedTrial(place, disguise), .csv, factors: factors))
    } catch {
      return Part(problem: "\(error)")
    }
  }
}

/// The files of all tables while they are written.
private struct Tables: ~Copyable {
  private var trials: StreamedFile
  private var beats: StreamedFile
  private var samples: StreamedFile
  private var answers: StreamedFile
  private var counts: [ExportTable: Int] = [:]

  init(
    trials: consuming StreamedFile, beats: consuming StreamedFile, samples: consuming StreamedFile,
    answers: consuming StreamedFile
  ) {
    self.trials = trials
    self.beats = beats
    self.samples = samples
    self.answers = answers
  }

  /// Begins the files with their headers.
  static func begin(_ folder: String, factors: [String]) throws(FileError) -> Tables {
    func file(_ table: ExportTable) throws(FileError) -> StreamedFile { try StreamedFile("\(folder)/\(table.file)") }
    var tables = Tables(
      trials: try file(.trials), beats: try file(.beats), samples: try file(.samples), answers: try file(.answers))
    for table in ExportTable.allCases {
      let header = TableRow.text(table.fields(factors: factors).map { TableRow.harmless($0.name) }) + "\n"
      try tables.write(Array(header.utf8), 0, to: table)
    }
    return tables
  }

  mutating func write(_ bytes: [UInt8], _ count: Int, to table: ExportTable) throws(FileError) {
    counts[table, default: 0] += count
    switch table {
    case .trials: try trials.write(bytes)
    case .beats: try beats.write(bytes)
    case .samples: try samples.write(bytes)
    case .answers: try answers.write(bytes)
    }
  }

  mutating func finish(factors: [String]) throws(FileError) -> [DataPackage.Resource] {
    var resources: [DataPackage.Resource] = []
    for table in ExportTable.allCases {
      let written =
        switch table {
        case .trials: try trials.finish()
        case .beats: try beats.finish()
        case .samples: try samples.finish()
        case .answers: try answers.finish()
        }
      resources.append(
        DataPackage.Resource(
          table: table, fields: table.fields(factors: factors), bytes: written.bytes, sha256: written.sha256,
          rows: counts[table] ?? 0))
    }
    return resources
  }
}
