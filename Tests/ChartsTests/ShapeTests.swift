import Foundation
import Testing

@testable import Charts

@Suite("Shapes in charts")
struct ShapeTests {
  private func drawing(_ chart: some Chart, _ size: CanvasSize = .standard) -> Drawing {
    chart.figure.drawing(size: size, style: .page, ruler: PageRuler())
  }

  private func cells(_ chart: some Chart, columns: Int, rows: Int) -> Drawing {
    chart.figure.drawing(size: CanvasSize(columns: columns, rows: rows), style: .cells, ruler: CellRuler())
  }

  @Test("An SVG shows the shapes of the drawing, as a reader of the standard sees them", arguments: Examples.names)
  func shapes(name: String) {
    for size in [CanvasSize.standard, CanvasSize(width: 300, height: 200)] {
      let drawn = Outlines.of(drawing(Examples.chart(name), size).elements).map(\.bounds)
      let read = Outlines.of(svg: Examples.chart(name).svg(size: size)).map(\.bounds)
      #expect(drawn.count == read.count)
      for (one, other) in zip(drawn, read) {
        let edges = [
          one.minX - other.minX, one.maxX - other.maxX, one.minY - other.minY, one.maxY - other.maxY,
        ]
        #expect(edges.allSatisfy { abs($0) < 0.1 }, "\(name): \(one) is \(other) in the SVG")
      }
    }
  }

  @Test("A range is seen however small it is, and a day without values is not", arguments: [0, 0.001, 0.01, 0.5, 5])
  func thinRanges(size: Double) {
    let ranges = [ValueRange(40, 120), ValueRange(80, 80 + size), .unset]
    let chart = RangeChart(plots: [.init("one", ranges)], intervals: .named(["a", "b", "c"]), vertical: .heartRate)
    var shapes = Outlines.of(drawing(chart).elements) { fill, _ in fill == .series(0) }
    // A mark beside the bars, or one more bar.
    #expect(shapes.count == (size < 5 ? 2 : 1))
    shapes.sort { $0.bounds.height > $1.bounds.height }
    #expect(shapes.allSatisfy { $0.bounds.height > 5 })
  }

  @Test("A line in a terminal has no holes", arguments: 40...100)
  func holes(columns: Int) throws {
    let points = (0..<9).map { DataPoint(Double($0), 60) }
    let chart = LineChart(plots: [.init("one", points)], vertical: .heartRate)
    let rows = chart.braille(columns: columns, rows: 12).split(separator: "\n")
    let full = rows.filter { row in
      let cells = row.unicodeScalars.filter { (0x2800...0x28ff).contains($0.value) }
      return cells.count > columns / 2
        && cells.dropFirst().dropLast().allSatisfy { $0.value & 0b0100_0111 > 0 && $0.value & 0b1011_1000 > 0 }
    }
    // The axis, and the line of the values.
    #expect(full.count == 2)
  }

  @Test("Lines in a terminal are told apart by letters, on them and in the legend", arguments: [2, 5, 8])
  func letters(count: Int) {
    let plots = (0..<count).map { plot in
      LineChart.Plot("line \(plot)", (0..<30).map { DataPoint(Double($0), Double(10 * plot + $0 % 3)) })
    }
    let text = LineChart(plots: plots, horizontal: HorizontalAxis(), vertical: Axis()).braille(columns: 90, rows: 24)
    for letter in "ABCDEFGH".prefix(count) {
      #expect(text.count { $0 == letter } >= 3, "\(letter)")
      #expect(text.contains("⠤\(letter)⠤ line"))
    }
    #expect(!LineChart(plots: [plots[0]], horizontal: HorizontalAxis(), vertical: Axis()).braille().contains("A"))
  }

  @Test("In a terminal averages and corrected beats are seen over what is drawn there")
  func dots() {
    #expect(Examples.daily.braille(columns: 120).count { $0 == "o" } > 15)
    let corrected = Examples.tachogram.braille(columns: 120)
    #expect(corrected.split(separator: "\n").count { $0.contains("o") && !$0.contains("corrected") } >= 2)
  }

