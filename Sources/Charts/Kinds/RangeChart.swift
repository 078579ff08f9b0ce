/// The minimum to the maximum of each interval, as in ResearchKit's discrete graph chart.
package struct RangeChart: AxesChart {
  /// The ranges of one series.
  struct Plot: Hashable, Sendable {
    /// The name, shown in the legend if there are several series.
    var name: String
    /// One range per interval, in order; an unset one leaves a gap.
    var ranges: [ValueRange]

    init(_ name: String, _ ranges: [ValueRange]) {
      self.name = name
      self.ranges = ranges
    }
  }

  /// The positions of the ranges.
  enum Intervals: Hashable, Sendable {
    /// Side by side with a name below each; on the horizontal axis they are centred at 0, 1, 2 ….
    case named([String])
    /// Side by side in groups, with a name below each range and each group.
    case grouped([Group])
    /// On a numeric axis, as consecutive intervals of equal length.
    case even(from: Double, length: Double)
  }

  /// A group of intervals.
  struct Group: Hashable, Sendable {
    var name: String
    /// The names of its intervals.
    var intervals: [String]

    init(_ name: String, _ intervals: [String]) {
      self.name = name
      self.intervals = intervals
    }
  }

  /// The text around the data.
  package var heading: Heading
  /// The series, drawn side by side in each interval.
  var plots: [Plot]
  /// The positions of the ranges.
  var intervals: Intervals
  /// Whether a bar joins the minimum and the maximum of an interval; otherwise they are two marks.
  package var drawsConnectedRanges: Bool
  /// The axis of the intervals; its range applies to numeric positions only.
  package var horizontal: HorizontalAxis
  /// The axis of the values.
  package var vertical: Axis
  /// The annotations drawn with the data.
  package var annotations: Annotations

  init(
    _ heading: Heading = Heading(), plots: [Plot], intervals: Intervals,
    horizontal: HorizontalAxis = HorizontalAxis(), vertical: Axis, drawsConnectedRanges: Bool = true,
    annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    (self.plots, self.intervals) = (plots, intervals)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
    self.drawsConnectedRanges = drawsConnectedRanges
  }

  /// The content, ready for layout.
  package var figure: Figure {
    var axes = AxesFigure(self)
    var places: (Int) -> Double = { Double($0) }
    var room = 1.0
    switch intervals {
    case .named(let names):
      let count = max(names.count, plots.map { $0.ranges.count }.max() ?? 0)
      axes.categories = (0..<count).map { $0 < names.count ? names[$0] : String($0 + 1) }
    case .grouped(let groups):
      // An empty position separates two groups.
      var names: [String] = []
      var occupied: [Double] = []
      for group in groups where !group.intervals.isEmpty {
        if !names.isEmpty { names.append("") }
        axes.groups.append((group.name, names.count...(names.count + group.intervals.count - 1)))
        occupied += group.intervals.indices.map { Double(names.count + $0) }
        names += group.intervals
      }
      axes.categories = names
      places = { [occupied] in $0 < occupied.count ? occupied[$0] : .nan }
    case .even(let start, let length):
      room = length
      places = { start + (Double($0) + 0.5) * length }
    }
    axes.layers = plots.enumerated().map { index, plot in
      .ranges(
        plot.ranges.enumerated().map { RangeAt(x: places($0), range: $1) }, series: index, lane: index,
        lanes: plots.count, room: room, isConnected: drawsConnectedRanges)
    }
    if plots.count > 1 {
      axes.legend = plots.enumerated().map { index, plot in
        LegendEntry(
          label: plot.name, swatch: drawsConnectedRanges ? .surface(.series(index)) : .mark(series: index))
      }
    }
    let words = Summary(kind: "Range chart", self)
    return Figure(
      heading: heading, content: .axes(axes),
      dataSummary: words.text(plots.map { words.ranges($0.ranges, name: $0.name, noun: "range") }))
  }
}
