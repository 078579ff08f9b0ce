/// The lowest to the highest value of each interval, as ResearchKit's discrete graph chart.
package struct RangeChart: AxesChart {
  /// The ranges of one measure or group.
  package struct Plot: Hashable, Sendable {
    /// What it shows; named in the legend where there are several.
    package var name: String
    /// One range for each interval, in their order; an unset one leaves a gap.
    package var ranges: [ValueRange]

    /// Ranges of one measure or group.
    package init(_ name: String, _ ranges: [ValueRange]) {
      self.name = name
      self.ranges = ranges
    }
  }

  /// Where the ranges stand.
  package enum Intervals: Hashable, Sendable {
    /// Side by side, each over its name; on the horizontal axis 0, 1, 2 … are their middles.
    case named([String])
    /// Side by side in groups, each over its name, and each group over its own.
    case grouped([Group])
    /// On the horizontal axis, where each covers the same length, one after the other.
    case even(from: Double, length: Double)
  }

  /// Intervals that belong together.
  package struct Group: Hashable, Sendable {
    /// What they have in common.
    package var name: String
    /// What each is called.
    package var intervals: [String]

    /// A group.
    package init(_ name: String, _ intervals: [String]) {
      self.name = name
      self.intervals = intervals
    }
  }

  /// What stands around the data.
  package var heading: Heading
  /// The ranges; those of several plots stand beside each other.
  package var plots: [Plot]
  /// Where they stand.
  package var intervals: Intervals
  /// Whether the lowest and the highest value of an interval are joined by a bar, or stand as two marks.
  package var drawsConnectedRanges: Bool
  /// What the intervals are; its range counts where they lie on an axis.
  package var horizontal: HorizontalAxis
  /// What the ranges' values are.
  package var vertical: Axis
  /// What is marked besides them.
  package var annotations: Annotations

  /// A chart of ranges.
  package init(
    _ heading: Heading = Heading(), plots: [Plot], intervals: Intervals,
    horizontal: HorizontalAxis = HorizontalAxis(), vertical: Axis, drawsConnectedRanges: Bool = true,
    annotations: Annotations = Annotations()
  ) {
    self.heading = heading
    (self.plots, self.intervals) = (plots, intervals)
    (self.horizontal, self.vertical, self.annotations) = (horizontal, vertical, annotations)
    self.drawsConnectedRanges = drawsConnectedRanges
  }

  /// What the chart shows, ready to be laid out.
  package var figure: Figure {
    var axes = AxesFigure(self)
    var places: (Int) -> Double = { Double($0) }
    var room = 1.0
    switch intervals {
    case .named(let names):
      let count = max(names.count, plots.map { $0.ranges.count }.max() ?? 0)
      axes.categories = (0..<count).map { $0 < names.count ? names[$0] : String($0 + 1) }
    case .grouped(let groups):
      // One place stays empty between two groups.
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
