import Basics
import Testing

@Suite("Text for a terminal that shows ASCII only")
struct ASCIITests {
  @Test(
    "Letters lose their marks, in one or two code points, and keep their columns",
    arguments: [
      ("größer", "groser"), ("Žluťoučký kůň", "Zlutoucky kun"), ("Zażółć gęślą jaźń", "Zazolc gesla jazn"),
      ("gro\u{308}ser", "groser"), ("¿Qué?", "?Que?"), ("← or →", "< or >"), ("İstanbul", "Istanbul"),
      ("“a” – b…", "\"a\" - b."),
    ])
  func similar(text: String, expected: String) {
    #expect(text.ascii == expected && text.hasASCII)
    #expect(text.ascii.displayWidth == text.displayWidth)
  }

  @Test("Other characters become question marks", arguments: ["Ελληνικά", "日本語", "a😀", "Привет", "½"])
  func others(text: String) { #expect(text.ascii.contains("?") && !text.hasASCII) }

  @Test("A question mark is no such character", arguments: ["", "Why?", "a\nb", "~"])
  func plain(text: String) { #expect(text.hasASCII && text.ascii == text) }
}
