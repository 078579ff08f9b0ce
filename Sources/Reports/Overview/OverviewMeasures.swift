import Analysis
import Basics
import Bundles
import Recordings

/// What is measured in every trial of an overview.
struct OverviewMeasures: Sendable {
  let settings: ReportSettings
  /// The window that is measured: the stimulus of every trial unless another was chosen.
  let window: AnalysisWindow
  /// What it is compared with; `nil` for nothing.
  let baseline: AnalysisWindow?
  /// Heart rate and its variability in the window.
  let values: TrialAnalysis
  /// The heart rate's change from the baseline; `nil` where nothing is compared.
  let changes: TrialAnalysis?
  /// The windows whose mean heart rate is reported of each trial, with what their columns are called.
  let parts: [(name: String, window: AnalysisWindow)]

  /// The measures of which means are told, in their order.
  static let measures: [Measure] = [.timeWeightedHeartRate, .rmssd]

  init(_ settings: ReportSettings) {
    self.settings = settings
    let chosen = settings.window == .automatic ? nil : settings.window
    let window = chosen ?? .stimulus
    // What is measured differs in nothing from itself.
    let baseline = settings.baseline == window ? nil : settings.baseline
    (self.window, self.baseline) = (window, baseline)
    var analysis = settings.analysis
    analysis.measures = Self.measures
    values = TrialAnalysis(analysis, window: window)
    analysis.measures = [.timeWeightedHeartRate]
    changes = baseline.map { TrialAnalysis(analysis, window: window, baseline: $0, change: settings.change) }
    var windows = chosen.map { [$0] } ?? [.preStimulus, .stimulus, .postStimulus]
    if let baseline, !windows.contains(baseline) { windows.insert(baseline, at: 0) }
    parts = windows.map { (Self.name(of: $0), $0) }
  }

  /// What a window's column is called.
  static func name(of window: AnalysisWindow) -> String {
    switch window {
    case .preStimulus: "before"
    case .stimulus, .automatic: "stimulus"
    case .postStimulus: "after"
    case .whole: "everything"
    case .step(let name): "step “\(name)”"
    case .seconds(let range): "\(range.lowerBound.shortest) to \(range.upperBound.shortest) s"
    }
  }

  /// A window in a sentence; of what windows are locked to, where something else than the sound was chosen.
  func sentence(_ window: AnalysisWindow) -> String {
    let events = settings.words.filter { $0.option == "event" }.map(\.value)
    return switch window {
    case .preStimulus: "what was recorded before the onset"
    case .stimulus, .automatic:
      events.isEmpty ? "the time while the clip sounded" : "the time of the event \(events.joined(separator: ","))"
    case .postStimulus: "what was recorded after the offset"
    case .whole: "everything that was recorded"
    case .step(let name): "the step “\(name)”"
    case .seconds: "the time from \(Self.name(of: window)) around the onset"
    }
  }

  /// Measures what one sensor recorded.
  func measured(_ analysed: AnalysedRecording, at place: TrialPlace) -> MeasuredHeart {
    MeasuredHeart(
      values: values.rows(of: analysed, at: place), changes: changes?.rows(of: analysed, at: place) ?? [],
      rates: parts.map { part in
        analysed.measured(in: part.window, [.timeWeightedHeartRate]).value(.timeWeightedHeartRate)
      })
  }

  /// The commands that make the numbers again, in the results folder.
  func commands(_ selection: TrialSelection) -> [String] {
    let ofTrials = settings.words.filter { !["baseline", "change", "response", "bin"].contains($0.option) }
    let chosen = [
      ("participant", selection.participant), ("session", selection.session), ("verdict", selection.verdict?.rawValue),
      ("include", selection.includesStopped ? "stopped" : nil),
    ].compactMap { name, value in value.map { ReportWord(name, $0) } }
    func command(_ measures: [Measure], _ words: [ReportWord]) -> String {
      let all = [ReportWord("measure", measures.map(\.rawValue).joined(separator: ","))] + chosen + ofTrials + words
      return (["station", "analyse", ".", "--by", "clip"] + all.flatMap(\.words).map(\.shellQuoted))
        .joined(separator: " ")
    }
    var commands = [command(Self.measures, []) + " --definitions"]
    if let baseline {
      let change = settings.words.filter { $0.option == "change" }
      commands.append(command([.timeWeightedHeartRate], [ReportWord("baseline", "\(baseline)")] + change))
    }
    return commands
  }
}

/// What was measured of what one sensor recorded in a trial.
struct MeasuredHeart: Sendable {
  /// Heart rate and variability in the window that is measured.
  let values: [TrialRow]
  /// The heart rate with its change; empty where nothing is compared.
  let changes: [TrialRow]
  /// The mean heart rate of each part, weighted with time; `nil` where the part is not known.
  let rates: [Double?]
}
