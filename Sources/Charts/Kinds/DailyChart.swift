/// One bar a day from the lowest to the highest value, and a line through the days' averages.
package struct DailyChart: AxesChart {
  /// The statistics of one day.
  package struct Day: Hashable, Sendable {
    /// Which day, counted from 1970-01-01.
    package var number: Int
    /// The lowest to the highest value; unset for none.
    package var range: ValueRange
    /// The average; NaN for none.
    package var average: Double

    /// A day's statistics.
    package init(number: Int, range: ValueRange, average: Double = .nan) {
      (self.number, self.range, self.average) = (number, range, average)
    }
  }

  /// What stands around the data.
  package var heading: Heading
  /// The days; those that are missing stay empty.
  package var days: [Day]
  /// The days' axis.
  package var horizontal: HorizontalAxis
  /// What the values are.
  package var vertical: Axis
  /// Whether the vertical axis begins at zero, as sums ask for.
  package var startsAtZero: Bool
  /// What is marked besides them.
  package var annotations: Annotations

  /// A chart of days.
  package init(
    _ heading: Heading = Heading(), days: [Day], horizontal: HorizontalAxis = HorizontalAxis("Day", scale: .day),
    vertical: Axis = .heartRate, startsAtZero: Bool = false, annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    (self.days, self.startsAtZero) = (days, startsAtZero)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// What the chart shows, ready to be laid out.
  package var figure: Figure {
    var axes = AxesFigure(self)
    axes.startsAtZero = startsAtZero
    let days = days.sorted { $0.number < $1.number }
    axes.layers = [
      .ranges(
        days.map { RangeAt(x: Double($0.number), range: $0.range) }, series: 0, lane: 0, lanes: 1, room: 1,
        isConnected: true)
    ]
    if days.contains(where: { $0.average.isPlottable }) {
      axes.layers.append(.line(Self.averages(of: days), series: 1, marks: .outlined))
      axes.legend = [
        LegendEntry(label: "lowest to highest", swatch: .surface(.series(0))),
        LegendEntry(label: "average", swatch: .line(series: 1, marks: .outlined)),
      ]
    }
    let words = Summary(kind: "Daily statistics", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text([words.ranges(days.map { $0.range }, name: "", noun: "day")]))
  }

  /// The averages at their days; one that is no number stands in for days that are not in the list.
  private static func averages(of days: [Day]) -> [DataPoint] {
    var points: [DataPoint] = []
    for day in days {
      let place = Double(day.number)
      if let last = points.last, place > last.x + 1 { points.append(DataPoint(last.x + 1, .nan)) }
      points.append(DataPoint(place, day.average))
    }
    return points
  }
}
