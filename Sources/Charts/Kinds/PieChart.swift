import Basics

/// The shares of a whole, as in ResearchKit's pie chart: a ring with labels beside it.
package struct PieChart: Chart {
  /// A segment of the pie.
  struct Segment: Hashable, Sendable {
    var name: String
    /// The value; segments that are not positive are left out of the ring.
    var value: Double
    /// A text in parentheses after the share, such as a count; may be empty.
    var note: String

    init(_ name: String, _ value: Double, note: String = "") {
      self.name = name
      self.value = value
      self.note = note
    }
  }

  /// The number of distinct colours; further segments repeat them.
  static let maxColours = Theme.seriesCount

  /// The text around the data.
  package var heading: Heading
  /// The segments in drawing order, starting at twelve o'clock.
  var segments: [Segment]
  /// Large text in the centre; may be empty.
  var centreTitle: String
  /// Small text in the centre, below the title; may be empty.
  var centreText: String
  /// Whether each label includes its percentage.
  var showsPercentageLabels: Bool
  /// Whether the segments follow each other clockwise.
  var drawsClockwise: Bool

  init(
    _ heading: Heading = Heading(), segments: [Segment], centreTitle: String = "", centreText: String = "",
    showsPercentageLabels: Bool = true, drawsClockwise: Bool = true
  ) {
    self.heading = heading
    self.segments = segments
    (self.centreTitle, self.centreText) = (centreTitle, centreText)
    (self.showsPercentageLabels, self.drawsClockwise) = (showsPercentageLabels, drawsClockwise)
  }

  /// The content, ready for layout.
  package var figure: Figure {
    // The sum of values near 10²⁹⁰ may overflow: compare each with the largest.
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

  /// The percentages: integers, or tenths if integers would not add up to a hundred.
  private static func percentages(_ parts: [Double]) -> [String] {
    let isWhole = parts.reduce(0) { $0 + ($1 * 100).rounded() } == 100
    return parts.map { part in
      if part * 100 < 0.1 { return "< 0.1 %" }
      return (isWhole && part * 100 >= 0.95 ? (part * 100).fixed(0) : (part * 100).fixed(1)) + " %"
    }
  }
}
