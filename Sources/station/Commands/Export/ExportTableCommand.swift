import Export

/// A form of tables as a command.
protocol TableKind: Sendable {
  static var form: TableExport.Form { get }
  static var name: String { get }
  static var summary: String { get }
}

/// CSV tables.
enum CSVKind: TableKind {
  static let form = TableExport.Form.csv
  static let name = "table"
  static let summary =
    "writes trials, beats, samples and answers as CSV tables, with datapackage.json and scripts for R and pandas"
}

/// JSON Lines.
enum JSONLinesKind: TableKind {
  static let form = TableExport.Form.jsonLines
  static let name = "jsonl"
  static let summary = "writes trials, beats, samples and answers as JSON Lines by site and date, for DuckDB and Spark"
}

/// `station export table|jsonl RESULTS…`: trials as tidy tables.
struct ExportTableCommand<Kind: TableKind>: Command {
  static var syntax: CommandSyntax {
    CommandSyntax(
      "export \(Kind.name)", operands: "RESULTS|BUNDLE…", count: 1...1_000_000, Kind.summary,
      options: [ExportOptions.to] + ExportOptions.choice + [
        .init("waveforms", "also write the frames of waveforms, as samples with a row per channel")
      ] + PseudonymisationOptions.options + [.shared, ExportOptions.json])
  }

  private let options: ExportOptions
  private let pseudonymisation: PseudonymisationOptions
  private let includesWaveforms: Bool

  init(_ arguments: Arguments) throws {
    options = try ExportOptions(arguments)
    pseudonymisation = try PseudonymisationOptions(arguments)
    includesWaveforms = arguments.has("waveforms")
  }

  func run() async throws -> ExitStatus {
    Interrupts.endTidily()
    let trials = try await options.trials()
    let export = TableExport(
      Kind.form, to: options.folder, version: Version.current,
      pseudonymisation: try pseudonymisation.value(for: options.operands),
      includesWaveforms: includesWaveforms)
    let outcome = try await export.write(trials) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }
}
