import Analysis
import Bundles
import Charts
import Files
import HealthStore
import HeartCharts
import Recordings
import Spelling

/// `station chart KIND FILE…`: draws what was recorded, as a picture or in the terminal.
struct ChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart", operands: "KIND [FILE…]", count: 1...1_000_000,
    "draws heart data of bundles and files: \(ChartKind.allCases.map(\.rawValue).joined(separator: ", "))",
    options: ChartOutput.options + [
      .init("sensor", value: "NAME", "whose heart data, where a trial has several sensors"),
      .init("step", value: "STEP", "draw this step alone"),
      .init("uncorrected", "draw beats as they were recorded; artefacts are corrected unless this is given"),
      .init("preset", value: "NAME", "the choices of a spectrum and an ellipse: station, neuroKit2, pyHRV …"),
      .init("every", value: "SECONDS", "how long an interval of “range” is"),
      .init("by", value: "GROUP", "clip, mood, condition, participant, session, verdict or outcome"),
      .init("before", value: "SECONDS", "where a response begins before the onset; 10 unless it is given"),
      .init("after", value: "SECONDS", "where it ends after the onset; 10 after the longest sound unless it is given"),
      .init("bin", value: "SECONDS", "how long a bin of it is; 1 unless it is given"),
      .init("baseline", value: "none|difference|percent", "what it is compared with; “difference” unless it is given"),
      .init("type", value: "TYPE", "the quantity type of “daily”; heartRate unless it is given"),
      .init(
        "unit", value: "UNIT",
        "the unit of its values, such as count/min; else of intervals in texts and tables, ms or s"),
      .init("time-unit", value: "s|ms", "the unit of times in tables; s unless it is given"),
    ] + SampleSelection.options + StoreLocation.options)

  private let kind: ChartKind
  private let output: ChartOutput
  private let trials: ChartedTrials
  private let grouping: TrialGrouping?
  private let width: Double?
  private let response: ResponseWords
  /// `nil` for all kinds but “daily”.
  private let daily: DailyStatistics?

  init(_ arguments: Arguments) throws {
    kind = try ChartKind(arguments.operands[0], Self.syntax)
    try kind.check(arguments, Self.syntax)
    output = try ChartOutput(arguments, Self.syntax)
    trials = ChartedTrials(
      paths: Array(arguments.operands.dropFirst()), sensor: arguments["sensor"], step: arguments["step"],
      reading: kind == .daily ? ReadingOptions() : try Self.reading(arguments),
      settings: AnalysisSettings(
        preset: try Self.preset(arguments["preset"]),
        correction: arguments.has("uncorrected") ? .none : .lipponenTarvainen))
    grouping = try Self.choice(TrialGrouping.self, arguments, "by")
    width = try Self.seconds(arguments, "every", 0.1...86_400)
    response = try ResponseWords(arguments)
    daily = kind == .daily ? try DailyStatistics(arguments, Self.syntax) : nil
  }

  func run() async throws -> ExitStatus {
    try output.check()
    switch kind {
    case .heartRate: try output.write(try only().heartRate)
    case .tachogram: try output.write(try only().tachogram)
    case .poincare: try output.write(try only().poincare, standardSize: Self.nearlySquare)
    case .spectrum: try output.write(try only().spectrum)
    case .range: try output.write(try range())
    case .response: return try writeResponse()
    case .pie: try output.write(try pie())
    case .daily: if let daily { try output.write(try await daily.chart()) }
    }
    return .done
  }

  /// The charts of the one bundle or file that there is.
  private func only() throws -> RecordingCharts {
    var found: [RecordingCharts] = []
    try trials.forEach { path in
      guard found.isEmpty else {
        throw Failure(
          "“\(kind.rawValue)” shows one bundle, and “\(trials.paths[0])” has several; “station list” lists them",
          status: .wrongUsage)
      }
      found.append(try trials.charts(of: path))
    }
    guard let charts = found.first else { throw Failure("there is no bundle in “\(trials.paths[0])”") }
    return charts
  }

  private func range() throws -> RangeChart {
    var found: [RecordingCharts] = []
    var ranges = TrialRanges()
    try trials.forEach { path in
      let charts = try trials.charts(of: path)
      if found.isEmpty { found.append(charts) }
      ranges.add(charts)
    }
    guard ranges.count == 1, let charts = found.first else {
      if let width {
        throw Failure("--every \(width) is for one bundle; several stand beside each other, one bar each")
      }
      return ranges.chart(by: grouping ?? .clip)
    }
    return charts.ranges(width: width)
  }

  private func pie() throws -> PieChart {
    var facts: [TrialFacts] = []
    try trials.forEach { path in
      guard Folder.isFolder(path) else { throw Failure("“\(path)” is no bundle, and “pie” counts trials") }
      facts.append(TrialFacts(try Bundle(path)))
    }
    return (grouping ?? .verdict).pie(of: facts)
  }

  private func writeResponse() throws -> ExitStatus {
    var responses = TrialResponses(response.settings(longestSound: try response.longestSound(trials)), by: grouping)
    try trials.forEach { responses.add(try trials.charts(of: $0)) }
    for (path, reason) in responses.leftOut { Console.standard.complain("“\(path)” is left out: \(reason)") }
    try output.write(responses.chart)
    return responses.responses.isEmpty ? .failed : .done
  }

  /// For a chart whose axes are equally long, with its words above.
  private static let nearlySquare = CanvasSize(width: 460, height: 520)

  // MARK: Words

  private static func reading(_ arguments: Arguments) throws -> ReadingOptions {
    ReadingOptions(
      intervalUnit: try choice(ReadingOptions.TimeUnit.self, arguments, "unit"),
      timeUnit: try choice(ReadingOptions.TimeUnit.self, arguments, "time-unit"))
  }

  private static func preset(_ name: String?) throws -> AnalysisPreset {
    guard let name else { return .station }
    guard let preset = AnalysisPreset.named.first(where: { $0.name == name }) else {
      let advice = Spelling.advice(for: name, among: AnalysisPreset.named.map(\.name))
      throw UsageError(command: syntax, reason: "there is no preset “\(name)”; \(advice)")
    }
    return preset
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, _ arguments: Arguments, _ option: String
  ) throws -> Choice? {
    try arguments[option].map { name in
      guard let choice = Choice(rawValue: name) else {
        let advice = Spelling.advice(for: name, among: Choice.allCases.map(\.rawValue))
        throw UsageError(command: syntax, reason: "“\(name)” cannot be --\(option); \(advice)")
      }
      return choice
    }
  }

  static func seconds(_ arguments: Arguments, _ option: String, _ range: ClosedRange<Double>) throws -> Double? {
    try arguments[option].map { text in
      guard let seconds = Double(text), range.contains(seconds) else {
        throw UsageError(
          command: syntax,
          reason: "“\(text)” cannot be --\(option); seconds from \(range.lowerBound) to \(range.upperBound) can")
      }
      return seconds
    }
  }
}

