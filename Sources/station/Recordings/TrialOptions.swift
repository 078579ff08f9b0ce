import Analysis
import Bundles
import Recordings

/// Which trials of several a command is about, and what their groups are compared with.
enum TrialOptions {
  /// The options that choose trials.
  static let options: [CommandSyntax.Option] = [
    participant,
    .init("session", value: "N", "of several trials, only this session's"),
    verdict, include,
  ]

  /// The option that takes trials into means, responses and charts of several that are left out otherwise.
  static let include = CommandSyntax.Option(
    "include", value: "stopped",
    "of several trials, also those that were stopped in means, responses and ranges, which leave them out otherwise")

  /// The option that chooses a participant's trials, or samples.
  static let participant = CommandSyntax.Option("participant", value: "ID", "only what is this participant's")

  /// The option that chooses trials by how far they can be trusted.
  static let verdict = CommandSyntax.Option(
    "verdict", value: "good|suspect", "of several trials, only those with this verdict or a better one")

  /// The option that chooses what groups are compared with.
  static let reference = CommandSyntax.Option(
    "reference-group", value: "NAME",
    "what each group is compared with, “none” for the group without a name; any two are compared unless it is given")

  /// Which trials are taken.
  static func selection(_ arguments: Arguments) throws(UsageError) -> TrialSelection {
    _ = try arguments.choice("include", among: [("stopped", true)])
    return TrialSelection(
      participant: arguments["participant"], session: arguments["session"],
      verdict: try arguments.choice("verdict", among: [Verdict.good, .suspect].map { ($0.rawValue, $0) }),
      includesStopped: arguments.has("include"))
  }
}
