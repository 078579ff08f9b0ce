/// The lowest to the highest value of each interval, as ResearchKit's discrete graph chart.
public struct RangeChart: Chart {
  /// The ranges of one measure or group.
  public struct Plot: Hashable, Sendable {
    /// What it shows; named in the legend where there are several.
    public var name: String
    /// One range for each interval, in their order; an unset one leaves a gap.
    public var ranges: [ValueRange]

    /// Ranges of one measure or group.
    public init(_ name: String, _ ranges: [ValueRange]) {
      self.name = name
      self.ranges = ranges
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The ranges; those of several plots stand beside each other.
  public var plots: [Plot]
  /// The names of the intervals.
  public var intervals: [String]
  /// Whether the lowest and the highest value of an interval are joined by a bar, or stand as two marks.
  public var drawsConnectedRanges: Bool
  /// What the intervals are.
  public var horizontalTitle: String
  /// What the ranges' values are.
  public var vertical: Axis
  /// What sounded meanwhile, where 0, 1, 2 … are the intervals' middles: shaded, with onset and offset marked.
  public var stimuli: [StimulusMark]
  /// Values to mark.
  public var references: [ReferenceLine]

  /// A chart of ranges.
  public init(
    _ heading: Heading = Heading(), plots: [Plot], intervals: [String], horizontalTitle: String = "", vertical: Axis,
    drawsConnectedRanges: Bool = true, stimuli: [StimulusMark] = [], references: [ReferenceLine] = []
  ) {
    self.heading = heading
    (self.plots, self.intervals) = (plots, intervals)
    (self.horizontalTitle, self.vertical) = (horizontalTitle, vertical)
    (self.drawsConnectedRanges, self.stimuli, self.references) = (drawsConnectedRanges, stimuli, references)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    let horizontal = Axis(horizontalTitle)
    var axes = AxesFigure(x: horizontal, y: vertical)
    let count = max(intervals.count, plots.map { $0.ranges.count }.max() ?? 0)
    axes.categories = (0..<count).map { $0 < intervals.count ? intervals[$0] : String($0 + 1) }
    axes.layers = plots.enumerated().map { index, plot in
      .ranges(
        plot.ranges.enumerated().map { RangeAt(x: Double($0), range: $1) }, series: index, lane: index,
        lanes: plots.count, isConnected: drawsConnectedRanges)
    }
    axes.spans = stimuli.flatMap { $0.spans }
    axes.instants = stimuli.flatMap { $0.instants }
    axes.references = references
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { index, plot in
        LegendEntry(
          label: plot.name, swatch: drawsConnectedRanges ? .surface(.series(index)) : .mark(series: index))
      }
    }
    let words = Summary(kind: "Range chart", heading: heading, x: horizontal, y: vertical)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(plots.map { words.ranges($0.ranges, name: $0.name, noun: "range") }))
  }
}
