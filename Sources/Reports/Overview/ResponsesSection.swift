import Analysis
import Basics
import Charts
import Recordings

extension Overview {
  /// The maximum number of distinguishable lines in one chart.
  private static let maxLines = 6

  /// The averaged heart rate around the onset, by each key; `nil` if unknown for all trials.
  var responsesSection: Section? {
    let isCompared = measures.settings.response.baseline != .none
    // A change requires a known heart rate before the onset.
    let changes = responses.filter { $0.settings.baseline != .none && $0.count > 0 }
    let shown = changes.isEmpty ? responses.filter { $0.settings.baseline == .none && $0.count > 0 } : changes
    guard let first = shown.first else { return nil }
    let missing =
      isCompared && changes.isEmpty
      ? " No trial's heart rate is known for the time that it is compared with, so there is no change to report."
      : ""
    var blocks: [Block] = [
      .paragraph(
        StyledText(
          "\(first.settings.sentence), of \(first.count) of \(trials.count.counted("trial")).\(missing)")),
      .paragraph(
        "Each participant's trials in a group are averaged first. Bands are 95 % confidence intervals over participants; bad "
          + "and stopped trials are left out."),
    ]
    for responses in shown {
      var (chart, groups) = responses.chart(most: Self.maxLines)
      guard responses.grouping == measures.groupings[0] || groups > 1 else { continue }
      let name = responses.grouping?.rawValue ?? ""
      chart.heading.title = "Response by \(name)"
      let choice =
        groups > Self.maxLines
        ? "; the \(Self.maxLines) of \(groups) with the most trials. “station chart response” draws all, or those of "
          + "the bundles that it is given."
        : "."
      blocks.append(
        .figures([
          Picture(
            chart: chart, caption: StyledText("Averaged responses by \(name), with the number of trials\(choice)"))
        ]))
    }
    return Section("Responses to the sound", blocks)
  }
}
