import Basics
import Testing

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

  @Test(
    "Names are listed, and of many the first",
    arguments: [(0, ""), (2, "“n0”, “n1”"), (40, "“n39”"), (4000, "“n39” and 3960 more")])
  func list(count: Int, end: String) {
    let list = Spelling.list((0..<count).map { "n\($0)" })
    #expect(list.hasSuffix(end) && list.count { $0 == "“" } == min(count, 40))
    #expect(Spelling.advice(for: "x", among: (0..<count).map { "n\($0)" }).hasSuffix(list))
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
