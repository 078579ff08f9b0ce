import Quantities
import Testing

@testable import Session

@Suite("Lines that were skipped")
struct SkippedLinesTests {
  @Test("The first are reported one by one, a flood of them once a second, and the rest when asked")
  func flood() {
    var skipped = SkippedLines()
    let start = Moment(nanoseconds: 0)
    var told: [SkippedLines.Skipped] = []
    for line in 1...100_020 {
      let now = start.advanced(by: .microseconds(10 * line))
      if let lines = skipped.add(count: 1, firstLine: line, reason: "no number", at: now) { told.append(lines) }
    }
    #expect(told.prefix(20).map(\.count) == Array(repeating: 1, count: 20))
    #expect(told.prefix(20).map(\.firstLine) == Array(1...20))
    #expect(told.count == 21)
    #expect(told.last?.firstLine == 21)
    let rest = skipped.take(at: start.advanced(by: .seconds(2)))
    #expect(told.reduce(0) { $0 + $1.count } + (rest?.count ?? 0) == 100_020)
    #expect(skipped.take(at: start.advanced(by: .seconds(3))) == nil)
    #expect(told.compactMap(\.notice) == ["line 1 could not be read: no number"])
  }

  @Test("People are shown the first with its reason, and then the count, every ten seconds at most")
  func notices() {
    var skipped = SkippedLines()
    let start = Moment(nanoseconds: 0)
    let notices = (0..<25).compactMap { second in
      skipped.add(
        count: 1, firstLine: second + 3, reason: "reason \(second)", at: start.advanced(by: .seconds(second)))?.notice
    }
    #expect(
      notices == [
        "line 3 could not be read: reason 0", "10 more lines could not be read; 11 so far",
        "10 more lines could not be read; 21 so far",
      ])
  }
}
