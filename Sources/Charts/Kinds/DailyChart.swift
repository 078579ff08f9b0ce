/// One bar per day from the minimum to the maximum, and a line through the daily means.
package struct DailyChart: AxesChart {
  /// The statistics of one day.
  package struct Day: Hashable, Sendable {
    /// The day, counted from 1970-01-01.
    var number: Int
    /// The minimum to the maximum; unset without data.
    var range: ValueRange
    /// The mean; NaN without data.
    var average: Double

    /// Creates the statistics of a day.
    package init(number: Int, range: ValueRange, average: Double = .nan) {
      (self.number, self.range, self.average) = (number, range, average)
    }
  }

  /// The text around the data.
  package var heading: Heading
  /// The days; missing ones stay empty.
  var days: [Day]
  /// The axis of the days.
  package var horizontal: HorizontalAxis
  /// The axis of the values.
  package var vertical: Axis
  /// Whether the vertical axis starts at zero, as it should for sums.
  var startsAtZero: Bool
  /// The annotations drawn with the data.
  package var annotations: Annotations

  package init(
    _ heading: Heading = Heading(), days: [Day], horizontal: HorizontalAxis = HorizontalAxis("Day", scale: .day),
    vertical: Axis = .heartRate, startsAtZero: Bool = false, annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    (self.days, self.startsAtZero) = (days, startsAtZero)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
  }

  /// The content, ready for layout.
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

  /// The means at their days; NaN at missing days.
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
