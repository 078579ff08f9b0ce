import Basics
import Study
import Testing

@testable import Experiment

@Suite("Entering a number on a scale")
struct ScaleEntryTests {
  @Test(
    "Digits type a number, arrow keys move the mark, the backspace key takes a digit back",
    arguments: [
      ("7", 1, 9, 7), ("37", 1, 9, 7), ("0", 1, 9, 0), ("42", 0, 100, 42), ("421", 0, 100, 1), ("42<", 0, 100, 4),
      ("4<", 1, 9, nil), (">", 1, 9, 5), (">>", 1, 9, 6), (">(((((((", 1, 9, 1), ("8>>>", 1, 9, 9), ("3(", 1, 9, 2),
    ] as [(String, Int, Int, Int?)])
  func number(keys: String, minimum: Int, maximum: Int, number: Int?) {
    var entry = Self.entry(minimum, maximum)
    for key in keys {
      let key: OperatorKey =
        switch key {
        case ">": .arrow(.right)
        case "(": .arrow(.left)
        case "<": .letter("\u{7F}")
        default: .letter(key)
        }
      #expect(entry.take(key) == .used)
    }
    #expect(entry.number == number)
    #expect(entry.take(.enter) == (number.map { .answers(.integer($0)) } ?? .unused))
  }

  @Test(
    "On a line only a whole number is an answer",
    arguments: [("7", 7), (" 7 ", 7), ("42", 42), ("7.5", 999_999), ("x7", 999_999), ("-3", 999_999)])
  func line(text: String, number: Int) {
    var entry = ScaleEntry(
      Question(identifier: "valence", format: .scale(ScaleAnswerFormat(minimum: 0, maximum: 100))), isLine: true)
    for letter in text { _ = entry.take(.letter(letter)) }
    #expect(entry.number == number)
  }

  @Test("Commands pass", arguments: [OperatorKey.letter("p"), .letter("s"), .end, .enter])
  func commands(key: OperatorKey) {
    var entry = Self.entry(1, 9)
    #expect(entry.take(key) == .unused)
  }

  @Test("The scale fills the width, with its anchors below")
  func rows() {
    var entry = Self.entry(1, 9)
    #expect(
      entry.rows(width: 38) == [
        "-1---2---3---4---5---6---7---8---9-",
        "unpleasant    neutral      pleasant",
      ])
    _ = entry.take(.letter("9"))
    #expect(
      entry.rows(width: 58) == [
        "-1-----2-----3-----4-----5-----6-----7-----8----[9]",
        "unpleasant            neutral              pleasant",
      ])
  }

  @Test(
    "Every width gets rows of one width that fit", arguments: [5, 10, 20, 38, 58, 72, 200], [(1, 9), (0, 100), (1, 2)])
  func fits(width: Int, range: (Int, Int)) {
    var entry = Self.entry(range.0, range.1)
    for key in [OperatorKey.arrow(.left), .letter("1"), .letter("2")] {
      let rows = entry.rows(width: width)
      #expect(rows.allSatisfy { $0.displayWidth == rows[0].displayWidth && $0.displayWidth <= width })
      _ = entry.take(key)
    }
  }

  private static func entry(_ minimum: Int, _ maximum: Int) -> ScaleEntry {
    ScaleEntry(
      Question(
        identifier: "q",
        format: .scale(
          ScaleAnswerFormat(
            minimum: minimum, maximum: maximum, anchors: [1: "unpleasant", 5: "neutral", 9: "pleasant"]))))
  }
}

@Suite("The keys of a terminal")
struct KeyDecoderTests {
  @Test(
    "Bytes become keys; sequences of other keys mean nothing",
    arguments: [
      ("7p", [.letter("7"), .letter("p")]), ("\u{1B}[C\u{1B}[D", [.arrow(.right), .arrow(.left)]),
      ("\u{1B}OA\u{1B}OB", [.arrow(.up), .arrow(.down)]), ("\u{1B}[1;5C", [.arrow(.right)]),
      ("\u{1B}[3~s", [.letter("s")]),
      ("\u{1B}\n", [.enter]), ("\u{1B}[\n7", [.enter, .letter("7")]), ("\r\n\n", [.enter, .enter]),
      ("\u{1B}p", [.letter("p")]), ("ß", []), ("\u{7F}", [.letter("\u{7F}")]), ("\u{1B}[15~\u{1B}[C", [.arrow(.right)]),
    ] as [(String, [OperatorKey])])
  func keys(text: String, keys: [OperatorKey]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.compactMap { decoder.take($0) } == keys)
  }
}
