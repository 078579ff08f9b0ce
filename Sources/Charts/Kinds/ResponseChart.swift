/// What follows a stimulus on the average: a line of means with a band around it, from before the onset to after the end.
public struct ResponseChart: Chart {
  /// The average over trials in one bin of time.
  public struct Bin: Hashable, Sendable {
    /// The bin's middle, in seconds from the onset.
    public var time: Double
    /// The mean over the trials; NaN leaves a gap.
    public var mean: Double
    /// The band around the mean: a confidence interval, say; unset for none.
    public var band: ValueRange

    /// A bin.
    public init(time: Double, mean: Double, band: ValueRange = .unset) {
      (self.time, self.mean, self.band) = (time, mean, band)
    }
  }

  /// The average response to one clip, mood or condition.
  public struct Plot: Hashable, Sendable {
    /// To what.
    public var name: String
    /// The bins in the order of time.
    public var bins: [Bin]

    /// An average response.
    public init(_ name: String, _ bins: [Bin]) {
      self.name = name
      self.bins = bins
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The responses.
  public var plots: [Plot]
  /// How long the stimulus sounds, in seconds from the onset; `nil` shades nothing.
  public var stimulusDuration: Double?
  /// What is written over the stimulus.
  public var stimulusLabel: String
  /// Values to mark: the baseline.
  public var references: [ReferenceLine]
  /// The time from the onset.
  public var horizontal: Axis
  /// The response.
  public var vertical: Axis

  /// A chart of average responses.
  public init(
    _ heading: Heading = Heading(), plots: [Plot], stimulusDuration: Double?, stimulusLabel: String = "stimulus",
    references: [ReferenceLine] = [ReferenceLine(value: 0, label: "baseline")],
    horizontal: Axis = Axis("Time from onset", scale: .elapsed),
    vertical: Axis = Axis("Change of heart rate (count/min)")
  ) {
    self.heading = heading
    self.plots = plots
    (self.stimulusDuration, self.stimulusLabel, self.references) = (stimulusDuration, stimulusLabel, references)
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    var axes = AxesFigure(x: horizontal, y: vertical)
    axes.layers = plots.enumerated().map { index, plot in
      .band(plot.bins.map { BandPoint(x: $0.time, range: $0.band) }, series: index)
    }
    axes.layers += plots.enumerated().map { index, plot in
      .line(
        plot.bins.map { DataPoint($0.time, $0.mean) }, series: index, gap: nil,
        marks: plots.count > 1 ? .always : .ifRoom)
    }
    let mark = stimulusDuration.map { StimulusMark(onset: 0, offset: $0, label: stimulusLabel) }
    axes.spans = mark?.spans ?? []
    axes.instants = mark?.instants ?? []
    axes.references = references
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { LegendEntry(label: $1.name, swatch: .line(series: $0, showsMark: true)) }
    }
    let words = Summary(kind: "Average response", heading: heading, x: horizontal, y: vertical)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(
        plots.map { words.values($0.bins.map { $0.mean }, name: $0.name) },
        others: mark.map { [words.stimulus($0)] } ?? []))
  }
}
