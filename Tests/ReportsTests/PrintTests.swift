import Charts
import Testing

@testable import Reports

@Suite("A printed report")
struct PrintTests {
  /// What the pages of a report hold, with the rows and charts that must not be cut.
  private func pages(_ report: Report) throws -> [[PageItem]] {
    let writer = try PageWriter(size: PageStyle.size, title: report.title)
    return PageFlow(PagePieces(report, ruler: writer).pieces).pages
  }

  @Test("keeps everything on its pages, above their feet", arguments: Pages.names)
  func places(name: String) async throws {
    let report = try await Pages.trial(try #require(Pages.stories[name]))
    let writer = try PageWriter(size: PageStyle.size, title: report.title)
    for page in try pages(report) {
      for item in page { check(item, writer) }
    }
  }

  private func check(_ item: PageItem, _ writer: PageWriter) {
    func isInside(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ what: String) {
      #expect(x >= 0 && x + width <= PageStyle.width + 1, "\(what) is at \(x), \(width) wide")
      #expect(y >= PageStyle.top - 1 && y + height <= PageStyle.bottom + 2, "\(what) is at \(y), \(height) high")
    }
    switch item {
    case .text(let text, let x, let y):
      let (width, height) = writer.size(of: text)
      if let room = text.width {
        #expect(width <= room + 1, "“\(text.runs.map(\.text).joined())” is wider than its place")
      }
      isInside(x, y, width, height, "“\(text.runs.map(\.text).joined())”")
    case .fill(let x, let y, let width, let height, _): isInside(x, y, width, height, "a surface")
    case .chart(_, let x, let y, let size): isInside(x, y, size.width, size.height, "a chart")
    case .tagged(_, let items): for item in items { check(item, writer) }
    case .entry: break
    }
  }

  @Test("repeats the head of a table on every page, and loses no row", arguments: [3, 40, 400])
  func longTable(count: Int) throws {
    let table = DataTable(
      caption: "Many", columns: [.init(title: "number"), .init(title: "words")],
      groups: [
        .init(
          title: nil,
          rows: (0..<count).map {
            .init([StyledText("row \($0)"), StyledText(String(repeating: "word ", count: $0 % 90))])
          })
      ])
    let pages = try pages(
      Report(kind: "Test", heading: "Test", lead: "Test", sections: [Section("Table", [.table(table)])], footer: ""))
    let texts = pages.map { $0.flatMap(Self.texts) }
    for row in 0..<count { #expect(texts.joined().count { $0 == "row \(row)" } == 1) }
    for page in texts { #expect(page.count { $0 == "number" } == 1) }
    #expect(count < 10 ? pages.count == 1 : pages.count > 1)
  }

  @Test("shortens what would not fit a page, and says so by its dots")
  func endless() throws {
    let words = StyledText(String(repeating: "endless ", count: 20_000))
    let report = Report(
      kind: "Test", heading: "Test", lead: "Test",
      sections: [Section("Facts", [.facts([Fact("words", words)]), .paragraph(words)])], footer: "")
    let writer = try PageWriter(size: PageStyle.size, title: "")
    for page in try pages(report) { for item in page { check(item, writer) } }
    #expect(try report.pdf().count > 1000)
  }

  @Test("leaves no heading alone at the foot of a page")
  func headings() throws {
    for fill in 20..<60 {
      let sections = [
        Section("Lines", (0..<fill).map { .paragraph(StyledText("line \($0)")) }), Section("Last", [.paragraph("end")]),
      ]
      let pages = try pages(Report(kind: "Test", heading: "Test", lead: "Test", sections: sections, footer: ""))
      let texts = pages.map { $0.flatMap(Self.texts) }
      let place = try #require(texts.firstIndex { $0.contains("Last") })
      #expect(texts[place].contains("end"))
    }
  }

  @Test("has a title, a table of contents, tags, and page numbers")
  func document() async throws {
    let report = try await Pages.trial(Story())
    let pdf = String(decoding: try report.pdf(), as: UTF8.self)
    #expect(pdf.hasPrefix("%PDF-1."))
    #expect(pdf.hasSuffix("%%EOF\n"))
    #expect(pdf.contains("/Title"))
    #expect(pdf.contains("/Outlines"))
    #expect(pdf.contains("/MarkInfo << /Marked true >>"))
    #expect(!pdf.contains("/CreationDate"))
  }

  @Test("is made whatever files say, pictures from a font included")
  func hostile() async throws {
    let pdf = try await Pages.trial(try #require(Pages.stories["hostile"])).pdf()
    #expect(String(decoding: pdf, as: UTF8.self).hasSuffix("%%EOF\n"))
  }

  private static func texts(_ item: PageItem) -> [String] {
    switch item {
    case .text(let text, _, _): [text.runs.map(\.text).joined()]
    case .tagged(_, let items): items.flatMap(texts)
    case .fill, .chart, .entry: []
    }
  }
}
