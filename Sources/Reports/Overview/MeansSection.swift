internal import Analysis
internal import Bundles
internal import Recordings

extension Overview {
  /// Means by clip, mood and protocol, with their confidence intervals; trials that are bad stay out.
  var meansSection: Section {
    let usable = trials.filter { $0.facts.grade != .bad }
    var blocks: [Block] = [
      .paragraph(
        "A participant's trials of a group are averaged first, so that everybody counts once. In brackets stands the 95 % "
          + "confidence interval of the mean over participants: percentiles of 2000 bootstrap samples, drawn by "
          + "xoshiro256** from seed 1. Where fewer than two participants have a number there is no interval. Trials whose "
          + "verdict is bad are left out.")
    ]
    for grouping in [TrialGrouping.clip, .mood, .condition] {
      let names = Set(usable.map { grouping.key(of: $0.facts) })
      // A table of one protocol says nothing that the one of clips does not.
      guard !names.isEmpty, grouping == .clip || names.count > 1 else { continue }
      blocks.append(.table(means(of: usable, by: grouping)))
    }
    if blocks.count == 1 { blocks = [.paragraph("Every trial is bad, so that there is no mean to tell.")] }
    return Section("Means", blocks)
  }

  private func means(of trials: [TrialBrief], by grouping: TrialGrouping) -> DataTable {
    let title = grouping == .condition ? "protocol" : grouping.rawValue
    func summaries(_ value: (TrialBrief) -> Double?) -> [String: WithinParticipants.Summary] {
      let observations = trials.compactMap { trial in
        value(trial).map {
          WithinParticipants.Observation(
            participant: trial.facts.participant, condition: grouping.key(of: trial.facts), value: $0)
        }
      }
      return WithinParticipants(observations, comparing: .none).conditions
        .reduce(into: [:]) { $0[$1.name] = $1.summary }
    }
    let (rate, change, rmssd) = (summaries(\.stimulus), summaries(\.reactivity), summaries(\.rmssd))
    let rows = Set(trials.map { grouping.key(of: $0.facts) }).sorted().map { name in
      let own = trials.filter { grouping.key(of: $0.facts) == name }
      return DataTable.Row([
        .given(name), Words("\(own.count)"), Words("\(Set(own.map(\.facts.participant)).count)"),
        Self.mean(rate[name], isChange: false), Self.mean(change[name], isChange: true),
        Self.mean(rmssd[name], isChange: false),
      ])
    }
    return DataTable(
      caption: Words("Means by \(title)"),
      columns: [
        .init(title: Words(title)), .init(title: "trials", isNumber: true),
        .init(title: "participants", isNumber: true), .init(title: "heart rate, /min", isNumber: true),
        .init(title: "change from before, /min", isNumber: true), .init(title: "RMSSD, ms", isNumber: true),
      ], groups: [.init(title: nil, rows: rows)])
  }

  private static func mean(_ summary: WithinParticipants.Summary?, isChange: Bool) -> Words {
    guard let mean = summary?.mean else { return .none }
    let text = Words(isChange ? mean.change(1) : mean.decimals(1))
    guard let interval = summary?.interval else { return text }
    return text + .faint(" [\(interval.lower.decimals(1)), \(interval.upper.decimals(1))]")
  }
}
