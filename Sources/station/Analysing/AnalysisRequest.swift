import Analysis
import Basics
import Recordings

/// The request of `station analyse`, apart from the files.
struct AnalysisRequest: Sendable {
  static let options: [CommandSyntax.Option] =
    [
      .init(
        "measure", value: "LIST", repeats: true, choices: Measure.allCases.map { "\($0)" },
        "the measures, separated by commas (default: all)")
    ]
    + RecordingOptions.options + ResponseOptions.options + [
      TrialGrouping.option, TrialOptions.reference,
      .init("seed", value: "N", "the seed of confidence intervals (default: 1)"),
      .init("definitions", "also print the definition of each measure"),
      .init("json", "print JSON"),
      .init("csv", "print a long CSV table: one row per trial, sensor and measure"),
    ] + TrialOptions.options

  /// Which heart data to use, and how to read them.
  let recorded: RecordingOptions
  let settings: AnalysisSettings
  /// How the response to the onset is computed; `nil` if none was requested.
  let response: ResponseSettings?
  /// The baseline window; `nil` for none.
  let baseline: AnalysisWindow?
  let change: BaselineChange
  let grouping: TrialGrouping?
  /// Which of several trials to use.
  let selection: TrialSelection
  /// The group that others are compared with, as the user gave it; `nil` for all pairs.
  let reference: String?
  let bootstrap: Bootstrap
  let showsDefinitions: Bool
  let form: OutputForm

  /// The window that is measured.
  var window: AnalysisWindow { recorded.window ?? .automatic }

  init(_ arguments: Arguments) throws(UsageError) {
    recorded = try RecordingOptions(arguments)
    var settings = recorded.settings
    settings.measures = try Self.measures(arguments)
    self.settings = settings
    let options = try ResponseOptions(arguments)
    if let range = options.range {
      response = try options.settings(over: range)
    } else {
      response = nil
      if arguments.has("bin") { throw arguments.refusal("--bin needs --response FROM:TO") }
    }
    (baseline, change) = (options.baseline, options.change)
    if arguments.has("change"), baseline == nil, response == nil {
      throw arguments.refusal("--change needs a baseline; give one with --baseline")
    }
    grouping = try TrialGrouping.chosen(arguments)
    selection = try TrialOptions.selection(arguments)
    reference = arguments["reference-group"]
    bootstrap = try arguments.wholeNumber("seed", 0...UInt64.max).map { Bootstrap(seed: $0) } ?? Bootstrap()
    showsDefinitions = arguments.has("definitions")
    form = try OutputForm(arguments)
  }

  /// The analysis of each of many trials.
  var analysis: TrialAnalysis {
    TrialAnalysis(settings, window: window, baseline: baseline, change: change, response: response)
  }

  private static func measures(_ arguments: Arguments) throws(UsageError) -> [Measure] {
    let lists = arguments.all("measure")
    guard !lists.isEmpty else { return Measure.allCases }
    var measures: [Measure] = []
    for name in lists.flatMap({ $0.split(separator: ",") }).map(\.withoutBlanks) where !name.isEmpty {
      let folded = name.lowercased()
      let found = Measure.allCases.first { [$0.rawValue, $0.title].contains { $0.lowercased() == folded } }
      guard let measure = found else {
        let advice = Spelling.advice(
          for: name, among: Measure.allCases.map(\.rawValue), aliases: Measure.allCases.map(\.title))
        throw arguments.refusal("there is no measure “\(name)”; \(advice)")
      }
      if !measures.contains(measure) { measures.append(measure) }
    }
    guard !measures.isEmpty else { throw arguments.refusal("missing measure after --measure") }
    return measures
  }
}

extension Substring {
  /// The text without leading and trailing spaces.
  fileprivate var withoutBlanks: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
