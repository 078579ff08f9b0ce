import Bundles
import Files
import HeartCharts
import Recordings
import Spelling

/// The trials that a chart is made of: bundles, and all bundles of results folders.
struct ChartedTrials: Sendable {
  /// Bundles and results folders, as they were given.
  let paths: [String]
  /// The sensor whose heart data are drawn; `nil` where each trial has one.
  let sensor: String?
  /// The step that is drawn alone; `nil` for the whole trial.
  let step: String?
  /// What is done about artefacts, and the choices of measures.
  let settings: AnalysisSettings

  /// Does something with every bundle, in the order given.
  func forEach(_ body: (Bundle) throws -> Void) throws {
    for path in paths {
      // A bundle has no such folder in it, and a results folder no “data”.
      guard Folder.isFolder("\(path)/bundles"), !Folder.isFolder("\(path)/data") else {
        try body(try Bundle(path))
        continue
      }
      let results = ResultsFolder(path)
      for name in try results.trials() { try body(try Bundle(results.bundlePath(named: name))) }
    }
  }

  /// What a bundle's recorders hold together, ready to be drawn.
  func charts(of bundle: Bundle) throws -> RecordingCharts {
    let charts = RecordingCharts(try recording(of: bundle), settings)
    guard let step else { return charts }
    let steps = charts.recording.trial?.steps ?? []
    guard let found = steps.first(where: { $0.identifier == step }) else {
      throw Failure(
        "“\(bundle.path)” has no step “\(step)”; \(Spelling.advice(for: step, among: steps.map(\.identifier)))")
    }
    return charts.cut(from: found.start, to: found.end ?? .infinity)
  }

  private func recording(of bundle: Bundle) throws -> Recording {
    let recordings = try Recording.read(bundle)
    let names = recordings.map { $0.sensor ?? "unnamed" }
    if let sensor {
      guard let index = names.firstIndex(of: sensor) else {
        let advice = names.isEmpty ? "it has no heart data" : Spelling.advice(for: sensor, among: names)
        throw Failure("“\(bundle.path)” has nothing from a sensor “\(sensor)”; \(advice)")
      }
      return recordings[index]
    }
    guard recordings.count < 2 else {
      throw Failure(
        "“\(bundle.path)” has heart data from \(recordings.count) sensors; choose one with --sensor: "
          + names.map { "“\($0)”" }.joined(separator: ", "))
    }
    return recordings.first ?? Recording(path: bundle.path, trial: TrialFacts(bundle))
  }
}
