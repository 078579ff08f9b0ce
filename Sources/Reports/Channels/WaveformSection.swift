import Analysis
import Basics
import Bundles
import Charts
import Quantities
import Recordings

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
      return Section(title, [.figures([Picture(chart: chart, caption: caption)]), .table(facts)])
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
