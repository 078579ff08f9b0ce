import Exchange

/// `station export table RESULTS…`: trials as tidy tables for R, pandas and spreadsheets.
struct ExportTableCommand: Command {
  static let syntax = CommandSyntax(
    "export table", operands: "RESULTS|BUNDLE…", count: 1...1_000_000,
    "writes trials, beats, samples and answers as CSV tables, with datapackage.json and scripts for R and pandas",
    options: [ExportOptions.to] + ExportOptions.choice + DisguiseOptions.options + [ExportOptions.json])

  private let options: ExportOptions
  private let disguise: DisguiseOptions

  init(_ arguments: Arguments) throws {
    options = try ExportOptions(arguments)
    disguise = try DisguiseOptions(arguments)
  }

  func run() async throws -> ExitStatus {
    let trials = try await options.trials()
    let export = TableExport(
      to: options.folder, version: Version.current, disguise: try disguise.value(for: options.operands))
    let outcome = try await export.write(trials) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }
}
