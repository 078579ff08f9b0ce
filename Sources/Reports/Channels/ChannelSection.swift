import Analysis
import Basics
import Charts
import Quantities
import Recordings

extension ChannelRecording {
  /// The chart and the measures of a recording of another quantity than the heart's.
  var section: Section {
    let title = StyledText("\(series.type.title), by the recorder “") + .given(series.recorder) + "”"
    guard !series.times.isEmpty else {
      return Section(title, [.paragraph("Nothing was recorded that could be drawn or measured.")])
    }
    var chart = LineChart.channel(self)
    chart.heading.subtitle = ""
    let caption =
      StyledText("\(series.type.title) in \(series.unit.symbol), as the sensor “") + .given(series.sensor)
      + "” reported it."
    return Section(title, [.figures([Picture(chart: chart, caption: caption)]), .table(measures)])
  }

  private var measures: DataTable {
    let windows: [AnalysisWindow] =
      event?.window == nil ? [.whole] : [.whole, .preStimulus, .stimulus, .postStimulus]
    let rows = windows.map { window in
      let measured = ChannelMeasures(of: self, in: window)
      let numbers = measured.numbers
      let cells = [
        numbers?.mean, numbers?.deviation, numbers?.minimum, numbers?.median, numbers?.maximum, numbers?.slope,
      ].map { $0.map { StyledText($0.brief) } ?? .none }
      return DataTable.Row(
        [StyledText(measured.placed.title)] + cells
          + [StyledText("\(measured.count)"), StyledText((100 * measured.coverage).decimals(0))])
    }
    let unit = series.unit.symbol
    return DataTable(
      caption: StyledText("The samples of each part of the trial, in \(unit); the slope is that of a straight line"),
      columns: [.init(title: "window")]
        + ["mean", "SD", "minimum", "median", "maximum", "slope per min", "samples", "known, %"].map {
          .init(title: StyledText($0), isNumber: true)
        },
      groups: [.init(title: nil, rows: rows)])
  }
}
