/// One bar a day from the lowest to the highest value, and a line through the days' averages.
public struct DailyChart: Chart {
  /// The statistics of one day.
  public struct Day: Hashable, Sendable {
    /// Which day, counted from 1970-01-01.
    public var number: Int
    /// The lowest to the highest value; unset for none.
    public var range: ValueRange
    /// The average; NaN for none.
    public var average: Double

    /// A day's statistics.
    public init(number: Int, range: ValueRange, average: Double = .nan) {
      (self.number, self.range, self.average) = (number, range, average)
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The days; those that are missing stay empty.
  public var days: [Day]
  /// What the values are.
  public var vertical: Axis
  /// Values to mark.
  public var references: [ReferenceLine]

  /// A chart of days.
  public init(
    _ heading: Heading = Heading(), days: [Day], vertical: Axis = .heartRate, references: [ReferenceLine] = []
  ) {
    self.heading = heading
    (self.days, self.vertical, self.references) = (days, vertical, references)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    let horizontal = Axis("Day", scale: .day)
    var axes = AxesFigure(x: horizontal, y: vertical)
    let days = days.sorted { $0.number < $1.number }
    axes.layers = [
      .ranges(
        days.map { RangeAt(x: Double($0.number), range: $0.range) }, series: 0, lane: 0, lanes: 1, isConnected: true)
    ]
    if days.contains(where: { $0.average.isPlottable }) {
      // A day without an average is a gap, and so is one that is not in the list.
      axes.layers.append(
        .line(days.map { DataPoint(Double($0.number), $0.average) }, series: 1, gap: 1.5, marks: .outlined))
      axes.legend = [
        LegendEntry(label: "lowest to highest", swatch: .surface(.series(0))),
        LegendEntry(label: "average", swatch: .line(series: 1, showsMark: true)),
      ]
    }
    axes.references = references
    let words = Summary(kind: "Daily statistics", heading: heading, x: horizontal, y: vertical)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text([words.ranges(days.map { $0.range }, name: "", noun: "day")]))
  }
}
