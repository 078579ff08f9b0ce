import Analysis
import Basics
import Recordings
import Reports

extension Command {
  /// Heart-rate measures of recordings, with definitions beside the numbers.
  static let analyse = Command(
    "analyse", operands: "FILE…",
    "computes heart-rate measures of bundles and files; for many trials by clip, mood, condition …",
    options: AnalysedFiles.options
  ) { try await AnalysedFiles($0).run() }
}

private struct AnalysedFiles {
  static let options: [Option] =
    [
      .init(
        "measure", value: "LIST", repeats: true, choices: Measure.ofHearts.map { "\($0)" },
        "the measures, separated by commas (default: all); of another quantity than the heart's: \(Measure.ofSamples.map(\.rawValue).joined(separator: ", "))"
      )
    ]
    + RecordingOptions.options + RecordingOptions.detection + ResponseOptions.options + [
      .by, .referenceGroup, .init("seed", value: "N", "the seed of confidence intervals (default: 1)"),
      .init("definitions", "also print the definition of each measure"), .json("JSON"),
      .init("csv", "print a long CSV table: one row per trial, sensor and measure"),
    ] + TrialSelection.options + [.resultsOfTrials]

  private let operands: [String]
  private let request: AnalysisRequest
  private let showsDefinitions: Bool
  private let form: OutputForm
  /// Whether trials are summarised, not shown one by one.
  private let isMany: Bool

  private var analysis: TrialAnalysis { request.analysis }

  init(_ arguments: Arguments) throws {
    operands = try arguments.trialOperands()
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
    let request = AnalysisRequest(
      recorded.choice,
      TrialAnalysis(
        settings, window: recorded.window ?? .automatic, baseline: options.baseline, change: options.change,
        response: response),
      by: try arguments.choice("by", TrialGrouping.self),
      selection: try TrialSelection(arguments), reference: arguments["reference-group"],
      bootstrap: try arguments.wholeNumber("seed", 0...UInt64.max).map { Bootstrap(seed: $0) } ?? Bootstrap())
    form = try arguments.form()
    showsDefinitions = arguments.has("definitions")
    self.request = request
    isMany =
      request.grouping != nil || form == .csv || !request.selection.isAll
      || operands.contains { TrialPaths.isMany($0) }
    try refuseIdle(arguments)
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

  /// Rejects options that would have no effect, since the user expects them to have one.
  private func refuseIdle(_ arguments: Arguments) throws(UsageError) {
    guard isMany || analysis.baseline == nil || analysis.response != nil else {
      throw arguments.refusal("--baseline is for --response and for many trials (--by KEY or --csv)")
    }
    if isMany, analysis.baseline == analysis.window, analysis.window != .automatic || analysis.response == nil {
      throw arguments.refusal("--baseline \(analysis.window) is the measured window itself; choose another baseline")
    }
    if isMany, analysis.window == .automatic, analysis.baseline == .stimulus {
      throw arguments.refusal("--baseline stimulus is the default measured window; choose another with --window")
    }
    let (idle, why): ([String], String) =
      if form == .csv, analysis.response != nil {
        (
          ["by", "reference-group", "seed", "definitions", "measure", "window"],
          "has no effect on --csv with --response, which prints one row per bin"
        )
      } else if form == .csv {
        (
          ["by", "reference-group", "seed", "definitions"],
          "has no effect on --csv, which prints one row per trial, sensor and measure; leave out one of the two"
        )
      } else if !isMany {
        (["seed", "reference-group"], "is for summaries of several trials (--by KEY, or a results folder)")
      } else {
        ([], "")
      }
    if let option = idle.first(where: arguments.has) { throw arguments.refusal("--\(option) \(why)") }
  }

  func run() async throws -> ExitStatus {
    if isMany {
      let listing = TrialsListing(
        request, form: form, showsDefinitions: showsDefinitions, printer: Console.standard)
      return try await listing.write(operands) ? .done : .failed
    }
    return form == .json ? writeJSON() : write()
  }

  private func write() -> ExitStatus {
    var isFirst = true
    return each { hearts, channels in
      let listings =
        hearts.map { recording in
          RecordingListing(RecordingAnalysis(recording, analysis), showsDefinitions: showsDefinitions).lines
        } + channels.map { ChannelListing(ChannelAnalysis($0, analysis)).lines }
      for lines in listings {
        if !isFirst { Console.standard.line() }
        isFirst = false
        Console.standard.lines(lines)
      }
    }
  }

  private func writeJSON() -> ExitStatus {
    var recordings: [JSONValue] = []
    var channels: [JSONValue] = []
    let status = each { hearts, others in
      recordings += hearts.map { RecordingAnalysis($0, analysis).json }
      channels += others.map { ChannelAnalysis($0, analysis).json }
    }
    var document: [String: JSONValue] = ["format": .string(AnalysisFormat.name), "recordings": .array(recordings)]
    if !channels.isEmpty { document["channels"] = .array(channels) }
    Console.standard.write(.object(document))
    return status
  }

  /// Reads each file; reports those that cannot be analysed.
  private func each(_ take: (_ hearts: [Recording], _ channels: [ChannelRecording]) -> Void) -> ExitStatus {
    var status = ExitStatus.done
    for path in operands {
      do {
        let (hearts, channels) = try request.choice.everything(of: path)
        if channels.isEmpty { try analysis.requireMeasures() }
        take(hearts, channels)
      } catch {
        Console.standard.report("\(error)")
        status = .failed
      }
    }
    return status
  }
}

extension Substring {
  fileprivate var withoutBlanks: String {
    let rest = drop { $0 == " " }
    return String(rest.reversed().drop { $0 == " " }.reversed())
  }
}
