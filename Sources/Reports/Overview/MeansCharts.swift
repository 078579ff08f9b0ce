import Analysis
import Basics
import Charts
import Recordings

extension Overview {
  /// A chart of the means of each measure with their intervals; none for a single group, or without a mean.
  func meansCharts(_ means: GroupMeans) -> [Block] {
    let pictures = summaries(of: means).compactMap { one in picture(one.summary, by: means.grouping) }
    return pictures.isEmpty ? [] : [.figures(pictures)]
  }

  private func picture(_ summary: TrialsTogether.Summary, by grouping: TrialGrouping) -> Picture? {
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
    return Picture(
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
