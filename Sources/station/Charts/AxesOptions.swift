import Analysis
import Charts
import Recordings

/// The range of a chart's vertical axis, and the values marked on it.
struct AxesOptions: Sendable {
  /// The options for the vertical axis.
  static let options: [CommandSyntax.Option] = [
    .init(
      "range", value: "FROM:TO", "the ends of the vertical axis, such as 50:120 (default: from the data)"),
    .init(
      "reference", value: "VALUE[=LABEL]", repeats: true, "a value to mark with a line and a label, such as 60=rest"),
  ]

  private let range: ClosedRange<Double>?
  private let references: [ReferenceLine]

  init(_ arguments: Arguments) throws(UsageError) {
    range = try Self.range(arguments)
    var references: [ReferenceLine] = []
    for text in arguments.all("reference") { references.append(try Self.reference(text, arguments)) }
    self.references = references
  }

  /// The chart with the range, and with these reference values added to its own.
  func applied<Drawing: AxesChart>(to chart: Drawing) -> Drawing {
    var chart = chart
    if let range { chart.vertical.range = range }
    chart.annotations.references += references
    return chart
  }

  private static func range(_ arguments: Arguments) throws(UsageError) -> ClosedRange<Double>? {
    guard let text = arguments["range"] else { return nil }
    guard let range = AnalysisWindow.range(text, within: 1e12) else {
      throw arguments.refusal(
        "\(Arguments.impossible(text, "range")): expected LOW:HIGH, such as 50:120")
    }
    return range
  }

  private static func reference(_ text: String, _ arguments: Arguments) throws(UsageError) -> ReferenceLine {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let value = Double(parts[0]), value.magnitude <= 1e12 else {
      throw arguments.refusal(
        "\(Arguments.impossible(text, "reference")): expected VALUE or VALUE=LABEL, such as 60=rest")
    }
    return ReferenceLine(value: value, label: parts.count > 1 ? String(parts[1]) : "")
  }
}
