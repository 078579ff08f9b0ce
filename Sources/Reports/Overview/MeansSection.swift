import Analysis
import Basics
import Charts
import Recordings

extension Overview {
  /// The maximum number of groups that are compared with each other.
  private static let maxCompared = 8

  /// Means by condition, clip and mood, with confidence intervals, and a chart of those by the first key; bad trials are
  /// omitted.
  var meansSection: Section {
    guard let first = means.first?.values, first.counts.leftOutCount < first.counts.trials else {
      return Section("Means", [.paragraph("Every trial is bad or was stopped, so there is no mean to report.")])
    }
    let stopped = first.counts.stopped
    let stops =
      stopped == 0
      ? "" : ", and so \(stopped == 1 ? "is one" : "are \(stopped)") that \(stopped == 1 ? "was" : "were") stopped"
    let bootstrap = first.bootstrap
    let suspect = first.counts.suspect
    let suspects = suspect == 0 ? "" : suspect == 1 ? "; a suspect one is in" : "; \(suspect) suspect ones are in"
    let changes = measures.baseline.map { "; changes are from \(measures.sentence($0))" } ?? ""
    let text =
      "Of \(measures.sentence(measures.window))\(changes). A participant's trials of a group are averaged first, so "
      + "that every participant counts once; differences are within those who have both. SD and the 95 % confidence interval are over "
      + "\(means.first?.values.spread == .trials ? "the trials of the one participant" : "participants"): percentiles of \(bootstrap.resamples) bootstrap samples, drawn by xoshiro256** from seed "
      + "\(bootstrap.seed). Trials whose verdict is bad are left out\(stops)\(suspects). No significance is claimed."
    var blocks: [Block] = [.paragraph(StyledText(text))]
    // A grouping with a single group would only repeat the first table.
    for (index, one) in means.enumerated() where index == 0 || one.values.groups.count > 1 {
      if index == 0 { blocks += meansCharts(one) }
      blocks += tables(one)
    }
    let analysis = measures.settings.analysis
    blocks.append(
      .section(
        Section(
          "How they were computed",
          [
            .facts([
              Fact("preset", StyledText(analysis.preset.name)), Fact("artefacts", StyledText("\(analysis.correction)")),
              Fact("window", StyledText("\(measures.window)")),
              Fact(
                "baseline",
                StyledText(measures.baseline.map { "\($0), \(measures.settings.change.rawValue)" } ?? "none")),
            ])
          ])))
    return Section("Means", blocks)
  }

  private func tables(_ means: GroupMeans) -> [Block] {
    let title = means.grouping.rawValue
    let all = summaries(of: means)
    let numbers = ["participants", "trials", "mean", "SD", "95 % CI"]
    let columns =
      [DataTable.Column(title: StyledText(title))] + numbers.map { .init(title: StyledText($0), isNumber: true) }
    let sensors = Set(all.map(\.summary.sensor)).sorted { ($0 ?? "") < ($1 ?? "") }
    let tables = sensors.map { sensor -> Block in
      var caption = StyledText("Means by \(title)")
      if means.values.tellsSensorsApart { caption += ", sensor " + .given(sensor) }
      let groups = all.filter { $0.summary.sensor == sensor }.map { one in
        let quantity = one.summary.quantity
        return DataTable.Group(
          title: StyledText("\(quantity.title), \(quantity.unit)") + .faint(": \(quantity.definition)"),
          rows: Self.rows(one.summary, isChange: one.isChange))
      }
      return .table(DataTable(caption: caption, columns: columns, groups: groups))
    }
    return tables + notes(means, all.map(\.summary))
  }

  /// The reported statistics of a group of trials: heart rate, its change, and variability.
  func summaries(of means: GroupMeans) -> [(summary: TrialsTogether.Summary, isChange: Bool)] {
    let levels = means.values.summaries(most: Self.maxCompared)
    let changes = means.changes?.summaries(most: Self.maxCompared) ?? []
    return levels.filter { $0.measure == .timeWeightedHeartRate }.map { ($0, false) }
      + changes.map { ($0, true) } + levels.filter { $0.measure != .timeWeightedHeartRate }.map { ($0, false) }
  }

