import Analysis
import Recordings
import Spelling

/// What `station analyse` is asked for, apart from the files.
struct AnalysisRequest: Sendable {
  /// What trials can be summed up by.
  private static let groupings: [TrialGrouping] = [.clip, .mood, .condition, .participant]

  /// How a measure is compared with its baseline.
  enum Change: String, CaseIterable, Sendable {
    case difference
    case percent
  }

  static let options: [CommandSyntax.Option] = [
    .init("measure", value: "LIST", repeats: true, "which measures, with commas between them; all unless given"),
    .init("preset", value: "NAME", "choices within definitions: station, lombScargle, neuroKit2, pyHRV, hrvAnalysis"),
    .init("artefacts", value: "METHOD", "lipponen-tarvainen unless given, range, or none"),
    .init(
      "window", value: "WINDOW",
      "stimulus, preStimulus, postStimulus, whole, step:NAME, or FROM:TO in seconds from the onset; the stimulus, "
        + "else everything, unless given"),
    .init("recorder", value: "NAME", "only what this recorder has; otherwise all that a sensor's recorders have"),
    .init("unit", value: "ms|s", "the unit of intervals in texts and tables; ms unless given"),
    .init("time-unit", value: "s|ms", "the unit of times in tables; s unless given"),
    .init("response", value: "FROM:TO", "the heart rate around the onset, such as -10:30 in seconds"),
    .init("bin", value: "SECONDS", "how long a bin of the response is; 1 unless given"),
    .init(
      "baseline", value: "WINDOW",
      "what to compare with: none, preStimulus, or FROM:TO in seconds from the onset"),
    .init("change", value: "KIND", "how to compare: difference unless given, or percent"),
    .init("by", value: "KEY", "many trials: summed up by clip, mood, condition or participant"),
    .init("seed", value: "N", "the seed of confidence intervals; 1 unless given"),
    .init("definitions", "also how each measure is defined"),
    .init("json", "print JSON"),
    .init("csv", "print a long table: a row for each trial, sensor and measure"),
  ]

  enum Form: Sendable {
    case people
    case json
    case csv
  }

  let settings: AnalysisSettings
  let window: AnalysisWindow
  let recorder: String?
  let reading: ReadingOptions
  let response: ResponseSettings?
  /// The window of the baseline; `nil` for none.
  let baseline: AnalysisWindow?
  let change: Change
  let grouping: TrialGrouping?
  let bootstrap: Bootstrap
  let showsDefinitions: Bool
  let form: Form

  init(_ arguments: Arguments, _ syntax: CommandSyntax) throws {
    func usage(_ reason: String) -> UsageError { UsageError(command: syntax, reason: reason) }
    func choice<Kind: RawRepresentable<String> & CaseIterable & Equatable>(
      _ option: String, _ kind: Kind.Type, among values: [Kind] = Array(Kind.allCases)
    ) throws -> Kind? {
      guard let text = arguments[option] else { return nil }
      guard let value = Kind(rawValue: text), values.contains(value) else {
        let advice = Spelling.advice(for: text, among: values.map(\.rawValue))
        throw usage("“\(text)” is no value of --\(option); \(advice)")
      }
      return value
    }
    func window(_ option: String) throws -> AnalysisWindow? {
      guard let text = arguments[option] else { return nil }
      guard let window = AnalysisWindow(text) else {
        throw usage("“\(text)” is no window; \(Spelling.advice(for: text, among: AnalysisWindow.words))")
      }
      return window
    }
    let presets = AnalysisPreset.named
    let presetName = arguments["preset"] ?? AnalysisPreset.station.name
    guard let preset = presets.first(where: { $0.name == presetName }) else {
      throw usage("there is no preset “\(presetName)”; \(Spelling.advice(for: presetName, among: presets.map(\.name)))")
    }
    settings = AnalysisSettings(
      preset: preset, correction: try choice("artefacts", AnalysisSettings.Correction.self) ?? .lipponenTarvainen,
      measures: try Self.measures(arguments.all("measure"), syntax))
    self.window = try window("window") ?? .automatic
    recorder = arguments["recorder"]
    reading = ReadingOptions(
      intervalUnit: try choice("unit", ReadingOptions.TimeUnit.self),
      timeUnit: try choice("time-unit", ReadingOptions.TimeUnit.self),
      grouping: recorder == nil ? .sensor : .recorder)
    change = try choice("change", Change.self) ?? .difference
    baseline = arguments["baseline"] == "none" ? nil : try window("baseline")
    grouping = try choice("by", TrialGrouping.self, among: Self.groupings)
    response = try Self.response(arguments, baseline, change, syntax)
    if let text = arguments["seed"] {
      guard let seed = UInt64(text) else { throw usage("“\(text)” is not a seed, which is a whole number from 0") }
      bootstrap = Bootstrap(seed: seed)
    } else {
      bootstrap = Bootstrap()
    }
    showsDefinitions = arguments.has("definitions")
    guard !(arguments.has("json") && arguments.has("csv")) else {
      throw usage("--json and --csv are two different answers")
    }
    form = arguments.has("json") ? .json : arguments.has("csv") ? .csv : .people
    let isCompared = baseline != nil || response.map { $0.baseline != .none } ?? false
    if arguments.has("change"), !isCompared {
      throw usage("--change says how to compare with a baseline; give one with --baseline")
    }
  }

