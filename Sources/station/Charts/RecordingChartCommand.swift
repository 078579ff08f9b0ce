import Charts

/// A kind of chart that shows one recording.
protocol RecordingChart: Sendable {
  associatedtype Drawing: AxesChart

  static var name: String { get }
  static var summary: String { get }
  /// What it has beyond what every chart of a recording has.
  static var options: [CommandSyntax.Option] { get }
  static var size: CanvasSize { get }

  static func drawing(_ charts: RecordingCharts) -> Drawing
}

extension RecordingChart {
  static var options: [CommandSyntax.Option] { [] }
  static var size: CanvasSize { .standard }
}

/// `station chart KIND FILE`, of the kinds that show one recording.
struct RecordingChartCommand<Kind: RecordingChart>: Command {
  static var syntax: CommandSyntax {
    CommandSyntax(
      "chart \(Kind.name)", operands: "FILE", count: 1...1, Kind.summary,
      options: ChartOutput.options + AxesOptions.options + ChartedTrials.recordingOptions + [RecordingOptions.window]
        + Kind.options)
  }

  private let output: ChartOutput
  private let axes: AxesOptions
  private let trials: ChartedTrials

  init(_ arguments: Arguments) throws {
    output = try ChartOutput(arguments)
    axes = try AxesOptions(arguments)
    trials = try ChartedTrials(arguments)
  }

  func run() async throws -> ExitStatus {
    try output.check()
    return try output.finish(axes.applied(to: Kind.drawing(try trials.only(Kind.name))), standardSize: Kind.size)
  }
}

/// The rate over time.
enum HeartRateKind: RecordingChart {
  static let name = "heartRate"
  static let summary = "draws the heart rate over time, with the sound, its onset and its offset"

  static func drawing(_ charts: RecordingCharts) -> LineChart { charts.heartRate }
}

/// The intervals, one after the other.
enum TachogramKind: RecordingChart {
  static let name = "tachogram"
  static let summary = "draws each interval between beats over time"

  static func drawing(_ charts: RecordingCharts) -> Tachogram { charts.tachogram }
}

/// Each interval against the next.
enum PoincareKind: RecordingChart {
  static let name = "poincare"
  static let summary = "draws each interval between beats against the one before it, with SD1 and SD2"
  static let options = [RecordingOptions.preset]
  /// For axes that are equally long, with words above.
  static let size = CanvasSize(width: 460, height: 520)

  static func drawing(_ charts: RecordingCharts) -> PoincarePlot { charts.poincare }
}

/// The power of each frequency.
enum SpectrumKind: RecordingChart {
  static let name = "spectrum"
  static let summary = "draws the power spectrum of the intervals between beats, with its bands"
  static let options = [RecordingOptions.preset]

  static func drawing(_ charts: RecordingCharts) -> SpectrumChart { charts.spectrum }
}
