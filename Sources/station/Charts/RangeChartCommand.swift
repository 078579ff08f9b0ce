import Analysis
import Basics
import Charts
import Recordings

/// `station chart range FILE…`: draws the lowest and highest heart rates in intervals of one recording, or in several
/// recordings.
struct RangeChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart range", operands: "FILE…", count: 1...1_000_000,
    "draws the range of the heart rate in each interval of one recording, or in each of several",
    options: ChartOutput.options + AxesOptions.options + [
      .init("every", value: "SECONDS", "the length of intervals of one recording (default: chosen to fit)"),
      .init("marks", "draw the ends of the ranges as marks instead of bars"),
    ] + ChartedTrials.recordingOptions + [RecordingOptions.window] + TrialOptions.options
      + [TrialGrouping.option, StoreLocation.trialsOption])

  private let output: ChartOutput
  private let axes: AxesOptions
  private let trials: ChartedTrials
  private let grouping: TrialGrouping?
  /// In seconds.
  private let width: Double?
  private let drawsMarks: Bool

  init(_ arguments: Arguments) throws {
    output = try ChartOutput(arguments)
    axes = try AxesOptions(arguments)
    trials = try ChartedTrials(arguments)
    grouping = try TrialGrouping.chosen(arguments)
    width = try arguments.number("every", 0.1...86_400)
    drawsMarks = arguments.has("marks")
    if width != nil, grouping != nil { throw arguments.refusal(Self.everyIsForOne) }
  }

  func run() async throws -> ExitStatus {
    try output.check()
    let chosen = try trials.chosen()
    var isWhole = chosen.isWhole
    var chart: RangeChart
    if chosen.paths.count == 1, grouping == nil {
      chart = try one(chosen.paths[0])
    } else {
      guard width == nil else { throw Self.refusal(Self.everyIsForOne) }
      var ranges = TrialRanges(
        by: grouping ?? (chosen.hasDesign ? .condition : .clip), of: trials.window ?? .whole,
        leavingOut: trials.selection.omissions)
      isWhole = trials.each(chosen.paths, read: trials.charts) { ranges.add($0) } && isWhole
      for (path, reason) in ranges.leftOut { Console.standard.report("“\(path.visible)” is left out: \(reason)") }
      chart = ranges.chart
    }
    chart.drawsConnectedRanges = !drawsMarks
    let status = try await output.finish(axes.applied(to: chart))
    return isWhole ? status : .failed
  }

  private func one(_ path: String) throws -> RangeChart {
    let charts = try trials.charts(of: path)
    do throws(TooManyIntervals) {
      guard let width else { return charts.ranges }
      return try charts.ranges(width: width)
    } catch {
      throw Failure("\(error)", status: .wrongUsage)
    }
  }

  private static let everyIsForOne = "--every needs a single bundle; several bundles have one bar each"
}
