/// Values over time or along any other axis, as lines: heart rate while a clip sounds.
package struct LineChart: AxesChart {
  /// One line.
  package struct Plot: Hashable, Sendable {
    /// What it shows; named in the legend where there are several.
    package var name: String
    /// Its points, in any order; a value that is NaN or infinite leaves a gap.
    package var points: [DataPoint]

    /// A line.
    package init(_ name: String, _ points: [DataPoint]) {
      self.name = name
      self.points = points
    }
  }

  /// What stands around the data.
  package var heading: Heading
  /// The lines.
  package var plots: [Plot]
  /// What the points' places are.
  package var horizontal: HorizontalAxis
  /// What the points' values are.
  package var vertical: Axis
  /// What is marked besides them.
  package var annotations: Annotations

  /// A chart of lines.
  package init(
    _ heading: Heading = Heading(), plots: [Plot], horizontal: HorizontalAxis = .elapsedTime, vertical: Axis,
    annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.plots = plots
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// What the chart shows, ready to be laid out.
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
