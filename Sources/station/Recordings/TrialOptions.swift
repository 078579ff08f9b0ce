import Analysis
import Bundles
import Recordings

/// Which of several trials a command uses, and what their groups are compared with.
enum TrialOptions {
  /// The options that select trials.
  static let options: [CommandSyntax.Option] = [
    participant,
    .init("session", value: "N", "of several trials, only those of this session"),
    verdict, include,
  ]

  /// What `--include` takes in.
  enum Included: String, CaseIterable {
    case stopped, simulated
  }

  /// The `--include` option, for trials that means, responses and charts of several leave out by default.
  static let include = CommandSyntax.Option(
    "include", value: "stopped|simulated", repeats: true,
    "include stopped or simulated trials in what several trials have together, which leaves them out by default")

  /// The `--include` option where nothing is left out but simulated trials.
  static let includeSimulated = CommandSyntax.Option(
    "include", value: "simulated", "include simulated trials, which are left out by default")

  /// The `--participant` option, which selects a participant's trials or samples.
  static let participant = CommandSyntax.Option("participant", value: "ID", "only data of this participant")

  /// The `--verdict` option, which selects trials by verdict.
  static let verdict = CommandSyntax.Option(
    "verdict", value: "good|suspect", "of several trials, only those with this verdict or a better one")

  /// The `--reference-group` option: what groups are compared with.
  static let reference = CommandSyntax.Option(
    "reference-group", value: "NAME",
    "the group to compare the others with; “none” for trials without the key (default: all pairs)")

  /// The selection that the options describe.
  static func selection(_ arguments: Arguments) throws(UsageError) -> TrialSelection {
    let included = try arguments.choices("include", Included.self)
    return TrialSelection(
      participant: arguments["participant"], session: arguments["session"],
      verdict: try arguments.choice("verdict", among: [Verdict.good, .suspect].map { ($0.rawValue, $0) }),
      includesStopped: included.contains(.stopped), includesSimulated: included.contains(.simulated))
  }
}
