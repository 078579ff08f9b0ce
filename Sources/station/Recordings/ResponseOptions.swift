import Analysis
import Recordings

/// How a response to the onset is made, and what it and measures are compared with.
struct ResponseOptions: Sendable {
  /// The options that say it.
  static let options: [CommandSyntax.Option] = [
    .init(
      "response", value: "FROM:TO",
      "the heart rate around the onset, such as -10:30 in seconds; unless it is given, in a report -10:30, and in a chart "
        + "from 10 s before it to 10 s after the longest sound"),
    .init("bin", value: "SECONDS", "how long a bin of the response is; 1 unless it is given"),
    .init(
      "baseline", value: "WINDOW",
      "what to compare with: none, preStimulus, or FROM:TO in seconds from the onset, and of measures of many trials any "
        + "window; a response is compared with preStimulus unless it is given"),
    .init("change", value: "difference|percent", "how to compare with the baseline; “difference” unless it is given"),
  ]

  /// From when to when around the onset, in seconds; `nil` where it was not given.
  let range: ClosedRange<Double>?
  /// How long a bin is, in seconds.
  let bin: Double
  /// The window of the baseline; `nil` where none was given, or “none”.
  let baseline: AnalysisWindow?
  /// How numbers are compared with the baseline.
  let change: BaselineChange
  /// Whether “none” was given.
  private let comparesWithNothing: Bool
  private let arguments: Arguments

  /// The time around an onset in which responses and their baselines lie, in seconds.
  private static let day = -86_400.0...86_400

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    range = try Self.range(arguments)
    bin = try arguments.number("bin", 0.001...Self.day.upperBound) ?? 1
    comparesWithNothing = arguments["baseline"] == "none"
    baseline = comparesWithNothing ? nil : try arguments.window("baseline", besides: ["none"])
    change = try arguments.choice("change", BaselineChange.self) ?? .difference
    if comparesWithNothing, arguments.has("change") {
      throw arguments.refusal("--change says how to compare with a baseline, and --baseline none gives none")
    }
  }

  private static func range(_ arguments: Arguments) throws(UsageError) -> ClosedRange<Double>? {
    guard let text = arguments["response"] else { return nil }
    guard let range = AnalysisWindow.range(text), day.contains(range) else {
      throw arguments.refusal("“\(text)” is no time around an onset; give seconds such as -10:30, within a day of it")
    }
    return range
  }

  /// The settings of responses in a range around the onset, in seconds.
  ///
  /// - Throws: ``UsageError`` where no bin fits into it, or too many do, or its time before the onset is to be the baseline
  ///   and there is none.
  func settings(over range: ClosedRange<Double>) throws(UsageError) -> ResponseSettings {
    var window: ClosedRange<Double>?
    switch baseline {
    case nil where comparesWithNothing: break
    case nil, .preStimulus: break
    case .seconds(let seconds):
      guard Self.day.contains(seconds) else {
        throw arguments.refusal(
          "the baseline of a response lies within a day of the onset, not from \(seconds.people) s")
      }
      window = seconds
    case let other?:
      throw arguments.refusal("the baseline of a response is none, preStimulus or FROM:TO, not \(other)")
    }
    return try settings(over: range, comparedWith: window)
  }

  private func settings(
    over range: ClosedRange<Double>, comparedWith window: ClosedRange<Double>?
  ) throws(UsageError) -> ResponseSettings {
    do {
      return try ResponseSettings(
        before: -range.lowerBound, after: range.upperBound, binWidth: bin,
        baseline: comparesWithNothing ? .none : change == .percent ? .percent : .difference, baselineWindow: window)
    } catch {
      throw arguments.refusal(error.description)
    }
  }

  /// What measures are compared with in a report, where that goes without saying: the time before the onset.
  var baselineOfMeasures: AnalysisWindow? { comparesWithNothing ? nil : baseline ?? .preStimulus }

  /// The default settings of responses: in a range, and compared with what lies before the onset where the
  /// baseline is one that no response has, such as a step.
  ///
  /// - Throws: ``UsageError`` where a response was asked for that cannot be made.
  func usual(over range: ClosedRange<Double>) throws(UsageError) -> ResponseSettings {
    switch baseline {
    case .step, .stimulus, .postStimulus, .whole, .automatic:
      guard self.range == nil else { return try settings(over: self.range ?? range) }
      return try settings(over: range, comparedWith: nil)
    case nil, .preStimulus, .seconds: return try settings(over: self.range ?? range)
    }
  }

  /// The settings of averaged responses where no range was given: from 10 s before the onset to 10 s after the longest of the
  /// sounds, in whole bins.
  func settings(longestSound: Double) throws(UsageError) -> ResponseSettings {
    try settings(over: range ?? -10...max(bin, ((longestSound + 10) / bin).rounded(.up) * bin))
  }
}
