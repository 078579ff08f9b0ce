import Basics
import Study
import Testing

@testable import Session

@Suite("Drawing a scale")
struct ScaleEntryTests {
  @Test("The scale fills the width, with its anchors below")
  func rows() {
    var entry = Self.entry(1, 9)
    #expect(
      entry.rows(width: 38).rows == [
        "-1---2---3---4---5---6---7---8---9-",
        "unpleasant    neutral      pleasant",
      ])
    _ = entry.take(.letter("9"))
    #expect(
      entry.rows(width: 58).rows == [
        "-1-----2-----3-----4-----5-----6-----7-----8----[9]",
        "unpleasant            neutral              pleasant",
      ])
  }

  @Test(
    "Every width gets rows of one width that fit", arguments: [5, 10, 20, 38, 58, 72, 200], [(1, 9), (0, 100), (1, 2)])
  func fits(width: Int, range: (Int, Int)) {
    var entry = Self.entry(range.0, range.1)
    for key in [OperatorKey.arrow(.left), .letter("1"), .letter("2")] {
      let rows = entry.rows(width: width).rows
      #expect(rows.allSatisfy { $0.displayWidth == rows[0].displayWidth && $0.displayWidth <= width })
      _ = entry.take(key)
    }
  }

  @Test("Anchors that do not fit below their numbers are listed, whole", arguments: [10, 38, 72])
  func listed(width: Int) {
    let words = ["completely disagree", "disagree", "neither agree nor disagree", "agree", "completely agree"]
    let anchors = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($0 + 1, $1) })
    let rows = ScaleEntry(ScaleAnswerFormat(minimum: 1, maximum: 5, anchors: anchors)).rows(width: width).rows
    #expect(rows.allSatisfy { $0.displayWidth == rows[0].displayWidth && $0.displayWidth <= width })
    let shown = rows.dropFirst().joined().filter { $0 != " " }
    for (number, text) in anchors { #expect(shown.contains("\(number)" + text.filter { $0 != " " })) }
  }

  private static func entry(_ minimum: Int, _ maximum: Int) -> ScaleEntry {
    ScaleEntry(
      ScaleAnswerFormat(
        minimum: minimum, maximum: maximum, anchors: [1: "unpleasant", 5: "neutral", 9: "pleasant"]))
  }
}
