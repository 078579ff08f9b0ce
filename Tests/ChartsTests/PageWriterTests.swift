import Testing

@testable import Charts

@Suite("Pages of a PDF")
struct PageWriterTests {
  private func pdf(_ pages: Int, _ draw: (PageWriter) -> Void = { _ in }) throws -> String {
    let writer = try PageWriter(size: .a4, title: "A title", subject: "a subject")
    for page in 1...pages {
      if page > 1 { writer.nextPage() }
      writer.tagged("P") { writer.write(PageText([.init("page \(page)")], size: 12), x: 50, y: 50) }
      draw(writer)
    }
    return String(decoding: try writer.finish(), as: UTF8.self)
  }

  @Test("are as many as were gone on to, of A4, with the same bytes every time", arguments: [1, 3, 12])
  func pages(count: Int) throws {
    let text = try pdf(count)
    #expect(text.contains("/Count \(count)\n"))
    #expect(text.contains("/MediaBox [ 0 0 595.275574 841.889771 ]") || text.contains("/MediaBox [ 0 0 595.27"))
    #expect(try pdf(count) == text)
    #expect(!text.contains("/CreationDate"))
  }

  @Test("break commands between words only, but for words that no line could hold")
  func commands() throws {
    var text = PageText([.init("analyse . --definitions " + String(repeating: "x", count: 100))], size: 12, width: 100)
    #expect(!text.markup.contains("allow_breaks"))
    text.keepsWords = true
    #expect(text.markup.contains(#"<span allow_breaks="false">--definitions</span> xxx"#))
    _ = try pdf(1) { $0.write(text, x: 50, y: 80) }
  }

  @Test("hold charts, entries and tags")
  func parts() throws {
    let text = try pdf(2) { writer in
      writer.addEntry("Chapter", level: 1, y: 40)
      writer.addEntry("Part", level: 2, y: 60)
      writer.fill(x: 10, y: 10, width: 100, height: 5, PageColour(0x123456))
      writer.tagged("Figure") {
        writer.draw(Examples.line, x: 20, y: 100, size: CanvasSize(width: 400, height: 200), scale: 0.8)
      }
    }
    for part in [
      "/Outlines", "(Chapter)", "(Part)", "/MarkInfo << /Marked true >>", "/StructTreeRoot", "/Figure",
      "/Title (A title)",
    ] {
      #expect(text.contains(part), "“\(part)” is missing")
    }
  }

  @Test("break words into lines, and cut those that are too many")
  func lines() throws {
    let writer = try PageWriter(size: .a4, title: "")
    let words = String(repeating: "beat ", count: 200)
    let one = writer.size(of: PageText([.init("beat")], size: 12))
    let many = writer.size(of: PageText([.init(words)], size: 12, width: 300))
    #expect(many.width <= 300)
    #expect(many.height > 10 * one.height)
    let cut = writer.size(of: PageText([.init(words)], size: 12, width: 300, mostHeight: 3.5 * one.height))
    #expect(cut.height <= 3.5 * one.height)
    #expect(cut.height > 1.5 * one.height)
    // A digest has no spaces, and is broken all the same.
    let digest = String(repeating: "0123456789abcdef", count: 16)
    #expect(writer.size(of: PageText([.init(digest, isMonospaced: true)], size: 12, width: 200)).width <= 200)
  }

  @Test(
    "take any words as words", arguments: ["<b>bold</b>", "a & b", "\u{0}\u{1b}\u{ffff}", "</span>", "شكرا 音楽", ""])
  func anyWords(text: String) throws {
    let writer = try PageWriter(size: .a4, title: text, subject: text)
    let size = writer.size(of: PageText([.init(text)], size: 12))
    #expect(size.height > 5)
    #expect(text.isEmpty || size.width > 5)
    writer.write(PageText([.init(text, isBold: true)], size: 12), x: 0, y: 0)
    writer.addEntry(text, level: 1, y: 0)
    #expect(try writer.finish().count > 500)
  }

  @Test("without tags take letters in colour, and fail in words with them where Cairo does", arguments: [true, false])
  func colouredLetters(isTagged: Bool) throws {
    let writer = try PageWriter(size: .a4, title: "🎵", isTagged: isTagged)
    writer.addEntry("🎵", level: 1, y: 0)
    writer.tagged("P") { writer.write(PageText([.init("🎵 ❤️")], size: 12), x: 50, y: 50) }
    do throws(ChartError) {
      #expect(try writer.finish().count > 500)
    } catch {
      #expect(isTagged)
      #expect(error.description.hasPrefix("cannot draw the chart: "))
    }
  }
}
