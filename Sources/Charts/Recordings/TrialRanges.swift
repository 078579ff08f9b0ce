package import Analysis
import Basics
import Bundles
import Recordings

/// The range of the heart rate in each trial, side by side.
package struct TrialRanges: Sendable {
  private let grouping: TrialGrouping
  private let window: AnalysisWindow
  private let omissions: Set<TrialOmission>
  private var trials: [(trial: TrialFacts?, path: String, range: ValueRange)] = []

  private var isSimulated = false
  private var corrected = 0

  /// The omitted trials, by path, with the reason.
  package private(set) var leftOut: [(path: String, reason: String)] = []

  /// Creates a chart without trials.
  ///
  /// - Parameters:
  ///   - grouping: the criterion that groups the trials.
  ///   - window: the analysed part of each added trial, for the subtitle.
  ///   - omissions: the trials to omit.
  package init(
    by grouping: TrialGrouping = .clip, of window: AnalysisWindow = .whole,
    leavingOut omissions: Set<TrialOmission> = TrialOmission.usual
  ) {
    (self.grouping, self.window, self.omissions) = (grouping, window, omissions)
  }

  /// The number of trials in the chart.
  var count: Int { trials.count }

  /// Adds a trial; one without heart data leaves a gap, and a bad or stopped one is omitted.
  package mutating func add(_ charts: RecordingCharts) {
    if let omission = TrialOmission.of(charts.recording.trial, by: grouping, among: omissions) {
      return leftOut.append((charts.recording.path, omission.reason))
    }
    let rates = charts.ratePoints.map(\.y).filter(\.isFinite)
    let range = rates.min().flatMap { low in rates.max().map { ValueRange(low, $0) } } ?? .unset
    if charts.recording.isSimulated { isSimulated = true }
    if !charts.correctionsCaption.isEmpty { corrected += 1 }
    trials.append((charts.recording.trial, charts.recording.path, range))
  }

  /// The trials in groups, each group in order of start time; trials without a start time come last.
  ///
  /// Groups are sorted by name. In groups of one participant each, trials are labelled by date, otherwise by
  /// participant.
  package var chart: RangeChart {
    let ordered = trials.enumerated().sorted { one, other in
      let (left, right) = (group(one.element), group(other.element))
      if left != right { return (left.isFile ? 1 : 0, left.name) < (right.isFile ? 1 : 0, right.name) }
      switch (one.element.trial?.start, other.element.trial?.start) {
      case (let left?, let right?) where left != right: return left < right
      case (.some, nil): return true
      case (nil, .some): return false
      default: return one.offset < other.offset
      }
    }.map(\.element)
    var groups: [RangeChart.Group] = []
    for trial in ordered {
      let name = group(trial).name
      if groups.last?.name != name { groups.append(RangeChart.Group(name, [])) }
      let day = trial.trial?.start.map { String("\($0)".prefix(10)) } ?? ""
      groups[groups.count - 1].intervals.append(
        trial.trial.map { grouping == .participant ? day : $0.participant } ?? "file")
    }
    let isOfOne = groups.allSatisfy { $0.intervals.count == 1 }
    return RangeChart(
      Heading(
        title: "Range of heart rate by trial",
        subtitle: "\(trials.count.counted("trial")) by \(grouping.rawValue), lowest to highest of "
          + (window == .whole
            ? "the whole of each, with what precedes and follows the sound" : "the window “\(window)” of each")
          + (corrected > 0 ? ", beats corrected by people in \(corrected)" : ""),
        noDataText: "No heart data were recorded in these trials",
        isSimulated: isSimulated),
      plots: [RangeChart.Plot("heart rate", ordered.map(\.range))],
      intervals: isOfOne ? .named(groups.map(\.name)) : .grouped(groups),
      horizontal: HorizontalAxis("Trial"), vertical: .heartRate)
  }

  /// The group of a trial; a file without trial data forms its own group.
  private func group(_ one: (trial: TrialFacts?, path: String, range: ValueRange)) -> (isFile: Bool, name: String) {
    one.trial.map { (false, grouping.key(of: $0) ?? TrialGrouping.noKey) } ?? (true, one.path)
  }
}
