import Quantities
import Testing

@testable import Bundles
@testable import Session
@testable import Study

@Suite("The way through steps after an interruption")
struct StepCourseTests {
  private static func isTrue(_ name: String) -> Rule { .answer(name, .isValue(.boolean(true))) }

  private static func form(
    _ name: String, _ questions: [String], skipWhen: Rule? = nil, _ navigation: [NavigationRule] = []
  ) -> Step {
    Step(
      identifier: name, skipWhen: skipWhen, navigation: navigation,
      kind: FormStep(questions: questions.map { Question(identifier: $0, isRequired: true, format: .boolean) }))
  }

  private static func text(
    _ name: String, skipWhen: Rule? = nil, isRepeated: Bool = false, _ navigation: [NavigationRule] = []
  ) -> Step {
    var step = Step(identifier: name, skipWhen: skipWhen, navigation: navigation, kind: InstructionStep())
    step.isRepeatedOnResume = isRepeated
    return step
  }

  /// Loops, jumps over steps, forms of two questions, and rules that look far back.
  private static func steps(isRepeated: Bool) -> [Step] {
    [
      text("welcome", isRepeated: isRepeated),
      form("you", ["plays", "sings"], [NavigationRule(when: isTrue("you.sings"), .step("try"))]),
      text("never", skipWhen: .step("you", .finished)),
      text("passed"),
      text("try"),
      form("again", ["again"], [NavigationRule(when: isTrue("again"), .step("try"))]),
      // The trials of a step, parted by breaks, as plans have them.
      text("pieces"), text("break"), text("pieces"), text("break"), text("pieces"),
      form("piano", ["likes"], skipWhen: .not(isTrue("you.plays"))),
      text("far", skipWhen: .all([isTrue("you.sings"), .step("passed", .notShown)])),
      text("last", [NavigationRule(when: isTrue("piano.likes"), .end)]),
      text("other"),
    ]
  }

  /// What a participant answers: the loop is left in its third round.
  private static func answer(_ question: String, round: Int) -> Bool { question == "again" ? round < 2 : true }

  /// Performs steps to their end: what was recorded, a second apart.
  private static func records(
    _ steps: [Step], resuming course: StepCourse?, after earlier: [TrialRecord.Step]
  ) -> [JournalRecord] {
    var trial = Course(steps, resuming: course)
    var rounds = Dictionary(earlier.filter { $0.end == .finished }.map { ($0.identifier, 1) }, uniquingKeysWith: +)
    var records: [JournalRecord] = []
    func record(_ event: JournalEvent) {
      records.append(JournalRecord(sequence: records.count, time: .seconds(records.count), event: event))
    }
    var actions = trial.begin()
    for _ in 0..<100 {
      for action in actions {
        switch action {
        case .enter(let step, _): record(.stepStarted(step: steps[step].identifier))
        case .leave(let step, let end):
          rounds[steps[step].identifier, default: 0] += 1
          record(.stepEnded(step: steps[step].identifier, reason: end))
        case .record(let answer):
          record(
            .answered(
              step: steps[answer.step].identifier, question: answer.question, value: answer.value,
              shown: .seconds(records.count)))
        default: break
        }
      }
      if let screen = trial.screen, let question = screen.asked, trial.machine.step != nil {
        let value = answer(question.identifier, round: rounds[screen.step] ?? 0)
        actions = trial.answer(.value(.boolean(value)))
      } else {
        actions = trial.next()
      }
    }
    return records
  }

  private static func fold(_ records: some Sequence<JournalRecord>) -> TrialCourse {
    var course = TrialCourse()
    for record in records { course.take(record.event, at: record.time) }
    return course
  }

  @Test func `Who has consented before has agreed, as rules see it`() {
    let document = ConsentStep.Document(version: "1", sections: [.init(text: "You listen.")])
    let steps = [
      Step(identifier: "consent", kind: ConsentStep(document, isSigned: false)),
      Self.text("never", skipWhen: Self.isTrue("consent.agreement")), Self.text("next"),
    ]
    var before = TrialCourse()
    before.take(.stepStarted(step: "consent"), at: .zero)
    before.take(.stepEnded(step: "consent", reason: .finished), at: .seconds(1))
    #expect(StepCourse(of: steps, after: [(before.steps, before.answers)]).ahead == [2])
  }

  @Test("Wherever steps are cut off, they go on with the answers of before, on the same way", arguments: [false, true])
  func cut(isRepeated: Bool) {
    let steps = Self.steps(isRepeated: isRepeated)
    let whole = Self.records(steps, resuming: nil, after: [])
    let way = Self.fold(whole).steps.map(\.identifier)
    let parted = ["pieces", "break", "pieces", "break", "pieces"]
    #expect(way == ["welcome", "you", "try", "again", "try", "again", "try", "again"] + parted + ["piano", "last"])
    for count in 0..<whole.count {
      let before = Self.fold(whole.prefix(count))
      let course = StepCourse(of: steps, after: [(before.steps, before.answers)])
      let rest = Self.fold(Self.records(steps, resuming: course, after: before.steps)).steps.map(\.identifier)
      let done = before.steps.filter { $0.end == .finished }.map(\.identifier)
      let repeats = isRepeated && !done.isEmpty && done.count < way.count
      #expect(done + rest.dropFirst(repeats ? 1 : 0) == way, "cut after \(count)")
      if repeats { #expect(rest.first == "welcome") }
      // A second interruption, before anything was shown, and after what is repeated.
      #expect(StepCourse(of: steps, after: [(before.steps, before.answers), ([], [])]) == course)
      guard repeats else { continue }
      let welcome = Self.fold([
        JournalRecord(sequence: 0, time: .zero, event: .stepStarted(step: "welcome")),
        JournalRecord(sequence: 1, time: .zero, event: .stepEnded(step: "welcome", reason: .finished)),
      ])
      #expect(StepCourse(of: steps, after: [(before.steps, before.answers), (welcome.steps, [])]) == course)
    }
  }
}
