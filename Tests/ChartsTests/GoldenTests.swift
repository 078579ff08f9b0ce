import Basics
import Charts
import TestSupport
import Testing

@Suite("Charts as a whole")
struct GoldenTests {
  @Test("Every kind of chart is drawn as the repository keeps it", arguments: Examples.names)
  func svg(name: String) throws {
    try Golden.compare(Examples.chart(name).svg(), with: "Tests/ChartsTests/Golden/\(name).svg")
  }

  @Test("A chart that follows its reader's preference holds both grounds")
  func automatic() throws {
    let svg = Examples.chart("response").svg(
      size: CanvasSize(width: 390, height: 320), appearance: .automatic, identifier: "figure-2")
    try Golden.compare(svg, with: "Tests/ChartsTests/Golden/response-automatic.svg")
  }

  @Test("Every kind of chart is printed in a terminal as the repository keeps it", arguments: Examples.names)
  func braille(name: String) throws {
    try Golden.compare(Examples.chart(name).braille(), with: "Tests/ChartsTests/Golden/\(name).txt")
  }

  @Test("No line in a terminal is longer than it has columns", arguments: [(20, 5), (40, 12), (80, 20), (132, 43)])
  func lines(columns: Int, rows: Int) {
    for name in Examples.names + ["scripts"] {
      let lines = Examples.chart(name).braille(columns: columns, rows: rows).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == rows + 1, "\(name)")
      #expect(lines.allSatisfy { $0.displayWidth <= columns }, "\(name)")
    }
  }
}
