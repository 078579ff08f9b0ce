/// Parts of a whole, as ResearchKit's pie chart: a ring with the names beside it.
public struct PieChart: Chart {
  /// One part.
  public struct Segment: Hashable, Sendable {
    /// What it is.
    public var name: String
    /// How much; what is not above zero is left out of the ring.
    public var value: Double

    /// A part.
    public init(_ name: String, _ value: Double) {
      self.name = name
      self.value = value
    }
  }

  /// What stands around the data.
  public var heading: Heading
  /// The parts, in the order in which they are drawn, from twelve o'clock.
  public var segments: [Segment]
  /// What stands in the middle, large; may be empty.
  public var centreTitle: String
  /// What stands in the middle, below; may be empty.
  public var centreText: String
  /// Whether each name comes with its part in percent.
  public var showsPercentageLabels: Bool
  /// Whether the parts follow each other as the hands of a clock go.
  public var drawsClockwise: Bool

  /// A pie.
  public init(
    _ heading: Heading = Heading(), segments: [Segment], centreTitle: String = "", centreText: String = "",
    showsPercentageLabels: Bool = true, drawsClockwise: Bool = true
  ) {
    self.heading = heading
    self.segments = segments
    (self.centreTitle, self.centreText) = (centreTitle, centreText)
    (self.showsPercentageLabels, self.drawsClockwise) = (showsPercentageLabels, drawsClockwise)
  }

  /// What the chart shows, ready to be laid out.
  public var figure: Figure {
    // Parts of 10²⁹⁰ have no sum: each is compared with the largest.
    let largest = segments.map { $0.value.isPlottable ? $0.value : 0 }.max() ?? 0
    let shown = segments.filter { $0.value.isPlottable && $0.value > 0 && $0.value / largest > 1e-12 }
    let total = shown.reduce(0) { $0 + $1.value / largest }
    let percentages = shown.map { Self.percentage($0.value / largest / total) }
    let slices = zip(shown, percentages).map { segment, percentage in
      PieFigure.Slice(
        name: segment.name, value: segment.value / largest, percentage: showsPercentageLabels ? percentage : "")
    }
    let words = Summary(kind: "Pie chart", heading: heading, x: Axis(), y: Axis())
    let list = zip(shown, percentages).map { "\($0.name) \($1)" }.joined(separator: ", ")
    return Figure(
      heading: heading,
      content: .pie(
        PieFigure(slices: slices, centreTitle: centreTitle, centreText: centreText, isClockwise: drawsClockwise)),
      dataSummary: words.text([list.isEmpty ? "" : list + "."]))
  }

  /// A whole number of percent, or a tenth where it would be zero.
  private static func percentage(_ part: Double) -> String {
    if part * 100 >= 0.95 { return "\(Int((part * 100).rounded())) %" }
    return part * 100 < 0.1 ? "< 0.1 %" : "0.\(Int((part * 1000).rounded())) %"
  }
}
