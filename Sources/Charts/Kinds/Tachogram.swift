/// The intervals between heart beats, each at the time of the beat that ends it.
public struct Tachogram: Chart {
  /// One interval between two beats.
  public struct Interval: Hashable, Sendable {
    /// When the beat was that ends it, in seconds since the chart's zero.
    public var time: Double
    /// How long it is, in milliseconds; NaN leaves a gap.
    public var milliseconds: Double
    /// Whether an artefact correction has changed it.
    public var isCorrected: Bool

    /// An interval.
    public init(time: Double, milliseconds: Double, isCorrected: Bool = false) {
      self.time = time
      self.milliseconds = milliseconds
      self.isCorrected = isCorrected
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The intervals.
  public var intervals: [Interval]
  /// What sounded meanwhile.
  public var stimuli: [StimulusMark]
  /// Values to mark, in milliseconds.
  public var references: [ReferenceLine]
  /// The longest time between two beats that is drawn as a line, in seconds.
  public var longestJoin: Double?
  /// The time.
  public var horizontal: Axis
  /// The intervals' lengths.
  public var vertical: Axis

  /// A tachogram; beats more than three seconds apart are not joined.
  public init(
    _ heading: Heading = Heading(), intervals: [Interval], stimuli: [StimulusMark] = [],
    references: [ReferenceLine] = [], longestJoin: Double? = 3, horizontal: Axis = .elapsedTime,
    vertical: Axis = Axis("RR interval (ms)")
  ) {
    self.heading = heading
    (self.intervals, self.stimuli, self.references) = (intervals, stimuli, references)
    self.longestJoin = longestJoin
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    var axes = AxesFigure(x: horizontal, y: vertical)
    let points = intervals.map { DataPoint($0.time, $0.milliseconds) }
    let corrected = intervals.filter { $0.isCorrected }.map { DataPoint($0.time, $0.milliseconds) }
    axes.layers = [.line(points, series: 0, gap: longestJoin, marks: .ifRoom)]
    if !corrected.isEmpty {
      axes.layers.append(.marks(corrected, series: 1, opacity: 1))
      axes.legend = [
        LegendEntry(label: "RR interval", swatch: .line(series: 0, showsMark: false)),
        LegendEntry(label: "corrected", swatch: .mark(series: 1)),
      ]
    }
    axes.spans = stimuli.flatMap { $0.spans }
    axes.instants = stimuli.flatMap { $0.instants }
    axes.references = references
    let words = Summary(kind: "Tachogram", heading: heading, x: horizontal, y: vertical)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(
        [words.values(points.map { $0.y }, name: "")],
        others: (corrected.isEmpty ? [] : ["\(corrected.count) corrected."]) + stimuli.map { words.stimulus($0) }))
  }
}
