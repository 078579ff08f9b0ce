import Basics

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
