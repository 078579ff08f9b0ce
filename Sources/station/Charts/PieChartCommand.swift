import Analysis
import Basics
import Bundles
import Charts
import Recordings

/// `station chart pie FOLDER…`: draws the number of trials per clip, verdict, participant ….
struct PieChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart pie", operands: "FOLDER…", count: 1...1_000_000,
    "draws the number of trials per verdict, or per key given with --by",
    options: ChartOutput.options + [TrialGrouping.option]
      + TrialOptions.options.filter { $0.name != TrialOptions.include.name } + [
        TrialOptions.includeSimulated, StoreLocation.trialsOption,
      ])

  private let output: ChartOutput
  private let trials: ChartedTrials
  private let grouping: TrialGrouping

  init(_ arguments: Arguments) throws {
    output = try ChartOutput(arguments)
    trials = try ChartedTrials(arguments)
    grouping = try TrialGrouping.chosen(arguments) ?? .verdict
    _ = try arguments.choice("include", among: [("simulated", true)])
  }

  func run() async throws -> ExitStatus {
    try output.check()
    let chosen = try trials.chosen()
    let facts = try chosen.paths.map { path in
      guard Folder.isFolder(path) else { throw Failure("“\(path.visible)” is not a bundle; “pie” counts trials") }
      return TrialFacts(try Bundle(path).record)
    }
    // What lies around the trials of a session is no trial.
    let status = try await output.finish(grouping.pie(of: facts.filter { !$0.isAround }))
    return chosen.isWhole ? status : .failed
  }
}
