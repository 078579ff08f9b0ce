import Analysis
import Basics
import Recordings

/// The options of `station analyse`.
struct AnalysisOptions: Sendable {
  static let options: [CommandSyntax.Option] =
    [
      .init(
        "measure", value: "LIST", repeats: true, choices: Measure.ofHearts.map { "\($0)" },
        "the measures, separated by commas (default: all); of another quantity than the heart's: \(Measure.ofSamples.map(\.rawValue).joined(separator: ", "))"
      )
    ]
    + RecordingOptions.options + RecordingOptions.detection + ResponseOptions.options + [
      TrialGrouping.option, TrialOptions.reference,
      .init("seed", value: "N", "the seed of confidence intervals (default: 1)"),
      .init("definitions", "also print the definition of each measure"),
      .init("json", "print JSON"),
      .init("csv", "print a long CSV table: one row per trial, sensor and measure"),
    ] + TrialOptions.options + [StoreLocation.trialsOption]

  /// What is analysed, and how.
  let request: AnalysisRequest
  let showsDefinitions: Bool
  let form: OutputForm

  init(_ arguments: Arguments) throws(UsageError) {
    let recorded = try RecordingOptions(arguments)
    var settings = recorded.settings
    let measures = try Self.measures(arguments)
    settings.measures = measures.filter { $0.domain != .samples }
    settings.samplesMeasures = measures.filter { $0.domain == .samples }
    let options = try ResponseOptions(arguments)
    let response = try options.range.map { range throws(UsageError) in try options.settings(over: range) }
    if response == nil, arguments.has("bin") { throw arguments.refusal("--bin needs --response FROM:TO") }
    if arguments.has("change"), options.baseline == nil, response == nil {
      throw arguments.refusal("--change needs a baseline; give one with --baseline")
    }
    request = AnalysisRequest(
      recorded.choice,
      TrialAnalysis(
        settings, window: recorded.window ?? .automatic, baseline: options.baseline, change: options.change,
        response: response),
      by: try TrialGrouping.chosen(arguments), selection: try TrialOptions.selection(arguments),
      reference: arguments["reference-group"],
      bootstrap: try arguments.wholeNumber("seed", 0...UInt64.max).map { Bootstrap(seed: $0) } ?? Bootstrap())
    showsDefinitions = arguments.has("definitions")
    form = try OutputForm(arguments)
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
