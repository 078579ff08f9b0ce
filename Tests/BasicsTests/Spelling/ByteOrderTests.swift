import Basics
import Testing

@Suite("The order of texts by their bytes")
struct ByteOrderTests {
  private static let texts = [
    "", "a", "ab", "b", "B", "z", "é", "e\u{301}", "a\0", "a\0b", "\u{FFFF}", "😀",
    "a text of more than fifteen bytes", "a text of more than fifteen bytet",
  ]

  @Test("A text precedes another where its bytes do", arguments: texts)
  func order(text: String) {
    for other in Self.texts {
      #expect(text.precedes(other) == text.utf8.lexicographicallyPrecedes(other.utf8), "“\(text)” and “\(other)”")
    }
  }
}
