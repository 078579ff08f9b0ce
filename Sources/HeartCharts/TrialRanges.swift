public import Charts
public import Recordings

/// The lowest to the highest heart rate of each trial, one beside the other.
public struct TrialRanges: Sendable {
  private var trials: [(trial: TrialFacts?, path: String, range: ValueRange)] = []

  /// No trials yet.
  public init() {}

  /// How many trials were taken.
  public var count: Int { trials.count }

  /// Takes a trial; one without heart data leaves its place empty.
  public mutating func add(_ charts: RecordingCharts) {
    let rates = charts.ratePoints.map(\.y).filter(\.isFinite)
    let range = rates.min().flatMap { low in rates.max().map { ValueRange(low, $0) } } ?? .unset
    trials.append((charts.recording.trial, charts.recording.path, range))
  }

  /// The trials in the order in which they began, each called by what trials are grouped by.
  public func chart(by grouping: TrialGrouping = .clip) -> RangeChart {
    let ordered = trials.enumerated().sorted { one, other in
      guard let left = one.element.trial?.start, let right = other.element.trial?.start else {
        return one.offset < other.offset
      }
      return left < right
    }.map(\.element)
    return RangeChart(
      Heading(
        title: "Range of heart rate by trial", subtitle: "\(trials.count) trials, lowest to highest of each",
        noDataText: "No heart data were recorded in these trials"),
      plots: [RangeChart.Plot("heart rate", ordered.map(\.range))],
      intervals: ordered.map { trial in trial.trial.map { grouping.key(of: $0) ?? TrialGrouping.noKey } ?? trial.path },
      horizontalTitle: "Trial", vertical: .heartRate)
  }
}
