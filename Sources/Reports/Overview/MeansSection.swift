internal import Analysis
internal import Recordings

extension Overview {
  /// So many groups are compared with one another at most.
  private static let mostCompared = 8

  /// Means by clip, mood and protocol, with their confidence intervals; trials that are bad stay out.
  var meansSection: Section {
    guard let first = means.first?.values, first.counts.bad < first.counts.trials else {
      return Section("Means", [.paragraph("Every trial is bad, so that there is no mean to tell.")])
    }
    let bootstrap = first.bootstrap
    let suspect = first.counts.suspect
    let suspects = suspect == 0 ? "" : suspect == 1 ? "; a suspect one is in" : "; \(suspect) suspect ones are in"
    let text =
      "Of the time while the clip sounded, with artefacts corrected; changes are from the time before the onset. A "
      + "participant's trials of a group are averaged first, so that everybody counts once; differences are within those "
      + "who have both. SD and the 95 % confidence interval are over participants: percentiles of "
      + "\(bootstrap.resamples) bootstrap samples, drawn by xoshiro256** from seed \(bootstrap.seed). Trials whose verdict "
      + "is bad are left out\(suspects). No significance is claimed."
    var blocks: [Block] = [.paragraph(Words(text))]
    // A table of one protocol says nothing that the one of clips does not.
    for one in means where one.grouping == .clip || one.values.groups.count > 1 {
      blocks += tables(one)
    }
    return Section("Means", blocks)
  }

  private func tables(_ means: GroupMeans) -> [Block] {
    let title = means.grouping == .condition ? "protocol" : means.grouping.rawValue
    let (values, changes) = (means.values, means.changes)
    let levels = values.summaries(most: Self.mostCompared)
    let rates = levels.filter { $0.measure == .timeWeightedHeartRate }.map { (summary: $0, isChange: false) }
    let rmssd = levels.filter { $0.measure == .rmssd }.map { (summary: $0, isChange: false) }
    let differences = changes.summaries(most: Self.mostCompared).map { (summary: $0, isChange: true) }
    let all = rates + differences + rmssd
    let numbers = ["participants", "trials", "mean", "SD", "95 % CI"]
    let columns = [DataTable.Column(title: Words(title))] + numbers.map { .init(title: Words($0), isNumber: true) }
    let sensors = Set(all.map(\.summary.sensor)).sorted { ($0 ?? "") < ($1 ?? "") }
    let tables = sensors.map { sensor -> Block in
      var caption = Words("Means by \(title)")
      if values.tellsSensorsApart { caption += ", sensor " + .given(sensor) }
      let groups = all.filter { $0.summary.sensor == sensor }.map { one in
        DataTable.Group(
          title: Words("\(one.summary.quantity.title), \(one.summary.quantity.unit)"),
          rows: Self.rows(one.summary, isChange: one.isChange))
      }
      return .table(DataTable(caption: caption, columns: columns, groups: groups))
    }
    return tables + notes(means, all.map(\.summary))
  }

  private static func rows(_ summary: TrialsTogether.Summary, isChange: Bool) -> [DataTable.Row] {
    func row(_ name: Words, _ one: WithinParticipants.Summary, isChange: Bool) -> DataTable.Row {
      func number(_ value: Double) -> String { isChange ? value.change(1) : value.decimals(1) }
      return DataTable.Row([
        name, Words("\(one.participants)"), Words("\(one.trials)"), one.mean.map { Words(number($0)) } ?? .none,
        one.standardDeviation.map { Words($0.decimals(1)) } ?? .none,
        one.interval.map { Words("\(number($0.lower)) to \(number($0.upper))") } ?? .none,
      ])
    }
    let groups = summary.groups.map { row(.given($0.name), $0.summary, isChange: isChange) }
    return groups
      + summary.differences.map { one in
        row(.given(one.to) + Words(" less ") + .given(one.from), one.summary, isChange: true)
      }
  }

  /// What is known of means that a reader should know too.
  private func notes(_ means: GroupMeans, _ summaries: [TrialsTogether.Summary]) -> [Block] {
    var notes = means.values.intervalNotes(summaries).map { Words($0) }
    if summaries.contains(where: \.leavesOutDifferences) {
      notes.append(Words("Differences between more than \(Self.mostCompared) groups are left out."))
    }
    func told(_ together: TrialsTogether, _ about: String) {
      for one in together.leftOut {
        let measures = one.measures.map(\.title).joined(separator: ", ")
        let text = Words(": \(count(one.trials, "trial")) without \(about)\(measures): \(one.reason)")
        notes.append(Words.given(one.group) + text)
      }
    }
    told(means.values, "")
    told(means.changes, "the change of ")
    // What is to be known of single trials is the same however they are grouped.
    if means.grouping == .clip {
      for one in means.values.warnings + means.changes.warnings {
        let measures = one.measures.map(\.title).joined(separator: ", ")
        notes.append(Words("\(measures), \(count(one.trials, "trial")): \(one.sentence)"))
      }
    }
    var known: Set<Words> = []
    notes = notes.filter { known.insert($0).inserted }
    return notes.isEmpty ? [] : [.list(notes)]
  }
}
