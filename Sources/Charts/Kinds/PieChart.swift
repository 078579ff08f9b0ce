import Basics

/// Parts of a whole, as ResearchKit's pie chart: a ring with the names beside it.
package struct PieChart: Chart {
  /// One part.
  package struct Segment: Hashable, Sendable {
    /// What it is.
    package var name: String
    /// How much; what is not above zero is left out of the ring.
    package var value: Double
    /// What is written after its share, in parentheses: how many it is; may be empty.
    package var note: String

    /// A part.
    package init(_ name: String, _ value: Double, note: String = "") {
      self.name = name
      self.value = value
      self.note = note
    }
  }

  /// With more parts than this, some have the same colour.
  package static let mostColours = Theme.seriesCount

  /// What stands around the data.
  package var heading: Heading
  /// The parts, in the order in which they are drawn, from twelve o'clock.
  package var segments: [Segment]
  /// What stands in the middle, large; may be empty.
  package var centreTitle: String
  /// What stands in the middle, below; may be empty.
  package var centreText: String
  /// Whether each name comes with its part in percent.
  package var showsPercentageLabels: Bool
  /// Whether the parts follow each other as the hands of a clock go.
  package var drawsClockwise: Bool

  /// A pie.
  package init(
    _ heading: Heading = Heading(), segments: [Segment], centreTitle: String = "", centreText: String = "",
    showsPercentageLabels: Bool = true, drawsClockwise: Bool = true
  ) {
    self.heading = heading
    self.segments = segments
    (self.centreTitle, self.centreText) = (centreTitle, centreText)
    (self.showsPercentageLabels, self.drawsClockwise) = (showsPercentageLabels, drawsClockwise)
  }

  /// What the chart shows, ready to be laid out.
  package var figure: Figure {
    // Parts of 10²⁹⁰ have no sum: each is compared with the largest.
    let largest = segments.map { $0.value.isPlottable ? $0.value : 0 }.max() ?? 0
    let shown = segments.filter { $0.value.isPlottable && $0.value > 0 && $0.value / largest > 1e-12 }
    let total = shown.reduce(0) { $0 + $1.value / largest }
    let percentages = Self.percentages(shown.map { $0.value / largest / total })
    let shares = zip(shown, percentages).map { segment, percentage in
      [showsPercentageLabels ? percentage : "", segment.note.isEmpty ? "" : "(\(segment.note))"]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
    let slices = zip(shown, shares).map { PieFigure.Slice(name: $0.name, value: $0.value / largest, share: $1) }
    let words = Summary(kind: "Pie chart", heading: heading)
    let list = zip(shown, percentages).map { "\($0.name) \($1)" + ($0.note.isEmpty ? "" : " (\($0.note))") }
      .joined(separator: ", ")
    return Figure(
      heading: heading,
      content: .pie(
        PieFigure(slices: slices, centreTitle: centreTitle, centreText: centreText, isClockwise: drawsClockwise)),
      dataSummary: words.text([list.isEmpty ? "" : list + "."]))
  }

  /// The shares in percent: whole numbers, or tenths where whole numbers would not add up to a hundred.
  private static func percentages(_ parts: [Double]) -> [String] {
    let isWhole = parts.reduce(0) { $0 + ($1 * 100).rounded() } == 100
    return parts.map { part in
      if part * 100 < 0.1 { return "< 0.1 %" }
      return (isWhole && part * 100 >= 0.95 ? (part * 100).fixed(0) : (part * 100).fixed(1)) + " %"
    }
  }
}
