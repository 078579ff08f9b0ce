import Basics
import Testing

@testable import Charts

@Suite("Words in charts")
struct LabelTests {
  @Test("Words never overlap and are never cut off, whatever the size", arguments: Examples.names + ["scripts"])
  func examples(name: String) {
    var noise = Noise(seed: 11)
    for _ in 0..<60 {
      let width = 500 + noise.next(within: 440)
      let height = 420 + noise.next(within: 360)
      check(Examples.chart(name), size: CanvasSize(width: width, height: height))
    }
    check(Examples.chart(name), size: CanvasSize(width: 40, height: 40))
    check(Examples.chart(name), size: CanvasSize(width: 2000, height: 60))
    check(Examples.chart(name), size: CanvasSize(width: 60, height: 2000))
  }

  @Test("Simulated data are marked in a line of their own, whatever else is left out", arguments: Examples.names)
  func simulated(name: String) throws {
    var chart = Examples.chart(name)
    chart.heading.isSimulated = true
    for (width, height) in [(760.0, 380.0), (460, 520), (120, 120), (241, 180), (2000, 80)] {
      let size = CanvasSize(width: width, height: height)
      let labels = chart.figure.drawing(size: size, style: .page, ruler: PageRuler()).labels
      let mark = try #require(labels.first { $0.text == "simulated data" }, "\(size)")
      #expect(mark.box.y >= 0 && mark.box.bottom <= height && mark.box.right <= width)
      #expect(!labels.contains { $0 != mark && $0.box.overlaps(mark.box) }, "\(size)")
      #expect(chart.svg(size: size).contains(">simulated data</text>"))
    }
    for (columns, rows) in [(80, 20), (20, 5)] {
      #expect(chart.braille(columns: columns, rows: rows).contains("simulated data"))
    }
  }

  @Test("Words never overlap, whatever the values", arguments: 1...120)
  func random(seed: UInt64) {
    let chart = RandomCharts.line(seed: seed)
    var noise = Noise(seed: seed)
    check(chart, size: CanvasSize(width: 520 + noise.next(within: 420), height: 400 + noise.next(within: 330)))
    checkCells(chart, columns: 20 + Int(seed), rows: 6 + Int(seed % 30))
  }

  @Test("Words never overlap in a pie", arguments: 1...60)
  func pie(seed: UInt64) {
    let chart = RandomCharts.pie(seed: seed)
    var noise = Noise(seed: seed)
    check(chart, size: CanvasSize(width: 520 + noise.next(within: 420), height: 400 + noise.next(within: 330)))
  }

  @Test(
    "Long names of intervals are shortened or left out, but never overlap", arguments: [1, 2, 5, 12, 13, 40, 365, 5000])
  func intervals(count: Int) {
    let chart = RangeChart(
      Heading(title: "Ranges"),
      plots: [RangeChart.Plot("one", (0..<count).map { ValueRange(Double($0), Double($0 + 3)) })],
      intervals: .named((0..<count).map { "the interval with the number \($0)" }), vertical: .heartRate)
    for width in [120.0, 390, 800, 1280] { check(chart, size: CanvasSize(width: width, height: 300)) }
  }

  @Test("What a small picture has no room for is told, and smaller letters make room for it")
  func leftOut() {
    let size = CanvasSize(width: 241, height: 180)
    let chart = Examples.response
    func parts(_ size: CanvasSize, _ letters: Double) -> [ChartPart] {
      chart.picture(size: size, letters: letters, appearance: .light).partsLeftOut
    }
    #expect(parts(CanvasSize(width: 120, height: 120), 12).contains(.legend))
    #expect(parts(.standard, 12).isEmpty)
    #expect(parts(size, 5).isEmpty)
    #expect(parts(.standard, 40).contains(.legend))
    let svg = chart.svg(size: size, letters: 6)
    #expect(svg.contains("width=\"241\" height=\"180\" viewBox=\"0 0 482 360\""))
    #expect(!svg.contains("font-size=\"6\"") && svg.contains("font-size=\"12\""))
  }

