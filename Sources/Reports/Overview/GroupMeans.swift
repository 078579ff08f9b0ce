import Analysis
import Recordings

/// The trials of an overview put together by one key: heart rate and its variability, and the heart rate's change.
struct GroupMeans: Sendable {
  let grouping: TrialGrouping
  private(set) var values: TrialsTogether
  /// `nil` where nothing is compared.
  private(set) var changes: TrialsTogether?

  init(_ measures: OverviewMeasures, by grouping: TrialGrouping, leavingOut omissions: Set<TrialOmission>) {
    self.grouping = grouping
    values = TrialsTogether(measures.values, by: grouping, leavingOut: omissions)
    changes = measures.changes.map { TrialsTogether($0, by: grouping, leavingOut: omissions) }
  }

  /// Takes what was measured of each of a trial's sensors.
  mutating func take(_ trial: TrialFacts, _ hearts: [MeasuredHeart], at place: TrialPlace) {
    var outcome = TrialOutcome(place: place, trial: trial)
    outcome.rows = hearts.flatMap(\.values)
    values.take(outcome)
    outcome.rows = hearts.flatMap(\.changes)
    changes?.take(outcome)
  }
}
