import Basics
import Testing

@testable import Session
@testable import Study

@Suite("Simulated answers")
struct SimulatedAnswersTests {
  private static let many = (1...20).map { AnswerChoice("choice \($0)") }
  static let formats: [AnswerFormat] = [
    .text(maximumLength: 1), .text(maximumLength: 12), .text(maximumLength: 10_000), .integer(NumberAnswerFormat()),
    .integer(NumberAnswerFormat(minimum: 18, maximum: 99)), .integer(NumberAnswerFormat(minimum: 500)),
    .integer(NumberAnswerFormat(maximum: -500)),
    .decimal(NumberAnswerFormat()), .decimal(NumberAnswerFormat(minimum: 0.5, maximum: 2.5)),
    .decimal(NumberAnswerFormat(minimum: 0.0001, maximum: 0.0002)), .decimal(NumberAnswerFormat(maximum: -0.5)),
    .boolean, .choice([AnswerChoice("left"), AnswerChoice("right", text: "The right one")]), .choice(many),
    .choices(many, count: 0...20), .choices(many, count: 3...3), .choices([AnswerChoice("radio")], count: 1...1),
    .date(DateAnswerFormat()), .time,
    .date(DateAnswerFormat(earliest: CalendarDate("2024-02-29"), latest: CalendarDate("2024-02-29"))),
    .date(DateAnswerFormat(earliest: CalendarDate("2030-05-05"))),
    .date(DateAnswerFormat(latest: CalendarDate("1901-01-01"))),
    .scale(ScaleAnswerFormat(minimum: 1, maximum: 9)), .scale(ScaleAnswerFormat(minimum: 0, maximum: 100)),
    .scale(ScaleAnswerFormat(minimum: 20, maximum: 30)),
    .visualAnalogue(ScaleAnswerFormat(minimum: 0, maximum: 100, anchors: [0: "no", 100: "yes"])),
  ]

  @Test("Every answer fits its question, and its keys enter exactly that answer", arguments: formats)
  func entered(format: AnswerFormat) throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let answer = try #require(format.simulatedAnswer(using: &random))
      #expect(format.problem(with: answer) == nil, "\(answer)")
      var entry = OpenEntry(Question(identifier: "q", format: format))
      let uses = format.keys(for: answer).map { entry.take($0) }
      #expect(uses.last == .answers(answer) && !uses.dropLast().contains(.unused), "\(answer): \(uses)")
    }
  }

  @Test("Every number of a scale is about as likely as any other: chi-square, 8 degrees of freedom, p > 0.001")
  func uniform() throws {
    let format = AnswerFormat.scale(ScaleAnswerFormat(minimum: 1, maximum: 9))
    var random = SplitMix64(seed: 11)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<9000 {
      guard case .integer(let number) = format.simulatedAnswer(using: &random) else { continue }
      counts[number] += 1
    }
    let statistic = counts[1...].reduce(0.0) { $0 + (Double($1) - 1000) * (Double($1) - 1000) / 1000 }
    #expect(counts[0] == 0 && statistic < 26.12)
  }

  @Test("Limits between which nothing can be typed have no answer")
  func none() {
    var random = SplitMix64(seed: 1)
    let format = AnswerFormat.decimal(NumberAnswerFormat(minimum: 1e-20, maximum: 2e-20))
    #expect(format.simulatedAnswer(using: &random) == nil)
  }
}
