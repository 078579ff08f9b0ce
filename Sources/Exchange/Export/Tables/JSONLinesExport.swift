import Analysis
import Basics
import Bundles
import Quantities

/// Writes the tables as JSON Lines in folders by site and date, which DuckDB and Spark read as columns of a partitioned table:
/// `beats/site=booth/date=2026-11-24/part-1.jsonl`.
package struct JSONLinesExport: Sendable {
  private let folder: String
  private let disguise: Disguise

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - folder: where the tables are written; a new folder, an empty one, or one with an earlier export of this form.
  ///   - disguise: what is said instead of what could identify.
  package init(to folder: String, disguise: Disguise = .none) { (self.folder, self.disguise) = (folder, disguise) }

  /// A trial's rows and where they belong.
  private struct Part: Sendable {
    var partition = ""
    var rows: TrialRows?
    var problem: String?
  }

  /// Writes the tables; those of an earlier export are replaced.
  ///
  /// - Parameters:
  ///   - selection: the trials.
  ///   - progress: called with the number of trials that were written.
  /// - Returns: what came of it; a trial that cannot be read is a problem and is in no table.
  /// - Throws: ``ExportError`` and `FileError`.
  package func write(
    _ selection: ExportSelection, progress: (_ done: Int, _ of: Int) -> Void
  ) async throws -> ExportOutcome {
    try ExportKind.jsonLines.prepare(folder)
    try File.replaceWhole("\(folder)/\(ExportKind.jsonLines.mark)", Array(Self.queries.utf8))
    for table in ExportTable.allCases where Folder.exists("\(folder)/\(table.rawValue)") {
      try Folder.removeTree("\(folder)/\(table.rawValue)")
    }
    let factors = selection.order.studyColumns.factorNames
    var outcome = ExportOutcome()
    (outcome.problems, outcome.omissions) = (selection.problems, disguise.omissions)
    var counts: [ExportTable: Int] = [:]
    var partitions = Partitions(folder: folder)
    var failure: FileError?
    var done = 0
    let disguise = disguise
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
        for (table, own) in rows.tables where own.count > 0 {
          try partitions.write(own.bytes, to: table, part.partition)
          counts[table, default: 0] += own.count
        }
        outcome.trials += 1
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try partitions.finish()
    outcome.added = outcome.trials
    outcome.rows = ExportTable.allCases.map { ($0.rawValue, counts[$0] ?? 0) }
    return outcome
  }

  private static func part(_ place: TrialPlace, _ disguise: Disguise, factors: [String]) -> Part {
    do {
      let trial = try ExportedTrial(place, disguise)
      let site = disguise.isActive ? "station" : BIDSLabels.stem(of: trial.record.station.identifier)
      return Part(
        partition: "site=\(site)/date=\(trial.start.precise.prefix(10))",
        rows: TrialRows(trial, .jsonLines, factors: factors))
    } catch {
      return Part(problem: "\(error)")
    }
  }

  /// Queries for DuckDB, which lie beside the tables; run in their folder.
  private static let queries = """
    -- In this folder: duckdb < queries.sql

    -- The mean heart rate of each condition, over beats without artefacts.
    SELECT condition, count(*) AS beats, 60000 / avg(interval_ms) AS rate_per_min
    FROM read_json('beats/*/*/*.jsonl', format = 'newline_delimited', hive_partitioning = true)
    WHERE artefact IS NULL
    GROUP BY condition ORDER BY condition;

    -- Trials of each site and day by verdict.
    SELECT site, date, verdict, count(*) AS trials
    FROM read_json('trials/*/*/*.jsonl', format = 'newline_delimited', hive_partitioning = true)
    GROUP BY ALL ORDER BY ALL;

    """
}

/// The files of all partitions; of each table one is open.
private struct Partitions {
  let folder: String
  private var open: [ExportTable: (partition: String, file: PartFile)] = [:]
  private var parts: [String: Int] = [:]

  init(folder: String) { self.folder = folder }

  mutating func write(_ bytes: [UInt8], to table: ExportTable, _ partition: String) throws(FileError) {
    if open[table]?.partition != partition {
      try open.removeValue(forKey: table)?.file.finish()
      let place = "\(folder)/\(table.rawValue)/\(partition)"
      try Folder.ensure(place)
      let number = (parts[place] ?? 0) + 1
      parts[place] = number
      open[table] = (partition, try PartFile("\(place)/part-\(number).jsonl"))
    }
    try open[table]?.file.write(bytes)
  }

  mutating func finish() throws(FileError) {
    for one in open.values { try one.file.finish() }
    open = [:]
  }
}

/// A file that is kept in a collection.
private final class PartFile {
  private var file: StreamedFile

  init(_ path: String) throws(FileError) { file = try StreamedFile(path) }

  func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

  func finish() throws(FileError) { _ = try file.finish() }
}