/// What the words say of a response's bins.
struct ResponseWords: Sendable {
  private let before: Double
  private let after: Double?
  private let bin: Double
  private let baseline: ResponseSettings.Baseline

  init(_ arguments: Arguments) throws {
    before = try ChartCommand.seconds(arguments, "before", 0...86_400) ?? 10
    after = try ChartCommand.seconds(arguments, "after", 0...86_400)
    bin = try ChartCommand.seconds(arguments, "bin", 0.1...3600) ?? 1
    baseline = try ChartCommand.choice(ResponseSettings.Baseline.self, arguments, "baseline") ?? .difference
    guard before + (after ?? 0) >= bin || after == nil else {
      throw UsageError(
        command: ChartCommand.syntax, reason: "a bin of \(bin) s is longer than what --before and --after leave for it")
    }
    guard before > 0 || baseline == .none else {
      throw UsageError(
        command: ChartCommand.syntax, reason: "without time before the onset there is no baseline; add --baseline none")
    }
  }

  /// How long the longest of the trials' sounds lasts; 0 where none does, or where nobody needs to know.
  func longestSound(_ trials: ChartedTrials) throws -> Double {
    guard after == nil else { return 0 }
    var longest = 0.0
    // What is no trial's has no sound.
    try trials.forEach { path in
      guard Folder.isFolder(path), let stimulus = TrialFacts(try Bundle(path)).stimulus else { return }
      longest = max(longest, stimulus.upperBound - stimulus.lowerBound)
    }
    return longest
  }

  func settings(longestSound: Double) -> ResponseSettings {
    // A whole number of bins.
    let after = after ?? max(bin, ((longestSound + 10) / bin).rounded(.up) * bin)
    return ResponseSettings(before: before, after: after, binWidth: bin, baseline: baseline)
  }
}
