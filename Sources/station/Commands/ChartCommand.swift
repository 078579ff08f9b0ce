import Analysis
import Bundles
import Charts
import Files
import HealthStore
import HeartCharts
import Recordings

/// `station chart KIND FILE…`: draws what was recorded, as a picture or in the terminal.
struct ChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart", operands: "KIND [FILE…]", count: 1...1_000_000,
    "draws heart data of bundles and files: \(ChartKind.allCases.map(\.rawValue).joined(separator: ", "))",
    options: ChartOutput.options + RecordingOptions.options + [
      .init("every", value: "SECONDS", "how long an interval of “range” is"), TrialGrouping.option,
    ] + ResponseOptions.options + [
      .init("type", value: "TYPE", "the quantity type of “daily”; heartRate unless it is given"), UnitOption.option,
    ] + SampleSelection.options + StoreLocation.options)

  private let kind: ChartKind
  private let output: ChartOutput
  private let trials: ChartedTrials
  private let grouping: TrialGrouping?
  private let width: Double?
  private let response: ResponseOptions
  /// `nil` for all kinds but “daily”.
  private let daily: DailyStatistics?

  init(_ arguments: Arguments) throws {
    kind = try ChartKind(arguments)
    output = try ChartOutput(arguments)
    trials = ChartedTrials(paths: Array(arguments.operands.dropFirst()), recorded: try RecordingOptions(arguments))
    grouping = try TrialGrouping.chosen(arguments)
    width = try arguments.number("every", 0.1...86_400)
    response = try ResponseOptions(arguments)
    // Before anything is read; longer sounds make more bins.
    _ = try response.settings(longestSound: 0)
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
    var responses = TrialResponses(try response.settings(longestSound: try longestSound()), by: grouping)
    try trials.forEach { responses.add(try trials.charts(of: $0)) }
    for (path, reason) in responses.leftOut { Console.standard.complain("“\(path)” is left out: \(reason)") }
    try output.write(responses.chart)
    return responses.responses.isEmpty ? .failed : .done
  }

  /// How long the longest of the trials' sounds lasts, in seconds; 0 where none does, or where nobody needs to know.
  private func longestSound() throws -> Double {
    guard response.range == nil else { return 0 }
    var longest = 0.0
    // What is no trial's has no sound.
    try trials.forEach { path in
      guard Folder.isFolder(path), let event = TrialFacts(try Bundle(path)).event(trials.recorded.events)?.window else {
        return
      }
      longest = max(longest, event.upperBound - event.lowerBound)
    }
    return longest
  }

  /// For a chart whose axes are equally long, with its words above.
  private static let nearlySquare = CanvasSize(width: 460, height: 520)
}
