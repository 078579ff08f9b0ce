import Analysis
import Basics
import Recordings

/// How the response to the onset is computed, and the baseline for responses and measures.
struct ResponseOptions: Sendable {
  static let options: [Option] = [
    .init(
      "response", value: "FROM:TO",
      "the heart rate around the onset, in seconds, such as -10:30 (default: -10:30 in a report; in a chart, "
        + "from 10 s before the onset to 10 s after the longest stimulus)"),
    .init("bin", value: "SECONDS", "the length of a bin of the response (default: 1)"),
    .init(
      "baseline", value: "WINDOW",
      "the baseline: none, preStimulus (default for responses) or FROM:TO in seconds from the onset; for measures of "
        + "many trials, any window"),
    .init("change", value: "difference|percent", "how to compare with the baseline (default: difference)"),
  ]

  /// The time range around the onset, in seconds; `nil` if it was not given.
  let range: ClosedRange<Double>?
  /// The length of a bin, in seconds.
  let bin: Double
  /// The baseline window; `nil` if it was not given, or is “none”.
  let baseline: AnalysisWindow?
  let change: BaselineChange
  private let comparesWithNothing: Bool
  private let arguments: Arguments

  /// The allowed range of responses and their baselines around an onset, in seconds.
  private static let day = -86_400.0...86_400

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    range = try arguments["response"].map { text throws(UsageError) in
      guard let range = AnalysisWindow.range(text), Self.day.contains(range) else {
        throw arguments.refusal("“\(text)” is not a range around the onset; give seconds such as -10:30, at most a day")
      }
      return range
    }
    bin = try arguments.number("bin", 0.001...Self.day.upperBound) ?? 1
    comparesWithNothing = arguments["baseline"] == "none"
    baseline = comparesWithNothing ? nil : try arguments.window("baseline", besides: ["none"])
    change = try arguments.choice("change", BaselineChange.self) ?? .difference
    if comparesWithNothing, arguments.has("change") {
      throw arguments.refusal("--change needs a baseline and cannot be combined with --baseline none")
    }
  }

  /// The settings of responses in a range around the onset, in seconds.
  ///
  /// - Throws: ``UsageError`` if no bin or too many bins fit into it, or if it has no time before the onset for the
  ///   baseline.
  func settings(over range: ClosedRange<Double>) throws(UsageError) -> ResponseSettings {
    var window: ClosedRange<Double>?
    switch baseline {
    case nil where comparesWithNothing: break
    case nil, .preStimulus: break
    case .seconds(let seconds):
      guard Self.day.contains(seconds) else {
        throw arguments.refusal(
          "the baseline of a response must be within a day of the onset, not from \(seconds.brief) s")
      }
      window = seconds
    case let other?:
      throw arguments.refusal("the baseline of a response must be none, preStimulus or FROM:TO, not \(other)")
    }
    return try settings(over: range, comparedWith: window)
  }

  private func settings(
    over range: ClosedRange<Double>, comparedWith window: ClosedRange<Double>?
  ) throws(UsageError) -> ResponseSettings {
    try arguments.checked {
      try ResponseSettings(
        before: -range.lowerBound, after: range.upperBound, binWidth: bin,
        baseline: comparesWithNothing ? .none : change == .percent ? .percent : .difference, baselineWindow: window)
    }
  }

  /// The baseline of measures in a report: the time before the onset by default.
  var baselineOfMeasures: AnalysisWindow? { comparesWithNothing ? nil : baseline ?? .preStimulus }

  /// The default settings of responses in a range.
  ///
  /// The time before the onset replaces a baseline that responses cannot have, such as a step.
  ///
  /// - Throws: ``UsageError`` if the requested response cannot be computed.
  func usual(over range: ClosedRange<Double>) throws(UsageError) -> ResponseSettings {
    switch baseline {
    case .step, .stimulus, .postStimulus, .whole, .automatic:
      guard self.range == nil else { return try settings(over: self.range ?? range) }
      return try settings(over: range, comparedWith: nil)
    case nil, .preStimulus, .seconds: return try settings(over: self.range ?? range)
    }
  }

  /// The settings of averaged responses: by default from 10 s before the onset to 10 s after the longest stimulus, in
  /// whole bins.
  func settings(longestSound: Double) throws(UsageError) -> ResponseSettings {
    try settings(over: range ?? -10...max(bin, ((longestSound + 10) / bin).rounded(.up) * bin))
  }
}
