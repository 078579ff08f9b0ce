import Analysis
import Basics
import Recordings

extension TrialResponses {
  /// The average response of each group, with its confidence interval, from before the onset to after it.
  ///
  /// The number of trials per bin is in the name of each line, or in the subtitle if there is one line; the description
  /// lists it over time.
  package var chart: ResponseChart { chart(of: together.averagedResponses) }

  /// The average responses of a limited number of groups, those with the most trials.
  ///
  /// - Returns: the chart, and the total number of groups.
  package func chart(most: Int) -> (chart: ResponseChart, groups: Int) {
    let (averages, groups) = together.averagedResponses(most: most)
    return (chart(of: averages), groups)
  }

  private func chart(of averages: [TrialsTogether.GroupResponse]) -> ResponseChart {
    let plots = averages.map { one in
      ResponseChart.Plot(
        name(of: one),
        one.average.bins.map { bin in
          ResponseChart.Bin(
            time: (bin.bounds.lowerBound + bin.bounds.upperBound) / 2, mean: bin.mean ?? .nan,
            band: bin.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
        })
    }
    // Of several trials the quantity is the same.
    let settings = averages.first?.average.settings ?? settings
    var chart = ResponseChart(
      Heading(
        title: "\(settings.quantity.title) around the onset",
        subtitle: count == 0 ? "" : subtitle(averages).joined(separator: ", "),
        noDataText: "No trial has a response", isSimulated: together.counts.simulated > 0),
      plots: plots,
      horizontal: HorizontalAxis("Time from onset", scale: .elapsed, range: -settings.before...settings.after),
      vertical: Axis(settings.axisTitle, digits: settings.quantity == .heartRate ? 1 : 3),
      annotations: Annotations(
        stimuli: settings.after > 0 && count > 0 ? sounded.marks : [],
        references: settings.baseline == .none ? [] : [ReferenceLine(value: 0, label: "baseline")]))
    chart.heading.notes = averages.compactMap { one in
      one.average.countsByTime.map { averages.count > 1 ? "\(group(of: one)): \($0)" : $0.capitalized }
    }
    return chart
  }

  private func subtitle(_ averages: [TrialsTogether.GroupResponse]) -> [String] {
    let hasBand = averages.contains { $0.average.bins.contains { $0.interval != nil } }
    let isNarrow = together.intervalCaveat([], averages) != nil
    let suspect = together.counts.suspect
    // Only if it differs from the time before the onset that the chart shows.
    let window = settings.baselineWindow
    let baseline =
      settings.baseline == .none || settings.before > 0 && window == -settings.before...0
      ? [] : ["baseline from \(TimeBins.number(window.lowerBound)) to \(TimeBins.number(window.upperBound)) s"]
    let counts = averages.count == 1 ? averages[0].average.countsOfBins.map { ["\($0) in a bin"] } ?? [] : []
    return ["\(count.counted("trial"))" + (suspect > 0 ? " (\(suspect) suspect)" : "")] + counts
      + ["bins of \(TimeBins.text(settings.binWidth))"] + baseline + (sounded.unmarkedPauses.map { [$0] } ?? [])
      + (hasBand
        ? [
          "band: 95 % confidence interval of the mean over \(together.over.rawValue) (bootstrap"
            + (isNarrow ? "; too narrow of fewer than ten)" : ")")
        ] : [])
  }

  /// The name of a line: its group, its sensor if there are several, and the number of trials.
  private func name(of response: TrialsTogether.GroupResponse) -> String {
    let average = response.average
    let bins = average.countsOfBins.map { ", \($0) in a bin" } ?? ""
    let participants = average.over == .trials ? "" : ", \(average.participants.counted("participant"))"
    return "\(group(of: response)) (\(average.trials.counted("trial"))\(bins)\(participants))"
  }

  private func group(of response: TrialsTogether.GroupResponse) -> String {
    let group = grouping == nil ? "all" : response.group ?? TrialGrouping.noKey
    return group + (together.tellsSensorsApart ? ", \(response.sensor ?? "unnamed")" : "")
  }
}

extension AveragedResponse {
  /// The range of the number of trials per bin: `2 to 3`.
  ///
  /// `nil` if all bins have all trials, or if there is one trial only, whose line has gaps instead.
  fileprivate var countsOfBins: String? {
    guard trials > 1, let least = bins.map(\.count).min(), let most = bins.map(\.count).max(), least < trials else {
      return nil
    }
    return least == most ? "\(most)" : "\(least) to \(most)"
  }

  /// The number of trials over time: `3 trials from −10 s to 12 s, 2 to 20 s.`; `nil` if it is constant.
  fileprivate var countsByTime: String? {
    guard countsOfBins != nil, let first = bins.first else { return nil }
    var parts: [(count: Int, end: Double)] = []
    for bin in bins {
      if parts.last?.count == bin.count {
        parts[parts.count - 1].end = bin.bounds.upperBound
      } else {
        parts.append((bin.count, bin.bounds.upperBound))
      }
    }
    guard parts.count <= 12 else { return "\(countsOfBins ?? "") trials are known of a bin." }
    let start = "\(parts[0].count.counted("trial")) from \(TimeBins.number(first.bounds.lowerBound)) s"
    return "\(start) to \(TimeBins.number(parts[0].end)) s"
      + parts.dropFirst().map { ", \($0.count) to \(TimeBins.number($0.end)) s" }.joined() + "."
  }
}

extension String {
  /// The text with its first letter capitalised.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

extension ResponseSettings {
  /// The axis title for responses after the baseline correction.
  var axisTitle: String {
    switch baseline {
    case .none: "\(quantity.title) (\(quantity.shownUnit))"
    case .difference: "Change of \(quantity.name) (\(quantity.shownUnit))"
    case .percent: "Change of \(quantity.name) (%)"
    }
  }
}
