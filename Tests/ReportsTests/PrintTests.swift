import Charts
import Foundation
import TestSupport
import Testing

@testable import Reports

@Suite("A printed report")
struct PrintTests {
  /// The words of each printed page, and what the PDF says of itself.
  private func pages(_ report: Report) async throws -> (texts: [String], facts: String) {
    let scratch = try ScratchFolder()
    try await Data(RenderingProgram.print(report.html())).write(to: URL(filePath: scratch["x.pdf"]))
    let text = try Program.run("pdftotext", ["-layout", scratch["x.pdf"], "-"])
    #expect(text.status == 0, "\(text.error)")
    let facts = try Program.run("pdfinfo", [scratch["x.pdf"]])
    return (text.output.split(separator: "\u{c}").map(String.init), facts.output)
  }

  private func report(_ blocks: [Block], footer: StyledText = "The foot") -> Report {
    Report(kind: "Test", heading: "A test", lead: "Test", sections: [Section("Part", blocks)], footer: footer)
  }

  @Test("repeats the head of a table on every page, and neither loses nor splits a row", arguments: [3, 40, 300])
  func longTable(count: Int) async throws {
    let table = DataTable(
      caption: "Many", columns: [.init(title: "item"), .init(title: "words")],
      groups: [
        .init(
          title: nil,
          rows: (0..<count).map {
            .init([
              StyledText("row\($0)."),
              StyledText("begin\($0). " + String(repeating: "word ", count: $0 % 90) + "end\($0)."),
            ])
          })
      ])
    let (texts, _) = try await pages(report([.table(table)]))
    for row in 0..<count {
      let page = try #require(texts.first { $0.contains("row\(row).") })
      #expect(page.contains("begin\(row).") && page.contains("end\(row)."), "row \(row)")
      #expect(texts.count { $0.contains("row\(row).") } == 1)
    }
    for page in texts where page.contains("begin") { #expect(page.contains("item")) }
    #expect(count < 10 ? texts.count == 1 : texts.count > 1)
  }

  @Test("leaves no heading and no fold alone at the foot of a page")
  func headings() async throws {
    let blocks: [Block] = (1..<45).flatMap { count -> [Block] in
      [
        .section(Section(StyledText("Heading \(count)."), [.paragraph(StyledText("first\(count)."))])),
        .details(StyledText("Fold \(count)."), [.paragraph(StyledText("inside\(count)."))]),
      ] + (0..<count % 7).map { _ in .paragraph("line") }
    }
    let (texts, _) = try await pages(report(blocks))
    #expect(texts.count > 3)
    for count in 1..<45 {
      for (above, below) in [("Heading \(count).", "first\(count)."), ("Fold \(count).", "inside\(count).")] {
        let page = try #require(texts.first { $0.contains(above) })
        #expect(page.contains(below), "\(above)")
      }
    }
  }

  @Test("has pages of A4 with numbers and its foot, a title, tags and a table of contents")
  func document() async throws {
    let report = try await Pages.trial(Story(extra: [40]))
    let (texts, facts) = try await pages(report)
    #expect(facts.contains("(A4)") && facts.contains("Title:           \(report.title)"), "\(facts)")
    #expect(facts.contains(/Tagged: +yes/))
    for (index, text) in texts.enumerated() {
      #expect(text.contains("page \(index + 1) of \(texts.count)"))
      #expect(text.contains(report.footer.text.prefix(30)), "\(text.suffix(300))")
    }
  }

  @Test("shows all words of files as words, those of the foot too")
  func hostile() async throws {
    let (texts, _) = try await pages(try await Pages.trial(try #require(Pages.stories["hostile"])))
    #expect(texts.joined().contains("<script>alert(1)</script>"))
    let foot = "\"}</style><b>\\ é &amp; end"
    let (feet, _) = try await pages(report([.paragraph("text")], footer: StyledText(foot, .given)))
    #expect(feet.count == 1)
    #expect(feet[0].contains(foot), "\(feet[0])")
  }
}
