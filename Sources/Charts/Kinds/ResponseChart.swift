/// The average response to a stimulus: a line of means with a band, from before the onset to after the offset.
package struct ResponseChart: AxesChart {
  /// The average over trials in one time bin.
  struct Bin: Hashable, Sendable {
    /// The centre of the bin, in seconds from the onset.
    var time: Double
    /// The mean over the trials; NaN leaves a gap.
    var mean: Double
    /// The band around the mean, such as a confidence interval; unset for none.
    var band: ValueRange

    init(time: Double, mean: Double, band: ValueRange = .unset) {
      (self.time, self.mean, self.band) = (time, mean, band)
    }
  }

  /// The average response to a clip, a mood or a condition.
  struct Plot: Hashable, Sendable {
    /// The clip, mood or condition.
    var name: String
    /// The bins in order of time.
    var bins: [Bin]

    init(_ name: String, _ bins: [Bin]) {
      self.name = name
      self.bins = bins
    }
  }

  /// The text around the data.
  package var heading: Heading
  var plots: [Plot]
  /// The axis of the time from onset.
  package var horizontal: HorizontalAxis
  package var vertical: Axis
  /// The annotations drawn with the data: the stimulus, which starts at zero, and the baseline.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), plots: [Plot],
    horizontal: HorizontalAxis = HorizontalAxis("Time from onset", scale: .elapsed),
    vertical: Axis = Axis("Change of heart rate (count/min)", digits: 1),
    annotations: Annotations = Annotations(references: [ReferenceLine(value: 0, label: "baseline")])
  ) {
    self.heading = heading
    self.plots = plots
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    let marks: LineMarks = plots.count > 1 ? .always : .ifRoom
    axes.layers = plots.enumerated().map { index, plot in
      .band(plot.bins.map { RangeAt(x: $0.time, range: $0.band) }, series: index)
    }
    axes.layers += plots.enumerated().map { index, plot in
      .line(plot.bins.map { DataPoint($0.time, $0.mean) }, series: index, marks: marks)
    }
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { LegendEntry(label: $1.name, swatch: .line(series: $0, marks: marks)) }
    }
    let words = Summary(kind: "Average response", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(plots.map { words.values($0.bins.map { $0.mean }, name: $0.name) }))
  }
}
