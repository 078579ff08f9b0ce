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
    options: ChartOutput.options + AxesOptions.options + RecordingOptions.options + [
      .init("every", value: "SECONDS", "how long an interval of “range” is"),
      .init("marks", "draw the ends of the ranges of “range” as marks, not as bars"), TrialGrouping.option,
        // What chooses participants chooses samples too.
    ] + TrialOptions.options.filter { $0.name != "participant" } + ResponseOptions.options + [
      .init("type", value: "TYPE", "the quantity type of “daily”; heartRate unless it is given"), UnitOption.option,
    ] + SampleSelection.options + StoreLocation.options)

  private let kind: ChartKind
  private let output: ChartOutput
  private let axes: AxesOptions
  private let trials: ChartedTrials
  private let grouping: TrialGrouping?
  private let width: Double?
  private let drawsMarks: Bool
  private let response: ResponseOptions
  /// `nil` for all kinds but “daily”.
  private let daily: DailyStatistics?

  init(_ arguments: Arguments) throws {
    kind = try ChartKind(arguments)
    output = try ChartOutput(arguments)
    axes = try AxesOptions(arguments)
    trials = ChartedTrials(
      paths: Array(arguments.operands.dropFirst()), recorded: try RecordingOptions(arguments),
      selection: try TrialOptions.selection(arguments))
    grouping = try TrialGrouping.chosen(arguments)
    width = try arguments.number("every", 0.1...86_400)
    drawsMarks = arguments.has("marks")
    if width != nil, grouping != nil { throw arguments.refusal(Self.everyIsForOne) }
    response = try ResponseOptions(arguments)
    // Before anything is read; longer sounds make more bins.
    _ = try response.settings(longestSound: 0)
    daily = kind == .daily ? try DailyStatistics(arguments, Self.syntax) : nil
  }

  func run() async throws -> ExitStatus {
    try output.check()
    switch kind {
    case .heartRate: return try draw(try only().heartRate)
    case .tachogram: return try draw(try only().tachogram)
    case .poincare: return try draw(try only().poincare, standardSize: Self.nearlySquare)
    case .spectrum: return try draw(try only().spectrum)
    case .range: return try draw(try range())
    case .response: return try drawResponse()
    case .pie: return try write(try pie())
    case .daily:
      guard let daily else { return .failed }
      return try draw(try await daily.chart())
    }
  }

  private func draw(_ chart: some AxesChart, standardSize: CanvasSize = .standard) throws -> ExitStatus {
    var chart = chart
    axes.apply(to: &chart)
    return try write(chart, standardSize: standardSize)
  }

  /// Writes the chart; one that has nothing to show says so in its place, and the command fails.
  private func write(_ chart: some Chart, standardSize: CanvasSize = .standard) throws -> ExitStatus {
    try output.write(chart, standardSize: standardSize)
    guard chart.isEmpty else { return .done }
    Console.standard.complain("the chart is empty: \(chart.heading.noDataText)")
    return .failed
  }

  /// The paths of the trials and files that are chosen.
  private func paths() throws -> [String] { try some(of: trials.chosen()) }

  private func some(of paths: [String]) throws -> [String] {
    guard paths.isEmpty else { return paths }
    throw Failure("there is no bundle in “\(trials.paths[0])”; “station run” makes them, and “station list” lists them")
  }

  /// The charts of the one bundle or file that there is.
  private func only() throws -> RecordingCharts {
    let paths = try some(of: trials.named())
    guard paths.count == 1 else {
      throw Failure(
        "“\(kind.rawValue)” shows one bundle, and “\(trials.paths[0])” has several; “station list” lists them",
        status: .wrongUsage)
    }
    return try trials.charts(of: paths[0])
  }

  private static let everyIsForOne = "--every is for one bundle; several stand beside each other, one bar each"

  private func range() throws -> RangeChart {
    let paths = try paths()
    var chart: RangeChart
    if paths.count == 1, grouping == nil {
      let charts = try trials.charts(of: paths[0])
      do throws(TooManyIntervals) {
        chart = try width.map { width throws(TooManyIntervals) in try charts.ranges(width: width) } ?? charts.ranges
      } catch {
        throw Failure("\(error)", status: .wrongUsage)
      }
    } else {
      guard width == nil else { throw UsageError(command: Self.syntax, reason: Self.everyIsForOne) }
      var ranges = TrialRanges()
      for path in paths { ranges.add(try trials.charts(of: path)) }
      chart = ranges.chart(by: grouping ?? .clip)
    }
    chart.drawsConnectedRanges = !drawsMarks
    return chart
  }

  private func pie() throws -> PieChart {
    let facts = try paths().map { path in
      guard Folder.isFolder(path) else { throw Failure("“\(path)” is no bundle, and “pie” counts trials") }
      return TrialFacts(try Bundle(path))
    }
    return (grouping ?? .verdict).pie(of: facts)
  }

  private func drawResponse() throws -> ExitStatus {
    let paths = try paths()
    let longest = try longestSound(paths)
    guard response.range != nil || response.bin <= longest + 20 else {
      throw Failure(
        "a bin of \(SampleRendering.number(response.bin)) s is longer than the time around the sound; give a shorter "
          + "--bin, or --response FROM:TO",
        status: .wrongUsage)
    }
    let settings = try response.settings(longestSound: longest)
    var responses = TrialResponses(settings, by: grouping)
    for path in paths { responses.add(try trials.charts(of: path)) }
    for (path, reason) in responses.leftOut { Console.standard.complain("“\(path)” is left out: \(reason)") }
    if responses.count == 0, settings.baseline != .none {
      Console.standard.complain(
        "where too little is known before the sound, --baseline none draws what follows it without comparing; a protocol "
          + "with a rest before the sound gives a baseline")
    }
    return try draw(responses.chart)
  }

  /// How long the longest of the trials' sounds lasts, in seconds; 0 where none does, or where nobody needs to know.
  private func longestSound(_ paths: [String]) throws -> Double {
    guard response.range == nil else { return 0 }
    var longest = 0.0
    // What is no trial's has no sound.
    for path in paths {
      guard Folder.isFolder(path), let event = TrialFacts(try Bundle(path)).event(trials.recorded.events)?.window else {
        continue
      }
      longest = max(longest, event.upperBound - event.lowerBound)
    }
    return longest
  }

  /// For a chart whose axes are equally long, with its words above.
  private static let nearlySquare = CanvasSize(width: 460, height: 520)
}
