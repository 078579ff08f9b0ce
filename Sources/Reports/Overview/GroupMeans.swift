internal import Analysis
internal import Recordings

/// The trials of an overview put together by one key: heart rate and its variability while the sound was heard, and the
/// heart rate's change from before it.
struct GroupMeans: Sendable {
  /// What is measured while the sound was heard.
  static let values = TrialAnalysis(
    AnalysisSettings(measures: [.timeWeightedHeartRate, .rmssd]), window: .stimulus)
  /// What is compared with the time before.
  static let changes = TrialAnalysis(
    AnalysisSettings(measures: [.timeWeightedHeartRate]), window: .stimulus, baseline: .preStimulus)

  let grouping: TrialGrouping
  private(set) var values: TrialsTogether
  private(set) var changes: TrialsTogether

  init(by grouping: TrialGrouping) {
    self.grouping = grouping
    values = TrialsTogether(Self.values, by: grouping)
    changes = TrialsTogether(Self.changes, by: grouping)
  }

  /// Takes a trial.
  mutating func take(_ trial: TrialBrief, _ analysed: [AnalysedRecording], at place: TrialPlace) {
    var outcome = TrialOutcome(place: place, trial: trial.facts)
    outcome.rows = analysed.flatMap { Self.values.rows(of: $0, at: place) }
    values.take(outcome)
    outcome.rows = analysed.flatMap { Self.changes.rows(of: $0, at: place) }
    changes.take(outcome)
  }
}
