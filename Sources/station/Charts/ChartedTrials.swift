import HeartCharts
import Recordings
import Spelling

/// What a chart is made of: bundles, all bundles of results folders, and other files with heart data.
struct ChartedTrials: Sendable {
  /// Bundles, folders of bundles and files, as they were given.
  let paths: [String]
  /// The sensor whose heart data are drawn; `nil` where each trial has one.
  let sensor: String?
  /// The step that is drawn alone; `nil` for the whole trial.
  let step: String?
  /// What files do not say themselves.
  let reading: ReadingOptions
  /// What is done about artefacts, and the choices of measures.
  let settings: AnalysisSettings

  /// Does something with the path of every bundle and file, in the order given.
  func forEach(_ body: (String) throws -> Void) throws {
    for path in paths {
      for one in try TrialPaths.expand(path) { try body(one) }
    }
  }

  /// What the recorders of a bundle, or a file, hold together, ready to be drawn.
  func charts(of path: String) throws -> RecordingCharts {
    let charts = RecordingCharts(try recording(of: path), settings)
    guard let step else { return charts }
    guard let trial = charts.recording.trial else {
      throw Failure("“\(path)” is no trial's and has no steps; leave out --step")
    }
    guard let found = trial.steps.first(where: { $0.identifier == step }) else {
      let advice = Spelling.advice(for: step, among: trial.steps.map(\.identifier))
      throw Failure("“\(path)” has no step “\(step)”; \(advice)")
    }
    return charts.cut(from: found.start, to: found.end ?? .infinity)
  }

  private func recording(of path: String) throws -> Recording {
    let recordings = try Recording.read(path: path, reading)
    let names = recordings.map { $0.sensor ?? "unnamed" }
    if let sensor {
      guard let index = names.firstIndex(of: sensor) else {
        let isEmpty = recordings.allSatisfy(\.isEmpty)
        let advice = isEmpty ? "it has no heart data" : Spelling.advice(for: sensor, among: names)
        throw Failure("“\(path)” has nothing from a sensor “\(sensor)”; \(advice)")
      }
      return recordings[index]
    }
    guard recordings.count == 1 else {
      throw Failure(
        "“\(path)” has heart data from \(recordings.count) sensors; choose one with --sensor: "
          + names.map { "“\($0)”" }.joined(separator: ", "))
    }
    return recordings[0]
  }
}
