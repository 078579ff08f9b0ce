import Analysis
import Basics
import Bundles
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
    return Section(title, [.figures([CaptionedChart(chart: chart, caption: caption)]), .table(measures)])
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

extension WaveformRecording {
  /// How much of a waveform is drawn from the onset of the stimulus, in seconds.
  private static let drawn = 10.0

  /// The beginning of a waveform, and what is known of all of it.
  var section: Section {
    let title = StyledText("\(type.title), by the recorder “") + .given(recorder) + "”"
    guard let extent else { return Section(title, [.paragraph("Nothing was recorded.")]) }
    // From the onset on, where it lies in the recording; else from its beginning.
    let onset = event.map(\.onset).flatMap { extent.contains($0) ? $0 : nil } ?? extent.lowerBound
    let window = onset...min(onset + Self.drawn, max(onset, extent.upperBound))
    do throws(RecordingError) {
      var chart = try LineChart.waveform(self, window: window)
      chart.heading.subtitle = ""
      let shown = channels.count > chart.plots.count ? ", the first \(chart.plots.count) channels" : ""
      let caption =
        StyledText("\(type.title) in \(unit.symbol), as the sensor “") + .given(sensor)
        + "” reported it: the first \((window.upperBound - window.lowerBound).decimals(1)) s from "
        + (onset == extent.lowerBound ? "the beginning of the recording" : "the onset") + "\(shown)."
      return Section(title, [.figures([CaptionedChart(chart: chart, caption: caption)]), .table(facts)])
    } catch {
      return Section(title, [.paragraph(StyledText("It cannot be read: ") + .given("\(error)")), .table(facts)])
    }
  }

  private var facts: DataTable {
    let summary = recording.summary
    let rows: [(String, StyledText)] = [
      ("sampling rate", StyledText(rate.map { "\($0.brief) Hz" } ?? "unknown")),
      ("channels", StyledText("\(channels.count)")),
      ("frames", StyledText("\(frames)")),
      ("known, %", StyledText((100 * recording.coverage).decimals(1))),
      ("minimum", StyledText(summary.map { "\($0.min.brief) \(unit.symbol)" } ?? "none")),
      ("mean", StyledText(summary.map { "\($0.mean.brief) \(unit.symbol)" } ?? "none")),
      ("maximum", StyledText(summary.map { "\($0.max.brief) \(unit.symbol)" } ?? "none")),
      ("file", .given(recording.file)),
    ]
    return DataTable(
      caption: "The whole recording", columns: [.init(title: "fact"), .init(title: "value")],
      groups: [.init(title: nil, rows: rows.map { DataTable.Row([StyledText($0.0), $0.1]) })])
  }
}
