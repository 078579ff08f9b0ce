import Spelling
import Testing

@testable import Study

@Suite("Near misses")
struct SpellingTests {
  @Test(
    "The optimal string alignment distance",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("Saturday", "Sunday", 3), ("ab", "ba", 1),
      ("tilte", "title", 1), ("ca", "abc", 3), ("rest", "rest", 0), ("flaw", "lawn", 2),
    ])
  func distance(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(Array(left), Array(right)) == distance)
    #expect(Spelling.distance(Array(right), Array(left)) == distance)
  }

  private static let keys = ["stepDuration", "title", "text", "fadeIn_ms", "fadeOut_ms", "settle_s", "target_LUFS"]

  @Test(
    "The nearest known word is suggested, if one is near",
    arguments: [
      ("stepDuratoin", "stepDuration"), ("STEPDURATION", "stepDuration"), ("step-duration", "stepDuration"),
      ("duration", "stepDuration"), ("tilte", "title"), ("txt", "text"), ("fadeIn", "fadeIn_ms"),
      ("fadeout", "fadeOut_ms"),
      ("settle", "settle_s"), ("target", "target_LUFS"), ("colour", nil), ("", nil), ("_", nil), ("x", nil),
      ("kind", nil),
      (String(repeating: "stepDuration", count: 20), nil),
    ] as [(String, String?)])
  func nearest(word: String, suggestion: String?) {
    #expect(Spelling.nearest(to: word, among: Self.keys) == suggestion)
  }
}

@Suite("Texts that people are shown")
struct VisibleTests {
  @Test(
    "What a terminal would obey is escaped, and everything else stays",
    arguments: [
      ("rain", "rain"), ("Übung 🎵 日本 👩‍🔬", "Übung 🎵 日本 👩‍🔬"), ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#),
      ("a\nb\r\n", #"a\nb\u{D}\n"#), ("\u{0}\t\u{7F}\u{9B}", #"\u{0}\u{9}\u{7F}\u{9B}"#),
      ("a\u{2028}b", #"a\u{2028}b"#), ("gpj\u{202E}3pm", #"gpj\u{202E}3pm"#),
    ])
  func visible(text: String, shown: String) {
    #expect(text.visible == shown)
    #expect(text.visible.visible == shown)
  }

  @Test("A text of several lines keeps them")
  func lines() { #expect("a\nb\u{1B}c".visibleLines == "a\nb\\u{1B}c") }
}