  @Test("The legend's lines are dashed as those of the chart are", arguments: [10, 400])
  func swatches(count: Int) {
    let plots = (0..<3).map { plot in
      LineChart.Plot("line \(plot)", (0..<count).map { DataPoint(Double($0), Double(plot)) })
    }
    var dashes: [Ink: Set<[Double]>] = [:]
    func collect(_ elements: [Element]) {
      for element in elements {
        switch element {
        case .clipped(_, let inner): collect(inner)
        case .shape(_, _, let stroke?): dashes[stroke.ink, default: []].insert(stroke.dash)
        default: break
        }
      }
    }
    collect(drawing(LineChart(plots: plots, vertical: .heartRate)).elements)
    for series in 0..<3 { #expect(dashes[.series(series)]?.count == 1) }
    #expect(dashes[.series(1)]?.first?.isEmpty == (count > 100))
  }

  @Test("Marks at the edge of the plot are whole")
  func edge() {
    let chart = LineChart(plots: [.init("one", [DataPoint(0, 60), DataPoint(9, 70)])], vertical: .heartRate)
    func isWhole(_ elements: [Element], within clip: Rect?) -> Bool {
      elements.allSatisfy { element in
        switch element {
        case .clipped(let rect, let inner): return isWhole(inner, within: rect)
        case .shape(let path, .series?, _):
          let bounds = Outlines.of(path).bounds
          return clip.map { $0.x <= bounds.minX && bounds.maxX <= $0.right } ?? true
        default: return true
        }
      }
    }
    #expect(isWhole(drawing(chart).elements, within: nil))
  }

  @Test("A name stands at the line of its own instant, also where a pause parts the sound")
  func instants() throws {
    let spans = [(20.0, 24.0), (25, 33), (34, 50)]
    let chart = LineChart(
      plots: [.init("one", (0..<60).map { DataPoint(Double($0), Double($0 % 7)) })], vertical: .heartRate,
      annotations: Annotations(stimuli: spans.map { StimulusMark(onset: $0, offset: $1, label: "calm") }))
    for width in [360.0, 760, 1600] {
      let drawing = drawing(chart, CanvasSize(width: width, height: 380))
      let lines = Outlines.of(drawing.elements) { $1?.ink == .instant && $1?.dash == [] }
        .map(\.bounds).filter { $0.height > 50 }.map(\.midX).sorted()
      #expect(lines.count == 6)
      let words = drawing.labels.filter { ["onset", "offset"].contains($0.text) }
      #expect(Set(words.map(\.text)).count == words.map(\.text).count || words.count > 2 || width < 400)
      for word in words where word.ink == .instant {
        let nearest = try #require(lines.indices.min { abs(lines[$0] - word.at.x) < abs(lines[$1] - word.at.x) })
        #expect((nearest % 2 == 0) == (word.text == "onset"), "\(word.text) at \(width)")
        #expect(!lines.contains { $0 > word.box.x && $0 < word.box.right })
      }
      // What is named at a line needs no entry in the legend.
      let legend = drawing.labels.filter { ["onset", "offset"].contains($0.text) && $0.ink == .text }.map(\.text)
      #expect(Set(legend).isDisjoint(with: words.filter { $0.ink == .instant }.map(\.text)))
    }
  }

  @Test("Words of reference lines keep off lines, marks and bars", arguments: 1...40)
  func references(seed: UInt64) {
    let chart = RandomCharts.line(seed: seed)
    let drawing = drawing(chart)
    let places = Outlines.of(drawing.elements) { fill, stroke in
      if case .series = fill ?? stroke?.ink { true } else { false }
    }.joined()
    for word in drawing.labels where word.hasHalo {
      #expect(!places.contains { word.box.contains(Point(x: $0.x, y: $0.y)) }, "\(word.text)")
    }
  }

  @Test("Groups of ranges are named, each under its bars, also where the bars have no room for their names")
  func groups() {
    for width in [760.0, 300] {
      let labels = drawing(Examples.rangeOfGroups, CanvasSize(width: width, height: 300)).labels
      for name in ["calm", "energetic"] { #expect(labels.contains { $0.text == name }) }
      #expect(labels.contains { $0.text == "p5" } == (width > 500))
    }
    let many = (1...5).map { RangeChart.Group("clip \($0)", (1...8).map { "participant \($0)" }) }
    let chart = RangeChart(
      plots: [.init("one", (0..<40).map { ValueRange(Double($0), Double($0 + 9)) })], intervals: .grouped(many),
      vertical: .heartRate)
    let texts = drawing(chart).labels.map(\.text)
    for group in many { #expect(texts.contains(group.name)) }
    #expect(!texts.contains("participant 1"))
  }

  @Test("A small picture keeps its unit and its legend longer than a title's second line")
  func details() {
    var chart = Examples.response
    chart.heading.title = "A title that is so long that it needs two lines of a picture as small as this one is"
    let texts = drawing(chart, CanvasSize(width: 300, height: 200)).labels.map(\.text)
    #expect(texts.contains(chart.vertical.title))
    #expect(texts.contains("energetic"))
  }
}
