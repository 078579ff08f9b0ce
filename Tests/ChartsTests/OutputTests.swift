import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Charts

@Suite("Outputs")
struct OutputTests {
  @Test(
    "An SVG is well-formed, and says what it is to those who do not see it", arguments: Examples.names + ["scripts"])
  func accessibility(name: String) throws {
    for appearance in [Appearance.light, .dark, .automatic] {
      let svg = Examples.chart(name).svg(appearance: appearance, identifier: "figure-7")
      let document = try XMLDocument(xmlString: svg)
      func text(_ path: String) throws -> String { try #require(document.nodes(forXPath: path).first?.stringValue) }
      #expect(try text("/*/@role") == "img")
      #expect(try text("/*/@aria-labelledby") == text("/*/*[local-name()='title']/@id"))
      #expect(try text("/*/@aria-describedby") == text("/*/*[local-name()='desc']/@id"))
      #expect(try text("/*/@aria-labelledby") == "figure-7-title")
      #expect(try !text("/*/*[local-name()='title']").isEmpty)
      #expect(try !text("/*/*[local-name()='desc']").isEmpty)
    }
  }

  @Test("The description says what the data say")
  func summary() {
    let points = [DataPoint(0, 72.25), DataPoint(1, .nan), DataPoint(2, 60), DataPoint(3, 61)]
    let known = LineChart(
      plots: [.init("p01", points)], vertical: .heartRate,
      annotations: Annotations(stimuli: [
        StimulusMark(onset: 0.5, offset: 2, label: "calm1"), StimulusMark(onset: 2.5, offset: nil, label: "x"),
      ]))
    #expect(
      known.svg().contains(
        ">Line chart: Heart rate (count/min) by time. p01: 3 values from 60 to 72.3, 1 missing. "
          + "Stimulus calm1 from 0.5 s to 2 s. Stimulus x from 2.5 s, its end not measured.</desc>"))
    var ranges = Examples.rangeOverTime
    #expect(ranges.svg().contains(" Stimulus calm from 33.1 s to 63.1 s.</desc>"))
    ranges.heading.notes = ["Ten seconds are few."]
    #expect(ranges.svg().contains(" Ten seconds are few.</desc>"))
    #expect(Examples.response.svg().contains(" Stimulus from 0 s to 30 s.</desc>"))
    var chart = Examples.line
    chart.heading.summary = "Heart rate rises with the clip."
    #expect(chart.svg().contains(">Heart rate rises with the clip.</desc>"))
  }

  @Test(
    "Words cannot break an SVG",
    arguments: ["<script>alert(\"1\")</script>", "a & b", "line\nbreak", "\u{0}\u{1b}[31m\u{ffff}"])
  func escaping(text: String) throws {
    var chart = Examples.line
    chart.heading.title = text
    chart.vertical.title = text
    chart.annotations.references = [ReferenceLine(value: 67, label: text)]
    let document = try XMLDocument(xmlString: chart.svg(identifier: text))
    #expect(try document.nodes(forXPath: "//*[local-name()='script']").isEmpty)
    #expect(!chart.braille().contains("\u{1b}"))
  }

  @Test("A text that is read from right to left begins at its right end")
  func direction() throws {
    let svg = Examples.scripts.svg()
    #expect(svg.contains("direction=\"rtl\" text-anchor=\"end\""))
    #expect(!Examples.line.svg().contains("rtl"))
    #expect("(خط) 3".isRightToLeft)
    #expect(!"3 beats خط".isRightToLeft)
    #expect(!"67".isRightToLeft)
  }

  @Test("A PNG has the pixels that were asked for", arguments: Examples.names + ["scripts"])
  func png(name: String) async throws {
    for (width, height, scale) in [(390.0, 320.0, 2.0), (1280, 480, 1)] {
      let size = CanvasSize(width: width, height: height)
      let svg = Examples.chart(name).svg(size: size, appearance: scale == 1 ? .dark : .light)
      let png = try await RenderingProgram.png(of: svg, scale: scale)
      #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
      func number(at place: Int) -> Double { Double(png[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }) }
      #expect(number(at: 16) == width * scale)
      #expect(number(at: 20) == height * scale)
      #expect(Array(png.suffix(8).prefix(4)) == Array("IEND".utf8))
      keep(Data(png), as: "\(name)-\(Int(width)).png")
    }
  }

  @Test("A PDF has a page of the chart's size, and its text", arguments: Examples.names + ["scripts"])
  func pdf(name: String) async throws {
    let chart = Examples.chart(name)
    let pdf = try await RenderingProgram.pdf(of: chart.svg(size: CanvasSize(width: 800, height: 400)))
    let read = try self.read(pdf)
    #expect(read.contains("<page width=\"600.000000\" height=\"300.000000\">"))
    for word in chart.heading.title.split(separator: " ") where word.allSatisfy(\.isASCII) {
      #expect(read.contains(">\(word)</word>"), "\(word)")
    }
    keep(Data(pdf), as: "\(name).pdf")
  }

  @Test("A day of heart rate becomes a PNG, whatever its size")
  func day() async throws {
    let size = CanvasSize(width: 1280, height: 480)
    let nothing = try await RenderingProgram.png(
      of: LineChart(plots: [], vertical: .heartRate).svg(size: size), scale: 1)
    #expect(try await RenderingProgram.png(of: Examples.day.svg(size: size), scale: 1).count > 2 * nothing.count)
  }

  @Test(
    "The widths of our tables are those of the fonts that are drawn",
    arguments: ["rate", "0123456789", "count/min", "≥×−…", "Größe", "ěšč", "Ωμ", "Пульс"], [false, true])
  func widths(text: String, isBold: Bool) async throws {
    let weight = isBold ? 700 : 400
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="800" height="100" font-family="\(PageRuler.fonts)">
      <text x="10" y="50" font-size="40" font-weight="\(weight)">\(text)</text></svg>
      """
    let word = try #require(
      read(try await RenderingProgram.pdf(of: svg)).firstMatch(of: /<word xMin="([0-9.]+)".* xMax="([0-9.]+)"/))
    let drawn = (try #require(Double(word.2)) - #require(Double(word.1))) / 0.75
    let width = PageRuler().width(of: text, in: Font(size: 40, isBold: isBold))
    #expect(abs(drawn - width) < width * 0.02)
  }

  /// The pages and words of a PDF, as another program reads them.
  private func read(_ pdf: [UInt8]) throws -> String {
    let scratch = try ScratchFolder()
    try Data(pdf).write(to: URL(filePath: scratch["x.pdf"]))
    let (status, output, error) = try Program.run("pdftotext", ["-bbox", scratch["x.pdf"], "-"])
    #expect(status == 0, "\(error)")
    return output
  }

  /// Puts a file into the folder that `STATION_PICTURES` names, to be looked at.
  private func keep(_ data: Data, as name: String) {
    guard let folder = ProcessInfo.processInfo.environment["STATION_PICTURES"] else { return }
    try? data.write(to: URL(filePath: "\(folder)/\(name)"))
  }
}
