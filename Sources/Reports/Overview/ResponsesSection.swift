internal import Analysis
internal import Bundles
internal import Charts
internal import Recordings

extension Overview {
  /// The averaged heart rate around the onset, by clip and by mood; `nil` where it is not known of any trial.
  var responsesSection: Section? {
    let usable = trials.filter { $0.facts.grade != .bad && $0.level?.reason == nil && $0.level != nil }
    guard !usable.isEmpty else { return nil }
    // A change can be told of those alone whose heart rate before the onset is known.
    let withBaseline = usable.filter { $0.change?.reason == nil }
    let isChange = !withBaseline.isEmpty
    let shown = isChange ? withBaseline : usable
    var blocks: [Block] = [
      .paragraph(
        isChange
          ? Words(
            "The heart rate of each second around the measured onset, less its mean in the 10 s before; "
              + "\(count(shown.count, "trial")) of \(trials.count). Bands are 95 % confidence intervals over trials.")
          : Words(
            "The heart rate of each second around the measured onset; \(count(shown.count, "trial")) of \(trials.count). "
              + "No trial's heart rate is known for the time before the onset, so that there is no change to tell. Bands "
              + "are 95 % confidence intervals over trials."))
    ]
    for grouping in [Grouping.clip, .mood] {
      let keyed = shown.compactMap { trial in
        grouping.name(of: trial).flatMap { name in
          (isChange ? trial.change : trial.level).map { (key: name, response: $0) }
        }
      }
      let averages = AveragedResponse.averages(of: keyed)
      guard averages.count > (grouping == .clip ? 0 : 1) else { continue }
      // More lines than colours would be a tangle.
      blocks.append(.figures([picture(Array(averages.prefix(6)), of: averages.count, by: grouping, shown, isChange)]))
    }
    return Section("Responses to the sound", blocks)
  }

  private func picture(
    _ averages: [(key: String, average: AveragedResponse)], of number: Int, by grouping: Grouping,
    _ trials: [TrialBrief], _ isChange: Bool
  ) -> Picture {
    let durations = trials.compactMap { $0.facts.stimulus.map { $0.upperBound - $0.lowerBound } }.sorted()
    let plots = averages.map { name, average in
      ResponseChart.Plot(
        "\(name) (\(average.trials))",
        average.bins.map { bin in
          .init(
            time: (bin.bounds.lowerBound + bin.bounds.upperBound) / 2, mean: bin.mean ?? .nan,
            band: bin.interval.map { ValueRange($0.lower, $0.upper) } ?? .unset)
        })
    }
    let duration = durations.isEmpty ? nil : durations[durations.count / 2]
    return Picture(
      chart: ResponseChart(
        Heading(title: "Response by \(grouping.title)"), plots: plots, stimulusDuration: duration,
        references: isChange ? [ReferenceLine(value: 0, label: "baseline")] : [],
        vertical: isChange ? Axis("Change of heart rate (count/min)") : .heartRate),
      caption: Words(
        "Averaged responses by \(grouping.title), with the number of trials"
          + (number > averages.count ? "; the first \(averages.count) of \(number), in the order of their names." : ".")
      ))
  }
}
