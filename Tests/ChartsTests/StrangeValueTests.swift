import Testing

@testable import Charts

@Suite("Charts of strange values")
struct StrangeValueTests {
  static let series: [(name: String, values: [Double])] = [
    ("none", []), ("one", [72]), ("one missing", [.nan]), ("all missing", [.nan, .infinity, -.infinity]),
    ("constant", [60, 60, 60]), ("zeros", [0, 0, 0]), ("a spike to infinity", [60, .infinity, 61, -.infinity, 62]),
    ("the largest", [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1]), ("huge", [-1e290, 1e290]),
    ("tiny", [.leastNonzeroMagnitude, 0, .leastNormalMagnitude]), ("close", [1e15, 1e15 + 0.125]),
    ("negative", [-5, -70, -3]),
  ]

  static let kinds = ["line", "tachogram", "poincare", "spectrum", "response", "daily", "range", "pie"]

  private func chart(_ kind: String, _ values: [Double]) -> any Chart {
    let points = values.enumerated().map { DataPoint(Double($0), $1) }
    let ranges = values.map { ValueRange($0, $0 + 1) }
    switch kind {
    case "line":
      return LineChart(
        plots: [LineChart.Plot("one", points), LineChart.Plot("turned", points.map { DataPoint($0.y, $0.x) })],
        vertical: .heartRate,
        annotations: Annotations(
          stimuli: [StimulusMark(onset: values.first ?? .nan, offset: values.last, label: "x")],
          references: values.map { ReferenceLine(value: $0, label: "y") }))
    case "tachogram": return Tachogram(intervals: values.map { .init(time: $0, milliseconds: $0, isCorrected: true) })
    case "poincare":
      return PoincarePlot(intervals: values, ellipse: values.first.map { .init(mean: $0, sd1: $0, sd2: $0) })
    case "spectrum": return SpectrumChart(points: points)
    case "response":
      return ResponseChart(
        plots: [.init("one", values.map { .init(time: $0, mean: $0, band: ValueRange($0)) })],
        annotations: Annotations(stimuli: [StimulusMark(onset: 0, offset: values.first, label: "stimulus")]))
    case "daily": return DailyChart(days: ranges.enumerated().map { .init(number: $0, range: $1, average: $1.maximum) })
    case "range": return RangeChart(plots: [.init("one", ranges)], intervals: .named([]), vertical: .heartRate)
    default: return PieChart(segments: values.map { PieChart.Segment("part", $0) })
    }
  }

  @Test("Every kind of chart takes every value", arguments: kinds, series)
  func values(kind: String, series: (name: String, values: [Double])) throws {
    let chart = chart(kind, series.values)
    let svg = chart.svg()
    // Words may name such values; places and lengths may not hold them.
    let drawn = svg.split(separator: "\n").filter { $0.hasPrefix("<path") || $0.hasPrefix("<svg") }.joined()
    for word in ["nan", "inf", "e+", "e-3"] { #expect(!drawn.contains(word), "\(word)") }
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(!chart.braille(columns: 40, rows: 12).isEmpty)
  }

  @Test("Where nothing was measured, the chart says so", arguments: kinds)
  func noData(kind: String) {
    var chart = chart(kind, [.nan, .nan])
    chart.heading.noDataText = "Nothing was recorded"
    let svg = chart.svg()
    #expect(svg.contains(">Nothing was recorded</text>"))
    #expect(svg.contains(". Nothing was recorded."))
  }

  @Test(
    "A range holds its values in order",
    arguments: [(60.0, 80.0, 60.0, 80.0), (80, 60, 60, 80), (-1, -1, -1, -1)])
  func range(one: Double, other: Double, minimum: Double, maximum: Double) {
    let range = ValueRange(one, other)
    #expect(range.minimum == minimum)
    #expect(range.maximum == maximum)
    #expect(!range.isUnset)
  }

  @Test("A range with a value that is none is unset", arguments: [Double.nan, .infinity, -.infinity])
  func unset(value: Double) {
    #expect(ValueRange(value, 1).isUnset)
    #expect(ValueRange(1, value) == .unset)
    #expect(ValueRange(value).isUnset)
  }

  @Test("What lies outside of a fixed range is not drawn, and the axis keeps to it")
  func fixedRange() {
    let chart = LineChart(
      plots: [.init("one", [DataPoint(0, 50), DataPoint(5, 5000), DataPoint(10, 70)])],
      horizontal: HorizontalAxis("Time", scale: .elapsed, range: 0...20), vertical: Axis("x", range: 40...80))
    let texts = chart.figure.drawing(size: .standard, style: .page, ruler: PageRuler()).labels.map { $0.text }
    #expect(texts.contains("40") && texts.contains("80") && texts.contains("20 s"))
    #expect(!texts.contains { $0.contains("000") })
  }
}
