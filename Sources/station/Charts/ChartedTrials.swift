import Analysis
import Basics
import Charts
import Recordings

/// The data of a chart: bundles, all bundles of results folders, and other files with heart data.
struct ChartedTrials: Sendable {
  /// The bundles, folders of bundles and files, as the user gave them.
  let paths: [String]
  /// Which of their heart data to use, and how to read them and correct artefacts.
  let recorded: RecordingOptions

  /// Which of several trials to use.
  let selection: TrialSelection

  /// The options for which heart data are drawn, and how they are read.
  static let recordingOptions = RecordingOptions.options.filter {
    ![RecordingOptions.window.name, RecordingOptions.preset.name].contains($0.name)
  }

  init(_ arguments: Arguments) throws {
    paths = try arguments.trialOperands()
    recorded = try RecordingOptions(arguments)
    selection = try TrialOptions.selection(arguments)
  }

  /// The charts of the only bundle or file.
  ///
  /// - Parameter kind: the chart's name.
  /// - Returns: its charts.
  /// - Throws: read errors; ``Failure`` if a folder has no bundle, or several.
  func only(_ kind: String) throws -> RecordingCharts {
    let paths = try some(of: named())
    guard paths.count == 1 else {
      throw Failure(
        "“\(kind)” shows one bundle, but “\(self.paths[0])” has several; “station list” lists them", status: .wrongUsage
      )
    }
    return try charts(of: paths[0])
  }

  private func some(of paths: [String]) throws -> [String] {
    guard paths.isEmpty else { return paths }
    throw Failure("there is no bundle in “\(self.paths[0])”; “station run” writes bundles, “station list” lists them")
  }

  /// The paths of all named bundles and files, in the given order.
  private func named() throws(RecordingError) -> [String] {
    var all: [String] = []
    for path in paths { all += try TrialPaths.expand(path) }
    return all
  }

  /// The selected trials and files, each once.
  ///
  /// Unreadable files and duplicates are reported.
  ///
  /// - Returns: their paths, and whether all could be read.
  /// - Throws: ``Failure`` if nothing is left.
  func chosen() throws -> (paths: [String], isWhole: Bool) {
    let order = TrialOrder(try named().map { TrialOrder.Entry(reading: $0) }, selection: selection)
    for one in order.problems + order.repeated { Console.standard.complain(one) }
    if let reason = order.noneChosen { throw Failure(reason) }
    guard !order.places.isEmpty || order.problems.isEmpty else { throw Failure("no trial or file is left to draw") }
    return (try some(of: order.places.map(\.path)), order.problems.isEmpty)
  }

  /// Reads several files and processes each; unreadable files and files without the window are reported and skipped.
  ///
  /// - Returns: whether all could be read.
  func each<Read>(_ paths: [String], read: (String) throws -> Read, take: (Read) -> Void) -> Bool {
    var isWhole = true
    for path in paths {
      do {
        take(try read(path))
      } catch {
        Console.standard.complain("\(error)")
        if !(error is MissingWindow) { isWhole = false }
      }
    }
    return isWhole
  }

  /// The recording of a file or of a bundle's only sensor, with artefacts corrected; its remarks are printed.
  func analysed(_ path: String) throws -> AnalysedRecording {
    let recording = try recording(of: path)
    for remark in recording.remarks { Console.standard.complain("“\(path.visible)”: \(remark)") }
    return AnalysedRecording(recording, recorded.settings)
  }

  /// The charts of its window, or of the whole recording if no window was requested.
  func charts(of path: String) throws -> RecordingCharts {
    let charts = RecordingCharts(try analysed(path))
    let recording = charts.recording
    guard let window = recorded.window, window != .whole else { return charts }
    let placed = recording.place(window)
    guard let bounds = placed.bounds else {
      throw MissingWindow(path: path, window: window, reason: placed.remark ?? "the recording does not include it")
    }
    if let remark = placed.remark { Console.standard.complain("“\(path.visible)”: \(remark)") }
    return charts.cut(from: bounds.lowerBound, to: bounds.upperBound)
  }

  private func recording(of path: String) throws -> Recording {
    let recordings = try recorded.choice.recordings(of: path)
    guard recordings.count == 1 else {
      throw Failure(
        "“\(path.visible)” has heart data from \(recordings.count) sensors; choose one with --sensor: "
          + Spelling.list(recordings.map(\.sensorName)))
    }
    return recordings[0]
  }
}

/// The error for a recording without the requested window.
private struct MissingWindow: Error, CustomStringConvertible {
  let path: String
  let window: AnalysisWindow
  let reason: String

  var description: String { "“\(path.visible)” has no window “\(window)”: \(reason)" }
}