  @Test("A pie names what it leaves out", arguments: [(760, []), (90, [ChartPart.title, .legend])])
  func pieLeftOut(width: Double, parts: [ChartPart]) {
    let size = CanvasSize(width: width, height: width / 2)
    let found = Examples.pie.picture(size: size, letters: 12, appearance: .light).partsLeftOut
    #expect(found == parts)
  }

  private func check(_ chart: some Chart, size: CanvasSize) {
    check(chart.figure.drawing(size: size, style: .page, ruler: PageRuler()), "\(size)")
  }

  private func checkCells(_ chart: some Chart, columns: Int, rows: Int) {
    let size = CanvasSize(columns: columns, rows: rows)
    check(chart.figure.drawing(size: size, style: .cells, ruler: CellRuler()), "\(columns) × \(rows)")
  }

  private func check(_ drawing: Drawing, _ comment: String) {
    let canvas = Rect(x: 0, y: 0, width: drawing.size.width, height: drawing.size.height)
    let labels = drawing.labels
    for label in labels {
      #expect(canvas.contains(label.box), "“\(label.text)” leaves \(comment)")
      #expect(!label.text.isEmpty)
    }
    for (index, label) in labels.enumerated() {
      for other in labels[(index + 1)...] where label.box.overlaps(other.box) {
        Issue.record("“\(label.text)” overlaps “\(other.text)” at \(comment)")
      }
    }
  }
}

/// Charts of every magnitude, with annotations anywhere.
enum RandomCharts {
  static func line(seed: UInt64) -> LineChart {
    var noise = Noise(seed: seed &* 977)
    func pick(_ limit: Int) -> Int { Int((noise.next(within: 1) + 1) / 2 * Double(limit) * 0.9999) }
    func magnitude() -> Double { (0..<pick(14)).reduce(1e-5) { value, _ in value * 10 } }
    let (size, offset) = (magnitude(), noise.next(within: 1) * magnitude())
    let length = magnitude() * 1e3
    let plots = (0..<(1 + pick(5))).map { index in
      LineChart.Plot(
        "plot \(index) " + String(repeating: "name ", count: pick(12)),
        (0..<(1 + pick(80))).map { _ in
          DataPoint(noise.next(within: length), pick(10) == 0 ? .nan : offset + noise.next(within: size))
        })
    }
    let scales: [HorizontalAxis.Scale] = [.number, .elapsed, .day]
    return LineChart(
      Heading(
        title: String(repeating: "A title ", count: pick(30)), subtitle: String(repeating: "and more ", count: pick(40))
      ),
      plots: plots, horizontal: HorizontalAxis(String(repeating: "across ", count: pick(20)), scale: scales[pick(3)]),
      vertical: Axis(String(repeating: "upwards ", count: pick(20))),
      annotations: Annotations(
        stimuli: (0..<pick(4)).map { index in
          let onset = noise.next(within: length)
          return StimulusMark(onset: onset, offset: onset + length * 0.3, label: "clip \(index)")
        },
        spans: (0..<pick(4)).map {
          ShadedSpan(from: noise.next(within: length), to: noise.next(within: length), label: "span \($0)")
        },
        instants: (0..<pick(6)).map { MarkedInstant(at: noise.next(within: length), label: "instant \($0)") },
        references: (0..<pick(6)).map {
          ReferenceLine(value: offset + noise.next(within: size), label: "reference \($0)")
        }))
  }

  static func pie(seed: UInt64) -> PieChart {
    var noise = Noise(seed: seed &* 31)
    let count = Int(seed % 17)
    return PieChart(
      Heading(title: "A pie"),
      segments: (0..<count).map { index in
        let size = noise.next(within: 1).magnitude
        return PieChart.Segment(
          "part \(index) " + String(repeating: "long ", count: index % 5), index % 3 == 0 ? size * 50 : size)
      },
      centreTitle: "\(count) parts of a long title", centreText: "text", showsPercentageLabels: seed % 2 == 0,
      drawsClockwise: seed % 3 == 0)
  }
}
