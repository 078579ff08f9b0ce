import Basics
import Testing

@testable import Study

@Suite("Rules on answers and steps")
struct RuleTests {
  private static let mood = Question(
    identifier: "mood", format: .scale(ScaleAnswerFormat(minimum: 1, maximum: 9)))
  private static let played = Question(
    identifier: "played", format: .choices(["piano", "drums"].map { AnswerChoice($0) }, count: 1...2))

  private static var facts: RuleFacts {
    var facts = RuleFacts()
    facts.take(.integer(5), to: mood, ofStep: "mood")
    facts.take(.choices(["piano", "drums"]), to: played, ofStep: "you")
    facts.take(.skipped, ofStep: "you")
    return facts
  }

  @Test(
    "A rule holds as it says; nothing but its absence holds for a missing answer",
    arguments: [
      (.answer("mood", .isValue(.integer(5))), true), (.answer("mood.mood", .isValue(.integer(5))), true),
      (.answer("mood", .isValue(.integer(4))), false), (.answer("mood", .isNot(.integer(4))), true),
      (.answer("mood", .isNot(.integer(5))), false), (.answer("mood", .below(5)), false),
      (.answer("mood", .below(5.5)), true),
      (.answer("mood", .above(5)), false), (.answer("mood", .above(4)), true), (.answer("mood", .isMissing), false),
      (.answer("you.played", .isValue(.choices(["drums", "piano"]))), true),
      (.answer("you.played", .isValue(.choices(["drums"]))), false), (.answer("you.played", .includes("drums")), true),
      (.answer("you.played", .includes("violin")), false), (.answer("played", .includes("drums")), false),
      (.answer("gone", .isValue(.integer(5))), false), (.answer("gone", .isNot(.integer(5))), true),
      (.answer("gone", .below(5)), false), (.answer("gone", .above(5)), false),
      (.answer("gone", .includes("a")), false),
      (.answer("gone", .isMissing), true), (.step("you", .skipped), true), (.step("you", .finished), false),
      (.step("you", .notShown), false), (.step("end", .notShown), true),
      (.all([.step("you", .skipped), .answer("gone", .isMissing)]), true),
      (.all([.step("you", .skipped), .answer("mood", .isMissing)]), false),
      (.any([.step("you", .finished), .answer("gone", .isMissing)]), true),
      (.any([.step("you", .finished), .answer("mood", .isMissing)]), false), (.not(.step("you", .skipped)), false),
    ] as [(Rule, Bool)])
  func holds(rule: Rule, isTrue: Bool) {
    #expect(Self.facts.satisfy(rule) == isTrue)
    #expect(Self.facts.satisfy(.not(rule)) == !isTrue)
  }

  @Test("An answer that is taken back is missing")
  func forgotten() {
    var facts = Self.facts
    facts.take(nil, to: Self.mood, ofStep: "mood")
    #expect(facts.satisfy(.answer("mood", .isMissing)))
  }

  @Test("Rules are read as they are written")
  func read() throws {
    let bytes = try Corpus.good.bytes(of: "rules-every-kind")
    let steps = try StudyProtocolReader.read(bytes, fileName: "p.json").studyProtocol.steps
    guard let form = steps[1].kind as? FormStep else {
      Issue.record("the second step is not a form")
      return
    }
    #expect(
      form.questions.map(\.skipWhen) == [
        nil, .answer("you.plays", .isValue(.boolean(false))), .not(.answer("you.plays", .isValue(.boolean(true)))),
      ])
    #expect(
      steps[2].skipWhen
        == .all([
          .answer("valence", .isValue(.integer(5))),
          .any([.answer("valence", .isNot(.integer(5))), .answer("you.what", .includes("piano"))]),
          .not(.answer("you.years", .below(2.5))), .answer("you.years", .above(1)), .answer("you.what", .isMissing),
          .step("you", .skipped),
        ]))
    #expect(
      steps[3].navigation == [
        NavigationRule(when: .step("b", .skipped), .step("valence")),
        NavigationRule(when: .answer("you.what", .isValue(.choices(["drums", "piano"]))), .end),
        NavigationRule(.step("c")),
      ])
  }
}
