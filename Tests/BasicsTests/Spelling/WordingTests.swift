import Testing

@testable import Basics

@Suite("A wording")
struct WordingTests {
  @Test("has the range of the merged numbers, each in its own format")
  func merging() {
    func window(_ seconds: Double, _ count: Int) -> Wording { "\(count, "window") of \(seconds, fixed: 1) s." }
    var merged = window(9.8, 4)
    for (seconds, count) in [(10.0, 2), (-1.5, 7), (10, 3)] { merged.merge(window(seconds, count)) }
    #expect("\(merged)" == "2 to 7 windows of -1.5 to 10.0 s.")
    #expect(window(3, 1).description == "1 window of 3.0 s." && window(3, 1).words != merged.words)
  }

  @Test("of text is words, which tell sentences apart, and a part keeps its numbers")
  func parts() {
    func step(_ name: String, _ count: Int) -> Wording {
      "Baseline: \("step “\(name)”, \(count)" as Wording)" + " of 9."
    }
    #expect(step("a1", 2).words == step("a1", 3).words && step("a1", 2).words != step("a2", 2).words)
    #expect(step("a1", 2).description == "Baseline: step “a1”, 2 of 9.")
    var merged = step("a1", 2)
    merged.merge(step("a1", 5))
    #expect("\(merged)" == "Baseline: step “a1”, 2 to 5 of 9.")
  }
}
