package import Analysis
import Basics
import Bundles
import Recordings

extension TrialGrouping {
  /// The plural of the grouping's name.
  private var plural: String {
    switch self {
    case .clip: "Clips"
    case .mood: "Moods"
    case .condition: "Conditions"
    case .group: "Groups"
    case .participant: "Participants"
    case .session: "Sessions"
    case .verdict: "Verdicts"
    case .outcome: "Outcomes"
    }
  }

  /// The number of trials in each group, largest first; verdicts and outcomes keep their own order.
  package func pie(of trials: [TrialFacts]) -> PieChart {
    let counts = Dictionary(grouping: trials, by: { key(of: $0) ?? Self.noKey }).mapValues(\.count)
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
    // At most as many segments as there are colours.
    let most = PieChart.maxColours
    var segments = order.prefix(order.count > most ? most - 1 : most).map {
      PieChart.Segment($0.key, Double($0.value), note: "\($0.value)")
    }
    let others = order.dropFirst(segments.count)
    if !others.isEmpty {
      let count = others.reduce(0) { $0 + $1.value }
      segments.append(PieChart.Segment("\(others.count) others", Double(count), note: "\(count)"))
    }
    return PieChart(
      Heading(
        title: "\(plural) of \(trials.count.counted("trial"))", noDataText: "No trials",
        isSimulated: trials.contains { $0.simulation.isSimulated }),
      segments: segments, centreTitle: "\(trials.count)", centreText: trials.count == 1 ? "trial" : "trials")
  }
}
