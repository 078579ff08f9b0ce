import Basics
import Testing

@testable import Study

@Suite("What answers a question")
struct AnswerFormatTests {
  private static let age = AnswerFormat.integer(NumberAnswerFormat(minimum: 18, maximum: 99))
  private static let born = AnswerFormat.date(
    DateAnswerFormat(earliest: CalendarDate("1900-01-01"), latest: CalendarDate("2024-02-29")))
  private static let hands = AnswerFormat.choice([AnswerChoice("left"), AnswerChoice("right", text: "The right one")])
  private static let two = AnswerFormat.choices(["a", "b", "c"].map { AnswerChoice($0) }, count: 1...2)
  private static let line = AnswerFormat.visualAnalogue(ScaleAnswerFormat(minimum: 0, maximum: 100))

  @Test(
    "Types, ranges and choices are held, each with its code",
    arguments: [
      (.text(maximumLength: 3), .text("äöü"), nil), (.text(maximumLength: 3), .text("abcd"), .tooLong(4)),
      (.text(maximumLength: 3), .text("e\u{301}e\u{301}"), .tooLong(4)),
      (.text(maximumLength: 3), .text(" "), .missing),
      (.text(maximumLength: 3), .integer(1), .wrongType(.integer(1))),
      (age, .integer(18), nil), (age, .integer(17), .outOfRange(.integer(17))),
      (age, .integer(100), .outOfRange(.integer(100))), (age, .decimal(18.5), .wrongType(.decimal(18.5))),
      (age, .text("old"), .wrongType(.text("old"))),
      (.decimal(NumberAnswerFormat(minimum: 0.5)), .integer(1), nil),
      (.decimal(NumberAnswerFormat(minimum: 0.5)), .decimal(0.25), .outOfRange(.decimal(0.25))),
      (.decimal(NumberAnswerFormat()), .decimal(.infinity), .outOfRange(.decimal(.infinity))),
      (.boolean, .boolean(false), nil), (.boolean, .text("no"), .wrongType(.text("no"))),
      (hands, .text("right"), nil), (hands, .text("The right one"), .wrongType(.text("The right one"))),
      (two, .choices(["a", "c"]), nil), (two, .choices([]), .wrongCount(0)),
      (two, .choices(["a", "b", "c"]), .wrongCount(3)),
      (two, .choices(["a", "d"]), .wrongType(.choices(["a", "d"]))),
      (two, .choices(["a", "a"]), .wrongType(.choices(["a", "a"]))),
      (born, .text("2024-02-29"), nil), (born, .text("2023-02-29"), .wrongType(.text("2023-02-29"))),
      (born, .text("1899-12-31"), .outOfRange(.text("1899-12-31"))),
      (born, .text("2024-03-01"), .outOfRange(.text("2024-03-01"))),
      (.time, .text("23:59"), nil), (.time, .text("24:00"), .wrongType(.text("24:00"))),
      (.time, .text("8:30"), .wrongType(.text("8:30"))), (.time, .text("08:60"), .wrongType(.text("08:60"))),
      (line, .integer(100), nil), (line, .integer(101), .outOfRange(.integer(101))),
    ] as [(AnswerFormat, AnswerValue, AnswerProblem?)])
  func problems(format: AnswerFormat, value: AnswerValue, problem: AnswerProblem?) {
    #expect(format.problem(with: value) == problem)
  }

  @Test(
    "Values are plain in JSON, and are read again",
    arguments: [
      (.integer(-7), -7), (.decimal(1.75), 1.75), (.boolean(true), true), (.text("7"), "7"),
      (.text("\u{202E}\u{1B}[2J\u{0}"), "\u{202E}\u{1B}[2J\u{0}"), (.choices(["a", "b"]), ["a", "b"]),
      (.choices([]), []),
    ] as [(AnswerValue, JSONValue)])
  func json(value: AnswerValue, json: JSONValue) throws {
    #expect(try JSONValue(encoding: value) == json)
    #expect(try JSONReader.read(json.encoded()).value.decoded(as: AnswerValue.self) == value)
  }

  @Test(
    "A whole number is an integer, as JSON writes it", arguments: [(5.0, AnswerValue.integer(5)), (5.5, .decimal(5.5))])
  func whole(number: Double, value: AnswerValue) { #expect(AnswerValue(number: number) == value) }

  @Test("Other JSON is not an answer", arguments: [.null, [:], [1], [["a"]]] as [JSONValue])
  func notAnAnswer(json: JSONValue) {
    #expect(throws: JSONCodingError.self) { try json.decoded(as: AnswerValue.self) }
  }

  @Test("A participant is told the limits in every language, and no placeholder is left", arguments: Language.allCases)
  func notices(language: Language) {
    let phrases = Phrases(language: language)
    let cases: [(AnswerProblem, AnswerFormat, [String])] = [
      (.outOfRange(.integer(17)), Self.age, ["18", "99"]),
      (.outOfRange(.integer(17)), .integer(NumberAnswerFormat(minimum: 18)), ["18"]),
      (.outOfRange(.integer(100)), .integer(NumberAnswerFormat(maximum: 99.5)), ["99.5"]),
      (.outOfRange(.text("1899-12-31")), Self.born, ["1900-01-01"]),
      (.outOfRange(.text("2024-03-01")), Self.born, ["2024-02-29"]),
      (.tooLong(9), .text(maximumLength: 8), ["8"]), (.wrongCount(0), Self.two, ["1"]),
      (.wrongCount(3), Self.two, ["2"]),
      (.missing, .scale(ScaleAnswerFormat(minimum: 1, maximum: 9)), ["1", "9"]),
    ]
    for (problem, format, limits) in cases {
      let notice = phrases.notice(of: problem, for: format)
      #expect(limits.map(phrases.written).allSatisfy(notice.contains) && !notice.contains("{"), "\(notice)")
    }
    let kinds: [AnswerFormat] = [
      .text(maximumLength: 8), Self.age, .decimal(NumberAnswerFormat()), .boolean, Self.hands, Self.two, Self.born,
      .time,
      Self.line,
    ]
    let wrong = kinds.map { phrases.notice(of: .wrongType(.text("?")), for: $0) }
    #expect(Set(wrong).count >= 7 && wrong.allSatisfy { !$0.isEmpty && !$0.contains("{") })
    #expect(Set(kinds.map { phrases.notice(of: .missing, for: $0) }) == [phrases[.missing]])
    if language != .english {
      let same = Phrase.allCases.filter { phrases[$0] == Phrases()[$0] }
      #expect(same.allSatisfy { [.no, .minutes].contains($0) }, "\(same)")
    }
  }
}
