import Analysis
import Basics
import Bundles
import Recordings

/// The measures of every trial in an overview.
struct OverviewMeasures: Sendable {
  let settings: ReportSettings
  /// The analysed window; the stimulus unless another was chosen.
  let window: AnalysisWindow
  /// The baseline window; `nil` for no comparison.
  let baseline: AnalysisWindow?
  /// The analysis of heart rate and variability in the window.
  let values: TrialAnalysis
  /// The analysis of the heart rate's change from baseline; `nil` without a comparison.
  let changes: TrialAnalysis?
  /// The windows whose mean heart rate is reported for each trial, with their column titles.
  let parts: [(name: String, window: AnalysisWindow)]
  /// What trials are grouped by: first the key that was asked for, or else the condition of a design, the group,
  /// or the clip.
  let groupings: [TrialGrouping]

  /// The measures with reported means, in order.
  static let measures: [Measure] = [.timeWeightedHeartRate, .rmssd]

  init(
    _ settings: ReportSettings, hasDesign: Bool = false, hasGroups: Bool = false,
    reading options: ReadingOptions = ReadingOptions()
  ) {
    self.settings = settings
    let ofGroups: [TrialGrouping] = hasGroups ? [.group] : []
    let usual = (hasDesign ? [.condition] + ofGroups : ofGroups) + [.clip, .condition, .mood]
    let first = settings.grouping ?? usual[0]
    groupings = usual.reduce(into: [first]) { if !$0.contains($1) { $0.append($1) } }
    let chosen = settings.window == .automatic ? nil : settings.window
    let window = chosen ?? .stimulus
    // A window cannot be its own baseline.
    let baseline = settings.baseline == window ? nil : settings.baseline
    (self.window, self.baseline) = (window, baseline)
    var analysis = settings.analysis
    analysis.measures = Self.measures
    var values = TrialAnalysis(analysis, window: window)
    values.reading = options
    analysis.measures = [.timeWeightedHeartRate]
    changes = baseline.map { baseline in
      var changes = values
      (changes.settings, changes.baseline, changes.change) = (analysis, baseline, settings.change)
      return changes
    }
    self.values = values
    var windows = chosen.map { [$0] } ?? [.preStimulus, .stimulus, .postStimulus]
    if let baseline, !windows.contains(baseline) { windows.insert(baseline, at: 0) }
    parts = windows.map { (Self.name(of: $0), $0) }
  }

  /// The column title of a window.
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

  /// A description of a window for use in a sentence; it names the event if that is not the stimulus.
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

  /// Analyses the recording of one sensor.
  func measured(_ analysed: AnalysedRecording, at place: TrialPlace) -> MeasuredHeart {
    MeasuredHeart(
      values: values.rows(of: analysed, at: place), changes: changes?.rows(of: analysed, at: place) ?? [],
      rates: parts.map { part in
        analysed.measured(in: part.window, [.timeWeightedHeartRate]).value(.timeWeightedHeartRate)
      })
  }

  /// The commands that reproduce the numbers, for use in the results folder.
  func commands(_ selection: TrialSelection) -> [String] {
    let ofTrials = settings.words.filter { !["baseline", "change", "response", "bin"].contains($0.option) }
    let chosen = [
      ("participant", selection.participant), ("session", selection.session), ("verdict", selection.verdict?.rawValue),
      ("include", selection.includesStopped ? "stopped" : nil),
      ("include", selection.includesSimulated ? "simulated" : nil),
    ].compactMap { name, value in value.map { ReportWord(name, $0) } }
    func command(_ measures: [Measure], _ words: [ReportWord]) -> String {
      let all = [ReportWord("measure", measures.map(\.rawValue).joined(separator: ","))] + chosen + ofTrials + words
      return (["station", "analyse", ".", "--by", groupings[0].rawValue] + all.flatMap(\.words).map(\.shellQuoted))
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

/// The measurements of one sensor in a trial.
struct MeasuredHeart: Sendable {
  /// Heart rate and variability in the analysed window.
  let values: [TrialRow]
  /// The heart rate with its change; empty without a comparison.
  let changes: [TrialRow]
  /// The time-weighted mean heart rate of each part; `nil` if unknown.
  let rates: [Double?]
}
