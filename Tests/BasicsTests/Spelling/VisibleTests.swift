import Basics
import Testing

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
