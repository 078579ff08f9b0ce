import Testing

@testable import Charts

@Suite("Decimation")
struct DecimationTests {
  private func points(_ count: Int, seed: UInt64) -> [DataPoint] {
    var noise = Noise(seed: seed)
    return (0..<count).map { DataPoint(Double($0), noise.next(within: 100)) }
  }

  @Test("Every column of pixels keeps its extremes, its first and its last point", arguments: [3, 700, 5000, 86_400])
  func extremes(count: Int) {
    let points = points(count, seed: UInt64(count))
    let scale = PlaceScale(Extent(0...Double(count)), from: 0, to: 640)
    let kept = Decimation.parts(of: points, on: scale)
    #expect(kept.count == 1)
    #expect((kept.first ?? []).count <= 4 * 641)
    func columns(_ points: [DataPoint]) -> [Int: [Double]] {
      Dictionary(grouping: points) { Int(scale.place($0.x).rounded(.down)) }.mapValues { $0.map { $0.y } }
    }
    let (all, some) = (columns(points), columns(kept.first ?? []))
    #expect(all.keys.sorted() == some.keys.sorted())
    for (column, values) in all {
      #expect(some[column]?.min() == values.min())
      #expect(some[column]?.max() == values.max())
      #expect(some[column]?.first == values.first)
      #expect(some[column]?.last == values.last)
    }
    #expect((kept.first ?? []).map { $0.x } == (kept.first ?? []).map { $0.x }.sorted())
  }

  @Test("A missing value leaves the line open")
  func gaps() {
    let scale = PlaceScale(Extent(0...100), from: 0, to: 1000)
    let missing = [DataPoint(0, 1), DataPoint(1, .nan), DataPoint(2, 1), DataPoint(3, 1)]
    #expect(Decimation.parts(of: missing, on: scale).map { $0.count } == [1, 2])
  }

  @Test("Gaps that nobody could see do not break a line into thousands of parts")
  func invisibleGaps() {
    let points = points(86_400, seed: 1).map { DataPoint($0.x, Int($0.x) % 2 == 0 ? $0.y : .nan) }
    let scale = PlaceScale(Extent(0...86_400), from: 0, to: 640)
    #expect(Decimation.parts(of: points, on: scale).count == 1)
  }

  @Test("A spike of a second in a day is drawn, and the picture stays small")
  func day() throws {
    let svg = Examples.day.svg()
    #expect(svg.utf8.count < 100_000)
    let drawing = Examples.day.figure.drawing(size: .standard, style: .page, ruler: PageRuler())
    guard
      case .clipped(_, let inner) = try #require(
        drawing.elements.first { if case .clipped = $0 { true } else { false } }),
      case .shape(let path, _, _) = try #require(inner.first)
    else {
      Issue.record("the line is not there")
      return
    }
    let heights = path.commands.compactMap { command -> Double? in
      switch command {
      case .move(let point), .line(let point): point.y
      default: nil
      }
    }
    let sorted = heights.sorted()
    // The spike of 171 stands far above everything else, which stays below 80.
    #expect(sorted[1] - sorted[0] > (sorted[sorted.count - 1] - sorted[1]) * 1.5)
  }

  @Test("Points in any order are drawn in the order of their places")
  func order() {
    let points = (0..<50).map { DataPoint(Double($0), Double($0 % 7)) }
    let chart = LineChart(plots: [.init("one", points)], vertical: .heartRate)
    let shuffled = LineChart(plots: [.init("one", points.reversed())], vertical: .heartRate)
    #expect(chart.svg() == shuffled.svg())
  }
}
