import HeartCharts
import Recordings

/// What a chart is made of: bundles, all bundles of results folders, and other files with heart data.
struct ChartedTrials: Sendable {
  /// Bundles, folders of bundles and files, as they were given.
  let paths: [String]
  /// Which heart data of them, how they are read, and what is done about artefacts.
  let recorded: RecordingOptions

  /// Does something with the path of every bundle and file, in the order given.
  func forEach(_ body: (String) throws -> Void) throws {
    for path in paths {
      for one in try TrialPaths.expand(path) { try body(one) }
    }
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
          + recordings.map { "“\($0.sensorName)”" }.joined(separator: ", "))
    }
    return recordings[0]
  }
}
