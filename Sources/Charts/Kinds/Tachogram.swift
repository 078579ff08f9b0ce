/// The intervals between heartbeats, each at the time of the beat that ends it.
package struct Tachogram: AxesChart {
  /// One interval between two beats.
  struct Interval: Hashable, Sendable {
    /// The time of the beat that ends it, in seconds since the chart's zero.
    var time: Double
    /// Its length in milliseconds; NaN leaves a gap.
    var milliseconds: Double
    /// Whether artefact correction has changed it.
    var isCorrected: Bool

    init(time: Double, milliseconds: Double, isCorrected: Bool = false) {
      self.time = time
      self.milliseconds = milliseconds
      self.isCorrected = isCorrected
    }
  }

  /// The text around the data.
  package var heading: Heading
  var intervals: [Interval]
  /// The time axis.
  package var horizontal: HorizontalAxis
  /// The axis of the interval lengths.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), intervals: [Interval], horizontal: HorizontalAxis = .elapsedTime,
    vertical: Axis = Axis("RR interval (ms)", digits: 1), annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.intervals = intervals
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    let points = intervals.map { DataPoint($0.time, $0.milliseconds) }
    let corrected = intervals.filter { $0.isCorrected }.map { DataPoint($0.time, $0.milliseconds) }
    axes.layers = [.line(points, series: 0, marks: .ifRoom)]
    if !corrected.isEmpty {
      axes.layers.append(.marks(corrected, series: 1, isTranslucent: false))
      axes.legend = [
        LegendEntry(label: "RR interval", swatch: .line(series: 0, marks: .none)),
        LegendEntry(label: "corrected", swatch: .mark(series: 1)),
      ]
    }
    let words = Summary(kind: "Tachogram", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(
        [words.values(points.map { $0.y }, name: "")],
        others: corrected.isEmpty ? [] : ["\(corrected.count) corrected."]))
  }
}