  private static func measures(_ lists: [String], _ syntax: CommandSyntax) throws -> [Measure] {
    guard !lists.isEmpty else { return Measure.allCases }
    var measures: [Measure] = []
    for name in lists.flatMap({ $0.split(separator: ",") }).map(String.init) {
      let folded = name.lowercased()
      let found = Measure.allCases.first { [$0.rawValue, $0.title].contains { $0.lowercased() == folded } }
      guard let measure = found else {
        let advice = Spelling.advice(
          for: name, among: Measure.allCases.map(\.rawValue), aliases: Measure.allCases.map(\.title))
        throw UsageError(command: syntax, reason: "there is no measure “\(name)”; \(advice)")
      }
      if !measures.contains(measure) { measures.append(measure) }
    }
    guard !measures.isEmpty else { throw UsageError(command: syntax, reason: "“--measure” names no measure") }
    return measures
  }

  private static func response(
    _ arguments: Arguments, _ baseline: AnalysisWindow?, _ change: Change, _ syntax: CommandSyntax
  ) throws -> ResponseSettings? {
    func usage(_ reason: String) -> UsageError { UsageError(command: syntax, reason: reason) }
    guard let text = arguments["response"] else {
      if arguments.has("bin") { throw usage("--bin is for --response FROM:TO") }
      return nil
    }
    guard let range = AnalysisWindow.range(text) else {
      throw usage("“\(text)” is no time around an onset; give seconds such as -10:30")
    }
    let bin = Double(arguments["bin"] ?? "1") ?? 0
    guard bin.isFinite, bin > 0, bin <= range.upperBound - range.lowerBound,
      (range.upperBound - range.lowerBound) / bin <= 100_000
    else {
      throw usage("“\(arguments["bin"] ?? "1")” is no length of a bin; give seconds that --response has room for")
    }
    let before = -range.lowerBound
    var window: ClosedRange<Double>?
    switch baseline {
    case nil where arguments["baseline"] == "none":
      return ResponseSettings(before: before, after: range.upperBound, binWidth: bin, baseline: .none)
    case nil, .preStimulus:
      guard before > 0 else {
        throw usage("a response that begins with the onset has no baseline of its own; give --baseline FROM:TO or none")
      }
    case .seconds(let range): window = range
    case let other?: throw usage("the baseline of a response is none, preStimulus or FROM:TO, not \(other)")
    }
    return ResponseSettings(
      before: before, after: range.upperBound, binWidth: bin, baseline: change == .percent ? .percent : .difference,
      baselineWindow: window)
  }

  /// The recordings of a file or bundle that are asked for.
  func recordings(_ path: String) throws -> [Recording] {
    let all = try Recording.read(path: path, reading)
    guard let recorder else { return all }
    let chosen = all.filter { $0.recorder == recorder }
    guard chosen.isEmpty else { return chosen }
    let names = all.compactMap(\.recorder)
    let advice = names.isEmpty ? "" : "; \(Spelling.advice(for: recorder, among: names))"
    throw Failure("“\(path)” has no recorder “\(recorder)”\(advice)")
  }
}
