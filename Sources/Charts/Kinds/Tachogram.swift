/// The intervals between heart beats, each at the time of the beat that ends it.
public struct Tachogram: AxesChart {
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
  /// The time.
  public var horizontal: HorizontalAxis
  /// The intervals' lengths.
  public var vertical: Axis
  /// What is marked besides them.
  public var annotations: Annotations

  /// A tachogram.
  public init(
    _ heading: Heading = Heading(), intervals: [Interval], horizontal: HorizontalAxis = .elapsedTime,
    vertical: Axis = Axis("RR interval (ms)", digits: 1), annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    self.intervals = intervals
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
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
