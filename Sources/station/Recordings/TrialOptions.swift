import Analysis
import Bundles
import Recordings

extension TrialSelection {
  /// The options that select trials.
  static let options = filters + [.include]

  static let filters: [Option] = [
    .participant, .init("session", value: "N", "of several trials, only those of this session"), .verdict,
  ]

  /// The options that select trials of a list, which shows them as they are.
  static let ofLists =
    filters + [
      .init("study", value: "ID", "only trials of this study, by its protocol's identifier"),
      .init("condition", value: "NAME", "only trials of this condition"),
      .init("from", value: "TIME", "only trials that began at this time or later: 2026-11-20, yesterday, “7 days ago”"),
      .init("to", value: "TIME", "only trials that began before this time"), .timeZone,
    ]

  /// The trials that the options select.
  init(_ arguments: Arguments) throws(UsageError) {
    let (start, end) = try arguments.times(arguments.zone())
    let included = try arguments.choices("include", Included.self)
    self.init(
      participant: arguments["participant"], session: arguments["session"],
      verdict: try arguments.verdict(), study: arguments["study"], condition: arguments["condition"],
      start: start, end: end,
      includesStopped: included.contains(.stopped), includesSimulated: included.contains(.simulated))
  }

  private enum Included: String, CaseIterable {
    case stopped, simulated
  }
}

extension Option {
  /// For trials that means, responses and charts of several leave out by default.
  static let include = Option(
    "include", value: "stopped|simulated", repeats: true,
    "include stopped or simulated trials in what several trials have together, which leaves them out by default")

  static let includeSimulated = Option(
    "include", value: "simulated", "include simulated trials, which are left out by default")

  static let participant = Option("participant", value: "ID", "only data of this participant")

  static let verdict = Option(
    "verdict", value: "good|suspect", "of several trials, only those with this verdict or a better one")

  static let referenceGroup = Option(
    "reference-group", value: "NAME",
    "the group to compare the others with; “none” for trials without the key (default: all pairs)")

  /// How trials are grouped.
  static let by = Option(
    "by", value: "KEY", choices: TrialGrouping.allCases.map(\.rawValue),
    "the key that groups trials: \(TrialGrouping.allCases.map(\.rawValue).joined(separator: ", "))")
}

extension Arguments {
  func verdict() throws(UsageError) -> Verdict? {
    try choice("verdict", among: [Verdict.good, .suspect].map { ($0.rawValue, $0) })
  }

  func includesSimulated() throws(UsageError) -> Bool { try choice("include", among: [("simulated", true)]) ?? false }
}
