/// A chart that can be drawn as SVG, PNG and PDF, and printed in a terminal.
///
/// Every kind of chart is a value: it is filled with plain numbers, and one implementation draws it for all outputs.
/// Values that are NaN, infinite or beyond ±10²⁹⁰ count as missing.
package protocol Chart: Sendable {
  /// The text around the data.
  var heading: Heading { get set }
  /// The content, ready for layout.
  var figure: Figure { get }
}

/// A chart with two axes, which can have set ranges and annotations.
package protocol AxesChart: Chart {
  /// The axis of the positions.
  var horizontal: HorizontalAxis { get set }
  /// The axis of the values.
  var vertical: Axis { get set }
  /// The annotations drawn with the data.
  var annotations: Annotations { get set }
}

extension Chart {
  /// Whether there are no data to show; the chart then displays `noDataText`.
  package var isEmpty: Bool { figure.isEmpty }
}

/// The text around a chart's data.
package struct Heading: Hashable, Sendable {
  /// The title; empty for none.
  package var title: String
  /// A second line in a fainter colour; empty for none.
  package var subtitle: String
  /// A description for screen readers, in a sentence; `nil` generates one from the data.
  var summary: String?
  /// The text shown if there are no data.
  package var noDataText: String
  /// Caveats in sentences, which end the description.
  var notes: [String]
  /// Whether data were simulated: every picture says so in a line that is never left out.
  var isSimulated: Bool

  /// Creates the text around a chart's data.
  package init(
    title: String = "", subtitle: String = "", summary: String? = nil, noDataText: String = "No data",
    notes: [String] = [], isSimulated: Bool = false
  ) {
    self.title = title
    self.subtitle = subtitle
    self.summary = summary
    self.noDataText = noDataText
    self.notes = notes
    self.isSimulated = isSimulated
  }
}

/// The content of a chart, ready for layout at any size.
package struct Figure: Sendable {
  enum Content: Sendable {
    case axes(AxesFigure)
    case pie(PieFigure)
  }

  let heading: Heading
  let content: Content
  /// A description of the data in sentences, for screen readers.
  let dataSummary: String

  var summary: String {
    ([heading.summary ?? dataSummary] + heading.notes + (heading.isSimulated ? ["The data are simulated."] : []))
      .joined(separator: " ")
  }

  var isEmpty: Bool {
    switch content {
    case .axes(let figure): !figure.hasData
    case .pie(let figure): figure.slices.isEmpty
    }
  }
}

/// The content of a pie chart.
struct PieFigure: Sendable {
  struct Slice: Sendable {
    let name: String
    /// The value; positive.
    let value: Double
    /// Its share as text; may be empty.
    let share: String
  }

  var slices: [Slice]
  var centreTitle: String
  var centreText: String
  var isClockwise: Bool
}
