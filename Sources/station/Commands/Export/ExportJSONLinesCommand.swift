import Exchange

/// `station export jsonl RESULTS…`: the tables as JSON Lines by site and date.
struct ExportJSONLinesCommand: Command {
  static let syntax = CommandSyntax(
    "export jsonl", operands: "RESULTS|BUNDLE…", count: 1...1_000_000,
    "writes trials, beats, samples and answers as JSON Lines by site and date, for DuckDB and Spark",
    options: [ExportOptions.to] + ExportOptions.choice + DisguiseOptions.options + [ExportOptions.json])

  private let options: ExportOptions
  private let disguise: DisguiseOptions

  init(_ arguments: Arguments) throws {
    options = try ExportOptions(arguments)
    disguise = try DisguiseOptions(arguments)
  }

  func run() async throws -> ExitStatus {
    let trials = try await options.trials()
    let export = JSONLinesExport(to: options.folder, disguise: try disguise.value(for: options.operands))
    let outcome = try await export.write(trials) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }
}
