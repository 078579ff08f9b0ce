import Analysis
import Basics
import Charts
import Recordings

extension Overview {
  /// The heart rate courses of the oldest selected trials; `nil` if all trials are reported.
  func coursesSection(_ local: TimeZone) -> Section? {
    let shown = trials.filter { !$0.charts.isEmpty }
    guard !shown.isEmpty else { return nil }
    let axis = Self.commonAxis(shown.flatMap { $0.charts.map(\.heartRate) })
    var blocks: [Block] = []
    if shown.count > 1 {
      blocks.append(.paragraph("The heart rate of all trials is drawn on one axis, so that heights compare."))
    }
    blocks += shown.map { .section(course(of: $0, local, axis)) }
    // Trials without heart data have no chart.
    let others = trials.filter { $0.charts.isEmpty && $0.hearts.contains(where: \.isKnown) }
    if let first = others.first {
      let place = Whereabouts(bundle: first.path)
      let text =
        "The oldest \(shown.count) are drawn, and \(others.count.counted("trial")) more not. In \(place.folder) this draws the "
        + "next one, and its report has all its charts:"
      blocks += [
        .paragraph(StyledText(text)), .command("station chart heartRate \(place.word)"),
        .command("station report \(place.word)"),
      ]
    }
    return Section("One by one", blocks)
  }

  private func course(of trial: TrialBrief, _ local: TimeZone, _ axis: Axis) -> Section {
    let facts = trial.facts
    let pictures = trial.charts.map { heart in
      var chart = heart.heartRate
      chart.heading.subtitle = ""
      chart.vertical = axis
      let isOneOfSeveral = trial.charts.count > 1
      let whose: StyledText = isOneOfSeveral ? "Sensor " + .given(heart.recording.sensor) + "; verdict " : "Verdict "
      return Picture(chart: chart, caption: whose + Self.verdict(facts) + "; trial " + .code(facts.trial) + ".")
    }
    let clip = facts.clip.map { StyledText($0, .given) } ?? "no clip"
    return Section(
      (facts.start.map { StyledText("\(local.plainText($0)): ") } ?? StyledText()) + clip, [.figures(pictures)])
  }

  /// An axis with a range that fits several charts.
  private static func commonAxis(_ charts: [LineChart]) -> Axis {
    var axis = charts.first?.vertical ?? .heartRate
    let values = charts.flatMap(\.plots).flatMap(\.points).map(\.y).filter(\.isFinite)
    let lines = charts.flatMap(\.annotations.references).map(\.value)
    guard let low = (values + lines).min(), let high = (values + lines).max() else { return axis }
    // Extend the range to round numbers.
    axis.range =
      (low / 10).rounded(.down) * 10...max((high / 10).rounded(.up) * 10, (low / 10).rounded(.down) * 10 + 10)
    return axis
  }
}
