import Analysis
import Basics
import Charts
import Recordings

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

  init(_ arguments: Arguments) throws {
    paths = try arguments.trialOperands()
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

  /// The trials and files that are chosen, each once.
  ///
  /// What cannot be read is told, and what is there twice.
  ///
  /// - Returns: their paths, and whether everything could be read.
  /// - Throws: ``Failure`` where nothing is left.
  func chosen() throws -> (paths: [String], isWhole: Bool) {
    let order = TrialOrder(try named().map { TrialOrder.Entry(reading: $0) }, selection: selection)
    for one in order.problems + order.repeated { Console.standard.complain(one) }
    if let reason = order.noneChosen { throw Failure(reason) }
    guard !order.places.isEmpty || order.problems.isEmpty else { throw Failure("nothing is left to draw") }
    return (try some(of: order.places.map(\.path)), order.problems.isEmpty)
  }

  /// Reads several and takes them; what cannot be read is told, and so is what lacks the window, and the rest goes on.
  ///
  /// - Returns: whether everything could be read.
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

  /// What a bundle's one sensor or a file holds, with its artefacts dealt with; what is to be known of it is told.
  func analysed(_ path: String) throws -> AnalysedRecording {
    let recording = try recording(of: path)
    for remark in recording.remarks { Console.standard.complain("“\(path.visible)”: \(remark)") }
    return AnalysedRecording(recording, recorded.settings)
  }

  /// What the window holds of it, ready to be drawn; everything where none was asked for.
  func charts(of path: String) throws -> RecordingCharts {
    let charts = RecordingCharts(try analysed(path))
    let recording = charts.recording
    guard let window = recorded.window, window != .whole else { return charts }
    let placed = recording.place(window)
    guard let bounds = placed.bounds else {
      throw MissingWindow(path: path, window: window, reason: placed.remark ?? "It has no place.")
    }
    if let remark = placed.remark { Console.standard.complain("“\(path.visible)”: \(remark)") }
    return charts.cut(from: bounds.lowerBound, to: bounds.upperBound)
  }

  private func recording(of path: String) throws -> Recording {
    let recordings = try recorded.recordings(of: path)
    guard recordings.count == 1 else {
      throw Failure(
        "“\(path.visible)” has heart data from \(recordings.count) sensors; choose one with --sensor: "
          + Spelling.list(recordings.map(\.sensorName)))
    }
    return recordings[0]
  }
}

/// A recording that has no such window.
private struct MissingWindow: Error, CustomStringConvertible {
  let path: String
  let window: AnalysisWindow
  let reason: String

  var description: String { "“\(path.visible)” has no window “\(window)”: \(reason)" }
}
