/// Something that can be drawn as SVG, PNG and PDF, and printed in a terminal.
///
/// Every kind of chart is a value: it is filled with plain numbers, and drawn by one code whatever the output. Values
/// that are NaN, infinite or beyond ±10²⁹⁰ are treated as not measured.
public protocol Chart: Sendable {
  /// What stands around the data.
  var heading: Heading { get set }
  /// What the chart shows, ready to be laid out.
  var figure: Figure { get }
}

/// The words around a chart's data.
public struct Heading: Hashable, Sendable {
  /// What the chart is about; empty leaves it out.
  public var title: String
  /// A second, quieter line; empty leaves it out.
  public var subtitle: String
  /// What the chart shows in a sentence, for those who do not see it; `nil` lets the data say it.
  public var summary: String?
  /// What is written where there is nothing to show.
  public var noDataText: String

  /// The words around a chart's data.
  public init(title: String = "", subtitle: String = "", summary: String? = nil, noDataText: String = "No data") {
    self.title = title
    self.subtitle = subtitle
    self.summary = summary
    self.noDataText = noDataText
  }
}

/// What a chart shows, ready to be laid out at any size.
public struct Figure: Sendable {
  enum Content: Sendable {
    case axes(AxesFigure)
    case pie(PieFigure)
  }

  let heading: Heading
  let content: Content
  /// What the data say, in sentences, for those who do not see the picture.
  let dataSummary: String

  var summary: String { heading.summary ?? dataSummary }
}
