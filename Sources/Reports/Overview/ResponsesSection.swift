internal import Analysis
internal import Charts
internal import HeartCharts
internal import Recordings

extension Overview {
  /// The averaged heart rate around the onset, by clip and by mood; `nil` where it is not known of any trial.
  var responsesSection: Section? {
    // A change can be told of those alone whose heart rate before the onset is known.
    let changes = responses.filter { $0.settings.baseline == .difference && $0.count > 0 }
    let shown = changes.isEmpty ? responses.filter { $0.settings.baseline == .none && $0.count > 0 } : changes
    guard let first = shown.first else { return nil }
    let number = "\(first.count) of \(count(trials.count, "trial"))"
    var blocks: [Block] = [
      .paragraph(
        changes.isEmpty
          ? Words(
            "The heart rate of each second around the measured onset, of \(number). No trial's heart rate is known for "
              + "the time before the onset, so that there is no change to tell.")
          : Words(
            "The heart rate of each second around the measured onset, less its mean in the 10 s before, of \(number).")),
      .paragraph(
        "Everybody's trials of a group are averaged first. Bands are 95 % confidence intervals over participants; bad "
          + "trials are left out."),
    ]
    for responses in shown {
      var chart = responses.chart
      let (groups, most) = (chart.plots.count, 6)
      guard responses.grouping == .clip || groups > 1 else { continue }
      // More lines than colours would be a tangle.
      chart.plots.removeLast(max(0, groups - most))
      let name = responses.grouping?.rawValue ?? ""
      chart.heading.title = "Response by \(name)"
      blocks.append(
        .figures([
          Picture(
            chart: chart,
            caption: Words(
              "Averaged responses by \(name), with the number of trials"
                + (groups > most ? "; the first \(most) of \(groups), in the order of their names." : ".")))
        ]))
    }
    return Section("Responses to the sound", blocks)
  }
}
