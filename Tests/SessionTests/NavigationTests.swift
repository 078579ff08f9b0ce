import Basics
import Quantities
import Testing

@testable import Bundles
@testable import Session
@testable import Study

@Suite("Finding the way through a trial")
struct NavigationTests {
  private static func question(_ name: String, skipWhen: Rule? = nil, isRequired: Bool = true) -> Question {
    Question(identifier: name, isRequired: isRequired, skipWhen: skipWhen, format: .boolean)
  }

  private static func form(
    _ name: String, _ navigation: [NavigationRule] = [], questions: [Question]? = nil, optional: Bool = false
  ) -> Step {
    Step(
      identifier: name, isOptional: optional, navigation: navigation,
      kind: FormStep(questions: questions ?? [question(name)]))
  }

  private static func step(_ name: String, skipWhen: Rule? = nil, _ navigation: [NavigationRule] = []) -> Step {
    Step(identifier: name, skipWhen: skipWhen, navigation: navigation, kind: InstructionStep())
  }

  private static func isTrue(_ name: String) -> Rule { .answer(name, .isValue(.boolean(true))) }

  /// The steps that are shown, in order, when these answers are given; Return is pressed where none is asked for.
  private static func shown(_ steps: [Step], _ answers: [Bool], isUnattended: Bool = false) -> (
    names: [String], end: TrialEnd?
  ) {
    var course = Course(steps, isUnattended: isUnattended)
    var actions = course.begin()
    var answers = answers[...]
    for _ in 0..<50 {
      if course.screen?.asked != nil, case .shown = course.phase, let answer = answers.popFirst() {
        actions += course.answer(.value(.boolean(answer)))
      } else {
        actions += course.next()
      }
    }
    actions += course.take(.settled)
    let names = actions.compactMap { if case .enter(let step, _) = $0 { steps[step].identifier } else { nil } }
    let ends = actions.compactMap { if case .close(let end) = $0 { end } else { nil } }
    return (names, ends.first)
  }

  @Test("The first rule that applies leads on, and the next step follows if none does", arguments: [true, false])
  func first(answer: Bool) {
    let rules = [
      NavigationRule(when: .not(.answer("ready", .isMissing)), .step("c")), NavigationRule(.end),
    ]
    let steps = [Self.form("ready", [NavigationRule(when: Self.isTrue("ready"), .step("b"))]), Self.step("a", rules)]
    let all = steps + [Self.step("b", [NavigationRule(.end)]), Self.step("c")]
    let shown = Self.shown(all, [answer])
    #expect(shown.names == (answer ? ["ready", "b"] : ["ready", "a", "c"]) && shown.end == .completed)
  }

  @Test("A step whose rule holds is not shown, the first one included", arguments: [true, false])
  func skipped(answer: Bool) {
    let never = Rule.step("gone", .notShown)
    let steps = [
      Self.step("a", skipWhen: never), Self.form("f"), Self.step("b", skipWhen: Self.isTrue("f")),
      Self.step("c", skipWhen: .step("b", .finished)), Self.step("d", skipWhen: never),
    ]
    #expect(Self.shown(steps, [answer]).names == (answer ? ["f", "c"] : ["f", "b"]))
  }

  @Test("A skipped question asks nothing and has no answer, and does not count as missing")
  func question() {
    let form = Self.form(
      "you",
      questions: [
        Self.question("plays"), Self.question("piano", skipWhen: .answer("you.plays", .isValue(.boolean(false)))),
        Self.question("sings"),
      ], optional: true)
    var course = Course([form, Self.step("end")])
    _ = course.begin()
    let actions = course.answer(.value(.boolean(false)))
    #expect(actions.count == 2 && actions.last == .ask(step: 0, Self.question("sings")))
    let now = course.now
    #expect(
      course.take(.skip) == [
        .record(TrialAnswer(step: 0, question: "sings", value: nil, shown: now, answered: now)),
        .leave(step: 0, .skipped), .enter(step: 1),
      ])
  }

  @Test("A form of which every question is skipped is left when it is shown", arguments: [true, false])
  func empty(isUnattended: Bool) {
    let never = Rule.step("gone", .notShown)
    let steps = [
      Self.form("f", questions: [Self.question("a", skipWhen: never), Self.question("b", skipWhen: never)]),
      Self.step("end"),
    ]
    let shown = Self.shown(steps, [], isUnattended: isUnattended)
    #expect(shown.names == ["f", "end"] && shown.end == .completed)
  }

  @Test("A step that is shown again asks again, its earlier answer forgotten; journal and result hold both in order")
  func again() {
    let again = NavigationRule(when: Self.isTrue("again"), .step("read"))
    let steps = [Self.step("read"), Self.form("again", [again]), Self.step("end")]
    var course = Course(steps)
    var folded = TrialCourse()
    var actions = course.begin() + course.next()
    for answer in [true, true, false] {
      actions += course.answer(.value(.boolean(answer)))
      if answer { actions += course.next() }
    }
    for action in actions {
      switch action {
      case .enter(let step, _): folded.take(.stepStarted(step: steps[step].identifier), at: .zero)
      case .leave(let step, let end): folded.take(.stepEnded(step: steps[step].identifier, reason: end), at: .zero)
      case .record(let answer):
        folded.take(
          .answered(step: "again", question: answer.question, value: answer.value, shown: .zero), at: .zero)
      default: break
      }
    }
    #expect(folded.steps.map(\.identifier) == ["read", "again", "read", "again", "read", "again", "end"])
    #expect(folded.steps.map(\.end) == Array(repeating: .finished, count: 6) + [nil])
    #expect(folded.answers.map(\.value) == [.boolean(true), .boolean(true), .boolean(false)])
  }

  @Test("Rules see that a step was skipped, and the end may come early")
  func results() {
    let ends = [NavigationRule(when: .step("f", .skipped), .end)]
    var course = Course([Self.form("f", ends, optional: true), Self.step("a")])
    _ = course.begin()
    #expect(course.take(.skip).last == .settle)
    var other = Course([Self.form("f", ends, optional: true), Self.step("a")])
    _ = other.begin()
    #expect(other.answer(.value(.boolean(true))).last == .enter(step: 1))
  }

  @Test("Without a person rules see missing answers, and a repetition without an end fails the trial")
  func unattended() {
    let missing = NavigationRule(when: .answer("f", .isMissing), .step("b"))
    let shown = Self.shown([Self.form("f", [missing]), Self.step("a"), Self.step("b")], [], isUnattended: true)
    #expect(shown.names == ["f", "b"] && shown.end == .completed)
    let back = NavigationRule(when: .not(Self.isTrue("f")), .step("a"))
    let endless = Self.shown([Self.step("a"), Self.form("f", [back]), Self.step("b")], [], isUnattended: true)
    guard case .failed? = endless.end else {
      Issue.record("\(endless)")
      return
    }
    #expect(endless.names.count <= 6)
    // A rule that holds once is no repetition without an end.
    let once = NavigationRule(when: .step("b", .notShown), .step("b"))
    let back2 = NavigationRule(when: .step("c", .notShown), .step("a"))
    let twice = Self.shown(
      [Self.step("a"), Self.step("c", skipWhen: .step("b", .notShown), [once]), Self.step("b", [back2])], [],
      isUnattended: true)
    #expect(twice.names == ["a", "b", "a", "c", "b"] && twice.end == .completed)
  }
}