  private static func rows(_ summary: TrialsTogether.Summary, isChange: Bool) -> [DataTable.Row] {
    let digits = summary.measure.digits(
      of: (summary.groups.map(\.summary) + summary.differences.map(\.summary)).compactMap { $0.mean?.magnitude }.max(),
      unit: summary.quantity.unit)
    func row(_ name: StyledText, _ one: WithinParticipants.Summary, isChange: Bool) -> DataTable.Row {
      func number(_ value: Double) -> String { isChange ? value.change(digits) : value.decimals(digits) }
      return DataTable.Row([
        name, StyledText("\(one.participants)"), StyledText("\(one.trials)"),
        one.mean.map { StyledText(number($0)) } ?? .none,
        one.standardDeviation.map { StyledText($0.decimals(digits)) } ?? .none,
        one.interval.map { StyledText("\(number($0.lower)) to \(number($0.upper))") } ?? .none,
      ])
    }
    let groups = summary.groups.map { row(.given($0.name), $0.summary, isChange: isChange) }
    return groups
      + summary.differences.map { one in
        row(.given(one.to) + StyledText(" less ") + .given(one.from), one.summary, isChange: true)
      }
  }

  /// The caveats of the means.
  private func notes(_ means: GroupMeans, _ summaries: [TrialsTogether.Summary]) -> [Block] {
    var notes = [means.values.intervalCaveat(summaries)].compactMap { $0.map { StyledText("\($0)") } }
    notes += means.values.spreadNotes(summaries).map { StyledText($0) }
    if summaries.contains(where: \.leavesOutDifferences) {
      notes.append(StyledText("Differences between more than \(Self.maxCompared) groups are left out."))
    }
    func told(_ together: TrialsTogether, _ about: String) {
      for one in together.leftOut {
        let measures = one.measures.map(\.title).joined(separator: ", ")
        let text = StyledText(": \(one.trials.counted("trial")) without \(about)\(measures): \(one.reason)")
        notes.append(StyledText.given(one.group) + text)
      }
    }
    told(means.values, "")
    if let changes = means.changes { told(changes, "the change of ") }
    // The caveats of single trials do not depend on the grouping: list them once.
    if means.grouping == measures.groupings[0] {
      for one in means.values.caveats + (means.changes?.caveats ?? []) {
        let measures = one.measures.map(\.title).joined(separator: ", ")
        notes.append(StyledText("\(measures), \(one.trials.counted("trial")): \(one.sentence)"))
      }
    }
    var known: Set<StyledText> = []
    notes = notes.filter { known.insert($0).inserted }
    return notes.isEmpty ? [] : [.list(notes)]
  }
}

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

extension Overview {
  /// A chart of the means of each measure with their intervals; none for a single group, or without a mean.
  func meansCharts(_ means: GroupMeans) -> [Block] {
    let pictures = summaries(of: means).compactMap { one in picture(one.summary, by: means.grouping) }
    return pictures.isEmpty ? [] : [.figures(pictures)]
  }

  private func picture(_ summary: TrialsTogether.Summary, by grouping: TrialGrouping) -> CaptionedChart? {
    let known = summary.groups.filter { $0.summary.mean != nil }
    guard known.count > 1 else { return nil }
    let within = summary.within
    let means =
      within.map { within in
        within.means.map {
          MeansChart.Mean(
            $0.name ?? TrialGrouping.noKey, $0.mean, interval: ValueRange($0.bounds.lowerBound, $0.bounds.upperBound))
        }
      }
      ?? known.map { group in
        MeansChart.Mean(
          group.name ?? TrialGrouping.noKey, group.summary.mean ?? .nan,
          interval: group.summary.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
      }
    let quantity = summary.quantity
    let title = "\(quantity.title) by \(grouping.rawValue)"
    let chart = MeansChart(
      Heading(title: title.capitalizedFirst, noDataText: "No mean is known", isSimulated: mark != nil), means: means,
      horizontal: HorizontalAxis(grouping.rawValue.capitalizedFirst),
      vertical: Axis(
        quantity.unit.isEmpty ? quantity.title : "\(quantity.title) (\(quantity.unit.printedUnit))",
        digits: summary.measure.digits(of: means.map(\.value.magnitude).max(), unit: quantity.unit)))
    let sensor = summary.sensor.map { StyledText(", sensor ") + .given($0) } ?? StyledText()
    return CaptionedChart(
      chart: chart, caption: StyledText("\(title.capitalizedFirst)") + sensor + StyledText(". \(Self.about(summary))"))
  }

  private static func about(_ summary: TrialsTogether.Summary) -> String {
    guard let within = summary.within else {
      return
        "Bars are the 95 % confidence intervals of the table: no two participants have all groups, or all trials are of "
        + "one participant."
    }
    let leftOut =
      within.leftOut == 0 ? "" : "; \(within.leftOut.counted("participant")) without one of the groups left out"
    return
      "Bars are \((within.level * 100).fixed(0)) % confidence intervals within participants (Cousineau, 2005; Morey, 2008), of the "
      + "\(within.participants.counted("participant")) with all groups\(leftOut)."
  }
}
