/// Values over time or along another axis, as lines: for example heart rate during a clip.
package struct LineChart: AxesChart {
  /// A line.
  package struct Plot: Hashable, Sendable {
    /// The name, shown in the legend if there are several lines.
    var name: String
    /// The points, in any order; a NaN or infinite value leaves a gap.
    package var points: [DataPoint]

    init(_ name: String, _ points: [DataPoint]) {
      self.name = name
      self.points = points
    }
  }

  /// The text around the data.
  package var heading: Heading
  package var plots: [Plot]
  /// The axis of the points' positions.
  package var horizontal: HorizontalAxis
  /// The axis of the points' values.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), plots: [Plot], horizontal: HorizontalAxis = .elapsedTime, vertical: Axis,
    annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.plots = plots
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    let marks: LineMarks = plots.count > 1 ? .always : .ifRoom
    axes.layers = plots.enumerated().map { .line($1.points, series: $0, marks: marks) }
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { LegendEntry(label: $1.name, swatch: .line(series: $0, marks: marks)) }
    }
    let words = Summary(kind: "Line chart", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(plots.map { words.values($0.points.map { $0.isPlottable ? $0.y : .nan }, name: $0.name) })
    )
  }
}
