/// The means of conditions, each with its interval.
package struct MeansChart: AxesChart {
  /// The mean of one condition.
  package struct Mean: Hashable, Sendable {
    var name: String
    /// The mean; NaN leaves a gap.
    package var value: Double
    /// The interval around it, such as a confidence interval; unset for none.
    var interval: ValueRange

    /// Creates a mean.
    package init(_ name: String, _ value: Double, interval: ValueRange = .unset) {
      (self.name, self.value, self.interval) = (name, value, interval)
    }
  }

  /// The text around the data.
  package var heading: Heading
  /// The means, from left to right.
  var means: [Mean]
  /// The axis of the conditions.
  package var horizontal: HorizontalAxis
  /// The axis of the values.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  package init(
    _ heading: Heading = Heading(), means: [Mean], horizontal: HorizontalAxis = HorizontalAxis("Condition"),
    vertical: Axis, annotations: Annotations = Annotations()
  ) {
    (self.heading, self.means) = (heading, means)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    axes.categories = means.map(\.name)
    axes.layers = [
      .ranges(
        means.enumerated().map { RangeAt(x: Double($0), range: $1.interval) }, series: 0, lane: 0, lanes: 1, room: 1,
        isConnected: true),
      .marks(means.enumerated().map { DataPoint(Double($0), $1.value) }, series: 1, isTranslucent: false),
    ]
    axes.legend = [LegendEntry(label: "mean", swatch: .mark(series: 1))]
    if means.contains(where: { !$0.interval.isUnset }) {
      axes.legend.append(LegendEntry(label: "interval", swatch: .surface(.series(0))))
    }
    let words = Summary(kind: "Means", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(means.map { words.values([$0.value], name: $0.name) }))
  }
}
