/// Something that can be drawn as SVG, PNG and PDF, and printed in a terminal.
///
/// Every kind of chart is a value: it is filled with plain numbers, and drawn by one code whatever the output. Values
/// that are NaN, infinite or beyond ±10²⁹⁰ are treated as not measured.
package protocol Chart: Sendable {
  /// What stands around the data.
  var heading: Heading { get set }
  /// What the chart shows, ready to be laid out.
  var figure: Figure { get }
}

/// A chart between two axes, which can be given ranges, and on which places and values can be marked.
package protocol AxesChart: Chart {
  /// What the places of the data are.
  var horizontal: HorizontalAxis { get set }
  /// What their values are.
  var vertical: Axis { get set }
  /// What is marked besides the data.
  var annotations: Annotations { get set }
}

extension Chart {
  /// Whether there is nothing to show, so that the chart says so in its place.
  package var isEmpty: Bool { figure.isEmpty }
}

/// The words around a chart's data.
package struct Heading: Hashable, Sendable {
  /// What the chart is about; empty leaves it out.
  package var title: String
  /// A second, quieter line; empty leaves it out.
  package var subtitle: String
  /// What the chart shows in a sentence, for those who do not see it; `nil` lets the data say it.
  package var summary: String?
  /// What is written where there is nothing to show.
  package var noDataText: String
  /// Sentences that the description ends with: what to know before trusting what is shown.
  package var notes: [String]

  /// The words around a chart's data.
  package init(
    title: String = "", subtitle: String = "", summary: String? = nil, noDataText: String = "No data",
    notes: [String] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.summary = summary
    self.noDataText = noDataText
    self.notes = notes
  }
}

/// What a chart shows, ready to be laid out at any size.
package struct Figure: Sendable {
  enum Content: Sendable {
    case axes(AxesFigure)
    case pie(PieFigure)
  }

  let heading: Heading
  let content: Content
  /// What the data say, in sentences, for those who do not see the picture.
  let dataSummary: String

  var summary: String { ([heading.summary ?? dataSummary] + heading.notes).joined(separator: " ") }

  var isEmpty: Bool {
    switch content {
    case .axes(let figure): !figure.hasData
    case .pie(let figure): figure.slices.isEmpty
    }
  }
}
