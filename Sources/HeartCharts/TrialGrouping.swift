internal import Bundles
public import Charts
public import Recordings

/// What trials have in common.
public enum TrialGrouping: String, CaseIterable, Hashable, Sendable {
  /// The clip.
  case clip
  /// The clip's mood.
  case mood
  /// The protocol.
  case condition
  /// The participant.
  case participant
  /// The session.
  case session
  /// How far the trial can be trusted.
  case verdict
  /// How it ended.
  case outcome

  /// Which group a trial belongs to.
  public func key(of trial: TrialFacts) -> String {
    switch self {
    case .clip: trial.clip ?? "no clip"
    case .mood: trial.mood ?? "no mood"
    case .condition: trial.condition
    case .participant: trial.participant
    case .session: trial.session
    case .verdict: trial.grade?.rawValue ?? "none"
    case .outcome: trial.outcome?.rawValue ?? "none"
    }
  }

  /// What several groups are called.
  private var plural: String {
    switch self {
    case .clip: "Clips"
    case .mood: "Moods"
    case .condition: "Conditions"
    case .participant: "Participants"
    case .session: "Sessions"
    case .verdict: "Verdicts"
    case .outcome: "Outcomes"
    }
  }

  /// How many trials each group has, the largest first; verdicts and outcomes keep their own order.
  public func pie(of trials: [TrialFacts]) -> PieChart {
    let counts = Dictionary(grouping: trials, by: key).mapValues(\.count)
    let own: [String] =
      switch self {
      case .verdict: ["good", "suspect", "bad"]
      case .outcome: ["completed", "stopped", "failed", "recovered"]
      default: []
      }
    func rank(_ key: String) -> Int { own.firstIndex(of: key) ?? own.count }
    let order = counts.sorted { one, other in
      let (left, right) = (rank(one.key), rank(other.key))
      return left != right ? left < right : one.value != other.value ? one.value > other.value : one.key < other.key
    }
    let most = 9
    var segments = order.prefix(order.count > most ? most - 1 : most).map {
      PieChart.Segment("\($0.key): \($0.value)", Double($0.value))
    }
    let others = order.dropFirst(segments.count)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + $1.value }
      segments.append(PieChart.Segment("\(others.count) others: \(count)", Double(count)))
    }
    return PieChart(
      Heading(title: "\(plural) of \(trials.count) trial\(trials.count == 1 ? "" : "s")", noDataText: "No trials"),
      segments: segments, centreTitle: "\(trials.count)", centreText: trials.count == 1 ? "trial" : "trials")
  }
}

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
      intervals: ordered.map { trial in trial.trial.map { grouping.key(of: $0) } ?? trial.path },
      horizontalTitle: "Trial", vertical: .heartRate)
  }
}
