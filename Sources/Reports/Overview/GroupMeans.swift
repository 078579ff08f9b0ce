import Analysis
import Recordings

/// The grouped trials of an overview: heart rate and variability, and the change of heart rate.
struct GroupMeans: Sendable {
  let grouping: TrialGrouping
  private(set) var values: TrialsTogether
  /// The changes; `nil` without a comparison.
  private(set) var changes: TrialsTogether?

  init(_ measures: OverviewMeasures, by grouping: TrialGrouping, leavingOut omissions: Set<TrialOmission>) {
    self.grouping = grouping
    values = TrialsTogether(measures.values, by: grouping, leavingOut: omissions)
    changes = measures.changes.map { TrialsTogether($0, by: grouping, leavingOut: omissions) }
  }

  /// Adds the measurements of a trial's sensors.
  mutating func take(_ trial: TrialFacts, _ hearts: [MeasuredHeart], at place: TrialPlace) {
    var outcome = TrialOutcome(place: place, trial: trial)
    outcome.rows = hearts.flatMap(\.values)
    values.take(outcome)
    outcome.rows = hearts.flatMap(\.changes)
    changes?.take(outcome)
  }
}
