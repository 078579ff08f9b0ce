/// Values over time or along any other axis, as lines: heart rate while a clip sounds.
public struct LineChart: Chart {
  /// One line.
  public struct Plot: Hashable, Sendable {
    /// What it shows; named in the legend where there are several.
    public var name: String
    /// Its points, in any order; a value that is NaN or infinite leaves a gap.
    public var points: [DataPoint]

    /// A line.
    public init(_ name: String, _ points: [DataPoint]) {
      self.name = name
      self.points = points
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The lines.
  public var plots: [Plot]
  /// What the points' places are.
  public var horizontal: Axis
  /// What the points' values are.
  public var vertical: Axis
  /// What sounded meanwhile: shaded, with onset and offset marked.
  public var stimuli: [StimulusMark]
  /// Other stretches to shade.
  public var spans: [ShadedSpan]
  /// Other places to mark.
  public var instants: [MarkedInstant]
  /// Values to mark.
  public var references: [ReferenceLine]
  /// The longest distance between two points that is drawn as a line.
  ///
  /// Longer ones stay open; `nil` joins all.
  public var longestJoin: Double?

  /// A chart of lines.
  public init(
    _ heading: Heading = Heading(), plots: [Plot], horizontal: Axis = .elapsedTime, vertical: Axis,
    stimuli: [StimulusMark] = [], spans: [ShadedSpan] = [], instants: [MarkedInstant] = [],
    references: [ReferenceLine] = [], longestJoin: Double? = nil
  ) {
    self.heading = heading
    self.plots = plots
    (self.horizontal, self.vertical) = (horizontal, vertical)
    (self.stimuli, self.spans, self.instants, self.references) = (stimuli, spans, instants, references)
    self.longestJoin = longestJoin
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    var axes = AxesFigure(x: horizontal, y: vertical)
    axes.layers = plots.enumerated().map {
      .line($1.points, series: $0, gap: longestJoin, marks: plots.count > 1 ? .always : .ifRoom)
    }
    axes.spans = stimuli.flatMap { $0.spans } + spans
    axes.instants = stimuli.flatMap { $0.instants } + instants
    axes.references = references
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { LegendEntry(label: $1.name, swatch: .line(series: $0, showsMark: true)) }
    }
    let words = Summary(kind: "Line chart", heading: heading, x: horizontal, y: vertical)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(
        plots.map { words.values($0.points.map { $0.isPlottable ? $0.y : .nan }, name: $0.name) },
        others: stimuli.map { words.stimulus($0) }))
  }
}
