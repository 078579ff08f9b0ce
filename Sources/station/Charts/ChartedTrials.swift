import HeartCharts
import Recordings
import Spelling

/// What a chart is made of: bundles, all bundles of results folders, and other files with heart data.
struct ChartedTrials: Sendable {
  /// Bundles, folders of bundles and files, as they were given.
  let paths: [String]
  /// Which heart data of them, how they are read, and what is done about artefacts.
  let recorded: RecordingOptions

  /// Which trials of several are taken.
  let selection: TrialSelection

  /// The options that say which heart data are drawn, and how they are read.
  static let recordingOptions = RecordingOptions.options.filter {
    ![RecordingOptions.window.name, RecordingOptions.preset.name].contains($0.name)
  }

  init(_ arguments: Arguments) throws(UsageError) {
    paths = arguments.operands
    recorded = try RecordingOptions(arguments)
    selection = try TrialOptions.selection(arguments)
  }

  /// The charts of the one bundle or file that there is.
  ///
  /// - Parameter kind: the chart's name.
  /// - Returns: its charts.
  /// - Throws: what cannot be read; ``Failure`` where a folder has none, or several.
  func only(_ kind: String) throws -> RecordingCharts {
    let paths = try some(of: named())
    guard paths.count == 1 else {
      throw Failure(
        "“\(kind)” shows one bundle, and “\(self.paths[0])” has several; “station list” lists them", status: .wrongUsage
      )
    }
    return try charts(of: paths[0])
  }

  private func some(of paths: [String]) throws -> [String] {
    guard paths.isEmpty else { return paths }
    throw Failure("there is no bundle in “\(self.paths[0])”; “station run” makes them, and “station list” lists them")
  }

  /// The paths of every bundle and file that is named, in the order given.
  private func named() throws(RecordingError) -> [String] {
    var all: [String] = []
    for path in paths { all += try TrialPaths.expand(path) }
    return all
  }

  /// The paths of the trials and files that are chosen, each once; what is there twice is told.
  ///
  /// - Throws: what cannot be read; ``Failure`` where nothing is chosen.
  func chosen() throws -> [String] {
    let order = TrialOrder(try named().map { TrialOrder.Entry(reading: $0) }, selection: selection)
    if let problem = order.problems.first { throw Failure(problem) }
    for one in order.repeated { Console.standard.complain(one) }
    if let nobody = order.nobody { throw Failure(nobody) }
    return try some(of: order.places.map(\.path))
  }

  /// What the window holds of a bundle's one sensor, or of a file, ready to be drawn; everything where none was asked for.
  func charts(of path: String) throws -> RecordingCharts {
    let charts = RecordingCharts(try recording(of: path), recorded.settings)
    guard let window = recorded.window, window != .whole else { return charts }
    let placed = charts.recording.place(window)
    guard let bounds = placed.bounds else {
      throw Failure("“\(path)” has no window “\(window)”: \(placed.remark ?? "It has no place.")")
    }
    if let remark = placed.remark { Console.standard.complain("“\(path)”: \(remark)") }
    return charts.cut(from: bounds.lowerBound, to: bounds.upperBound)
  }

  private func recording(of path: String) throws -> Recording {
    let recordings = try recorded.recordings(of: path)
    guard recordings.count == 1 else {
      throw Failure(
        "“\(path)” has heart data from \(recordings.count) sensors; choose one with --sensor: "
          + Spelling.list(recordings.map(\.sensorName)))
    }
    return recordings[0]
  }
}
