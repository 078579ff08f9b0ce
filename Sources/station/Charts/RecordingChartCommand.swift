import Charts

/// A kind of chart of one recording.
protocol RecordingChart: Sendable {
  associatedtype Drawing: AxesChart

  static var name: String { get }
  static var summary: String { get }
  /// Its options besides those of all charts of one recording.
  static var options: [CommandSyntax.Option] { get }
  static var size: CanvasSize { get }

  static func drawing(_ charts: RecordingCharts) -> Drawing
}

extension RecordingChart {
  static var options: [CommandSyntax.Option] { [] }
  static var size: CanvasSize { .standard }
}

/// `station chart KIND FILE`, for the kinds that show one recording.
struct RecordingChartCommand<Kind: RecordingChart>: Command {
  static var syntax: CommandSyntax {
    CommandSyntax(
      "chart \(Kind.name)", operands: "FILE", count: 1...1, Kind.summary,
      options: ChartOutput.options + AxesOptions.options + ChartedTrials.recordingOptions + [RecordingOptions.window]
        + RecordingOptions.detection + Kind.options + [StoreLocation.trialsOption])
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
    return try await output.finish(axes.applied(to: Kind.drawing(try trials.only(Kind.name))), standardSize: Kind.size)
  }
}

/// `station chart recording FILE`: a waveform, or another quantity than the heart's, over time.
struct ChannelChartCommand: Command {
  static let syntax = CommandSyntax(
    "chart recording", operands: "FILE", count: 1...1,
    "draws a waveform, or another quantity than the heart's, as a recorder recorded it in a trial, over time",
    options: ChartOutput.options + AxesOptions.options + ChartedTrials.recordingOptions
      + [RecordingOptions.window, StoreLocation.trialsOption])

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
    return try await output.finish(axes.applied(to: try trials.channel("recording")), standardSize: .standard)
  }
}

/// The heart rate over time.
enum HeartRateKind: RecordingChart {
  static let name = "heartRate"
  static let summary = "draws the heart rate over time, with the stimulus, its onset and its offset"

  static func drawing(_ charts: RecordingCharts) -> LineChart { charts.heartRate }
}

/// The intervals between beats over time.
enum TachogramKind: RecordingChart {
  static let name = "tachogram"
  static let summary = "draws each interval between beats over time"

  static func drawing(_ charts: RecordingCharts) -> Tachogram { charts.tachogram }
}

/// Each interval against the one before it.
enum PoincareKind: RecordingChart {
  static let name = "poincare"
  static let summary = "draws each interval between beats against the one before it, with SD1 and SD2"
  static let options = [RecordingOptions.preset]
  /// A size for axes of equal length, with titles above.
  static let size = CanvasSize(width: 460, height: 520)

  static func drawing(_ charts: RecordingCharts) -> PoincarePlot { charts.poincare }
}

/// The power spectrum of the intervals.
enum SpectrumKind: RecordingChart {
  static let name = "spectrum"
  static let summary = "draws the power spectrum of the intervals between beats, with its bands"
  static let options = [RecordingOptions.preset]

  static func drawing(_ charts: RecordingCharts) -> SpectrumChart { charts.spectrum }
}
