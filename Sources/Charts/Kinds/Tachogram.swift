/// The intervals between heart beats, each at the time of the beat that ends it.
package struct Tachogram: AxesChart {
  /// One interval between two beats.
  package struct Interval: Hashable, Sendable {
    /// When the beat was that ends it, in seconds since the chart's zero.
    package var time: Double
    /// How long it is, in milliseconds; NaN leaves a gap.
    package var milliseconds: Double
    /// Whether an artefact correction has changed it.
    package var isCorrected: Bool

    /// An interval.
    package init(time: Double, milliseconds: Double, isCorrected: Bool = false) {
      self.time = time
      self.milliseconds = milliseconds
      self.isCorrected = isCorrected
    }
  }

  /// What stands around the data.
  package var heading: Heading
  /// The intervals.
  package var intervals: [Interval]
  /// The time.
  package var horizontal: HorizontalAxis
  /// The intervals' lengths.
  package var vertical: Axis
  /// What is marked besides them.
  package var annotations: Annotations

  /// A tachogram.
  package init(
    _ heading: Heading = Heading(), intervals: [Interval], horizontal: HorizontalAxis = .elapsedTime,
    vertical: Axis = Axis("RR interval (ms)", digits: 1), annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.intervals = intervals
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// What the chart shows, ready to be laid out.
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
