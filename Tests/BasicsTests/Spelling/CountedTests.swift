import Basics
import Testing

@Suite("Counted things")
struct CountedTests {
  @Test(
    "One is told as one, and none as several",
    arguments: [(0, "0 trials"), (1, "1 trial"), (2, "2 trials"), (-1, "-1 trials")])
  func regular(count: Int, words: String) { #expect(count.counted("trial") == words) }

  @Test("A plural of its own is used", arguments: [(1, "1 sample was"), (12, "12 samples were")])
  func irregular(count: Int, words: String) { #expect(count.counted("sample was", "samples were") == words) }
}
