import Basics
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Bundles
@testable import Session
@testable import Study

@Suite("A form step")
struct FormTests {
  private let form = Step.rating("valence")

  @Test("It is shown, takes an answer with both its times, and goes on")
  func answered() {
    var course = Course([form, .ending("end")])
    #expect(course.begin() == [.enter(step: 0), .ask(step: 0, .scale("valence"))])
    let shown = course.now
    course.wait(.seconds(3))
    #expect(
      course.answer(.value(.integer(7))) == [
        .record(
          TrialAnswer(step: 0, question: "valence", value: .integer(7), shown: shown, answered: course.now)),
        .leave(step: 0, .finished), .enter(step: 1),
      ])
  }

  @Test("An answer beyond the scale is refused, and the question stays open", arguments: [0, 10, 100])
  func outOfRange(number: Int) {
    var course = Course([form])
    _ = course.begin()
    for times in 1...2 {
      #expect(course.answer(.value(.integer(number))) == [])
      #expect(course.screen?.notice == .refused(.outOfRange(.integer(number)), times: times))
    }
    #expect(course.screen?.asked == .scale("valence"))
  }

  @Test("A second answer to a screen, and one to a screen that is gone, has no effect")
  func stray() {
    var course = Course([form, .rating("arousal"), .ending("end")])
    _ = course.begin()
    let first = course.screen?.number
    #expect(course.answer(.value(.integer(7)), screen: (first ?? 0) + 1) == [])
    #expect(course.answer(.value(.integer(7))).count == 4)
    #expect(course.screen?.step == "arousal")
    #expect(course.answer(.value(.integer(8)), screen: first) == [])
    #expect(course.phase == .shown(step: 1))
  }

  @Test("Return without an answer goes on only where none is required", arguments: [true, false])
  func required(isRequired: Bool) {
    var course = Course([.rating("valence", isRequired: isRequired), .ending("end")])
    _ = course.begin()
    let actions = course.next()
    #expect(actions.contains(.leave(step: 0, .finished)) == !isRequired)
    #expect((course.screen?.notice == .refused(.missing, times: 1)) == isRequired)
  }

  @Test(
    "It can be skipped where it is optional; a required answer is then recorded as missing", arguments: [true, false])
  func skip(isOptional: Bool) {
    var step = form
    step.isOptional = isOptional
    var course = Course([step, .ending("end")])
    _ = course.begin()
    let now = course.now
    let missing = TrialAnswer(step: 0, question: "valence", value: nil, shown: now, answered: now)
    #expect(
      course.press(.letter("\u{E}"))
        == (isOptional ? [.record(missing), .leave(step: 0, .skipped), .enter(step: 1)] : []))
  }

  @Test("Without a person the answer is missing and not made up")
  func unattended() {
    var course = Course([form], isUnattended: true)
    let now = course.now
    #expect(
      course.begin() == [
        .enter(step: 0),
        .record(TrialAnswer(step: 0, question: "valence", value: nil, shown: now, answered: now)),
        .leave(step: 0, .finished), .settle,
      ])
  }

  @Test("A paused form takes no answer; a stop ends it in any state")
  func pause() {
    var course = Course([form])
    _ = course.begin()
    #expect(course.take(.togglePause) == [.pause(true)])
    #expect(course.answer(.value(.integer(7))) == [])
    #expect(course.take(.togglePause) == [.pause(false)])
    _ = course.take(.togglePause)
    #expect(course.take(.stop) == [.leave(step: 0, .stopped), .settle])
  }

  @Test("Several questions are asked one after the other")
  func several() {
    let questions = ["valence", "arousal"].map { Question.scale($0) }
    var course = Course([Step(identifier: "mood", kind: FormStep(questions: questions))])
    _ = course.begin()
    #expect(course.answer(.value(.integer(7))).last == .ask(step: 0, questions[1]))
    #expect(course.answer(.value(.integer(2))).last == .settle)
  }

  // MARK: Back

  private static func form(_ questions: [Question], allowsBack: Bool = true) -> Step {
    var form = FormStep(questions: questions)
    form.allowsBack = allowsBack
    return Step(identifier: "mood", kind: form)
  }

  @Test("Back asks the question before again with its answer, and what is answered then counts")
  func back() throws {
    let questions = ["valence", "arousal", "control"].map { Question.scale($0) }
    var course = Course([Self.form(questions)])
    _ = course.begin()
    #expect(course.screen?.buttons == [] && course.answer(.back) == [])
    _ = course.answer(.value(.integer(7)))
    #expect(course.screen?.buttons == [.back] && course.screen?.draft == nil)
    let before = course.screen?.number ?? 0
    #expect(course.answer(.back) == [.ask(step: 0, questions[0])])
    #expect(course.screen?.asked == questions[0] && course.screen?.draft == .integer(7))
    #expect(course.screen?.number ?? 0 > before)
    _ = course.answer(.value(.integer(3)))
    _ = course.answer(.value(.integer(4)))
    _ = course.answer(.back)
    #expect(course.screen?.draft == .integer(4))
    _ = course.answer(.value(.integer(5)))
    #expect(course.answer(.value(.integer(6))).contains(.leave(step: 0, .finished)))
  }

  @Test("Without the protocol's leave there is no way back")
  func noBack() {
    let questions = ["valence", "arousal"].map { Question.scale($0) }
    var course = Course([Self.form(questions, allowsBack: false)])
    _ = course.begin()
    _ = course.answer(.value(.integer(7)))
    #expect(course.screen?.buttons == [] && course.answer(.back) == [] && course.screen?.asked == questions[1])
  }

  @Test("An answer that was changed withdraws those to questions that it skips, and leaves the others")
  func withdrawn() throws {
    var piano = Question.scale("piano")
    piano.skipWhen = .answer("mood.plays", .isValue(.boolean(false)))
    let questions = [Question(identifier: "plays", format: .boolean), piano, .scale("age")]
    var course = Course([Self.form(questions)])
    var actions = course.begin()
    actions += course.answer(.value(.boolean(true)))
    for deed in [ScreenAnswer.Deed.value(.integer(7)), .back, .back, .value(.boolean(false)), .value(.integer(2))] {
      actions += course.answer(deed)
    }
    #expect(actions.filter { if case .withdraw = $0 { true } else { false } } == [.withdraw(step: 0, piano)])
    var folded = TrialCourse()
    for event in actions.compactMap({ $0.event(["mood"]) }) {
      folded.take(event, at: .seconds(1))
    }
    #expect(folded.answers.map(\.question) == ["plays", "age"] && folded.answers.map(\.revised) == [1, 0])
    #expect(folded.answers.map(\.value) == [.boolean(false), .integer(2)])
  }

  @Test("A form that is left after going back keeps what was confirmed")
  func leftAfterBack() throws {
    let questions = ["valence", "arousal"].map { Question.scale($0) }
    var step = Self.form(questions)
    step.isOptional = true
    var course = Course([step])
    _ = course.begin()
    _ = course.answer(.value(.integer(7)))
    _ = course.answer(.back)
    let missing = course.take(.command(.skipStep)).compactMap { action -> String? in
      if case .record(let answer) = action { answer.question } else { nil }
    }
    #expect(missing == ["arousal"])
  }

  @Test("Keys are offered to the presenter of an open question, and are commands otherwise")
  func keys() async throws {
    var rehearsal = Rehearsal([.reading("hello"), form, .ending("end")])
    rehearsal.isUnattended = false
    rehearsal.idlePace = .seconds(1)
    rehearsal.presenters = Presenters(LinePresenter(console: SilentDisplay(), hasKeyboard: false))
    let isTyped = Atomic(false)
    let end = try await rehearsal.run { _, trial in
      guard isTyped.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
      for key in [OperatorKey.enter, .letter("0"), .enter, .letter("7"), .enter, .enter] { trial.send(.pressed(key)) }
    }
    #expect(end == .completed)
    #expect(rehearsal.story.filter { $0.hasPrefix("valence: ") } == ["valence: 7"])
  }

  @Test("At a keyboard a key counts on plain lines once what waits for it was printed")
  func typedAhead() {
    let clock = HandClock()
    let presenter = LinePresenter(console: SilentDisplay(), clock: clock)
    func later() -> Moment {
      clock.advance(by: .seconds(1))
      return clock.now
    }
    var number = 0
    func screen(_ entry: Screen.Entry?, _ buttons: [Screen.Button]) -> Screen {
      number += 1
      var screen = Screen.reading("page", number: number)
      (screen.entry, screen.buttons) = (entry, buttons)
      return screen
    }
    let before = clock.now
    #expect(presenter.take(.enter, at: before) == .none)
    for buttons in [[.start], [.finish], [.goOn], [.again]] as [[Screen.Button]] {
      let ahead = later()
      _ = later()
      presenter.show(screen(nil, buttons))
      #expect(presenter.take(.enter, at: ahead) == .none, "\(buttons)")
      #expect(presenter.take(.enter, at: later()).answer?.deed == .goOn, "\(buttons)")
      #expect(presenter.take(.repeated(.letter("s")), at: later()) == .none, "\(buttons)")
    }
    let ahead = later()
    _ = later()
    presenter.show(screen(.question(.scale("q")), []))
    #expect(presenter.take(.letter("7"), at: ahead) == .none)
    #expect(presenter.take(.letter("7"), at: later()) == .shown)
    #expect(presenter.take(.repeated(.letter("7")), at: later()) == .shown)
    presenter.tell(.left(.finished), of: .reading("page"))
    #expect(presenter.take(.enter, at: later()) == .none)
    let piped = LinePresenter(console: SilentDisplay(), hasKeyboard: false, clock: clock)
    piped.show(screen(nil, [.goOn]))
    #expect(piped.take(.enter, at: before).answer?.deed == .goOn)
  }

  @Test("What a terminal repeats while a key is held down neither pauses nor skips", arguments: ["p", "s", "\u{E}"])
  func held(key: Character) async throws {
    var rehearsal = Rehearsal(
      ["r1", "r2", "r3"].map { name in
        var rest = Step.rest(seconds: 5) { $0.continuesAlone() }
        (rest.identifier, rest.isOptional) = (name, true)
        return rest
      })
    rehearsal.isUnattended = false
    rehearsal.idlePace = .seconds(1)
    let isTyped = Atomic(false)
    let end = try await rehearsal.run { _, trial in
      guard isTyped.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
      trial.send(.pressed(.letter(key)))
      for _ in 0..<9 { trial.send(.pressed(.repeated(.letter(key)))) }
      if key == "p" { Task { trial.send(.stop) } }
    }
    let story = rehearsal.story
    #expect(end == (key == "p" ? .stopped : .completed))
    #expect(story.filter { $0.hasSuffix(" skipped") }.count == (key == "p" ? 0 : 1), "\(story)")
    #expect(story.filter { $0 == "suspended" }.count == (key == "p" ? 1 : 0) && !story.contains("resumed"))
  }

  @Test("A presenter may answer later, from elsewhere")
  func reply() async throws {
    var rehearsal = Rehearsal([form])
    rehearsal.isUnattended = false
    rehearsal.idlePace = .seconds(1)
    let page = PagePresenter()
    rehearsal.presenters = Presenters(page)
    let end = try await rehearsal.run { _, trial in page.answer(.integer(3), trial) }
    #expect(end == .completed)
    #expect(rehearsal.story.filter { $0.hasPrefix("valence: ") } == ["valence: 3"])
  }

  @Test("The course folded from the journal has the phases of the machine after every input")
  func course() {
    let inputs: [(inout Course) -> [TrialAction]] = [
      { $0.begin() }, { $0.take(.togglePause) }, { $0.next() }, { $0.next() }, { $0.take(.togglePause) },
      { $0.take(.togglePause) }, { $0.take(.timeUp(timer: 1)) }, { $0.take(.timeUp(timer: 3)) }, { $0.next() },
      { $0.take(.togglePause) }, { $0.answer(.value(.integer(7))) }, { $0.take(.togglePause) },
      { $0.answer(.value(.integer(70))) }, { $0.answer(.value(.integer(7))) }, { $0.next() }, { $0.take(.settled) },
    ]
    var course = Course([.reading("hello"), .rest(seconds: 5), form, .ending("end")])
    let names = ["hello", "rest5", "valence", "end"]
    var folded = TrialCourse()
    for (number, input) in inputs.enumerated() {
      for event in input(&course).compactMap({ $0.event(names) }) { folded.take(event, at: .zero) }
      #expect(folded.phase == course.phase.folded(names), "after \(number)")
    }
    #expect(folded.phase == .closed && folded.answers.map(\.value) == [.integer(7)] && folded.suspensions == 2)
  }
}

extension Question {
  static func scale(_ identifier: String, isRequired: Bool = true) -> Question {
    Question(
      identifier: identifier, isRequired: isRequired,
      format: .scale(
        ScaleAnswerFormat(minimum: 1, maximum: 9, anchors: [1: "unpleasant", 5: "neutral", 9: "pleasant"])))
  }
}

extension Step {
  static func rating(_ identifier: String, isRequired: Bool = true) -> Step {
    Step(
      identifier: identifier,
      kind: FormStep(questions: [.scale(identifier, isRequired: isRequired)]))
  }
}

/// A presenter like a page in a browser: its answers go to the trial by themselves.
private final class PagePresenter: Presenter {
  private let screen = Mutex<Screen?>(nil)

  func show(_ screen: Screen) { self.screen.withLock { $0 = screen } }
  func tell(_ event: PresentedEvent, of step: Step) {}
  func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect { .none }

  func answer(_ value: AnswerValue, _ trial: Trial) {
    guard let screen = screen.withLock({ $0.take() }) else { return }
    let facts = AnswerInput(made: MeasuredMoment(moment: trial.now, uncertainty: .zero), device: .touch)
    trial.send(.answered(ScreenAnswer(screen: screen.number, .value(value), facts)))
  }
}

extension KeyEffect {
  /// The answer that a key gave.
  var answer: ScreenAnswer? { if case .answer(let answer) = self { answer } else { nil } }
}

extension Screen {
  /// A screen of a step that is only read.
  static func reading(_ step: String, number: Int) -> Screen {
    Screen(number: number, step: step, place: Count(number: 1, count: 2), texts: [], buttons: [.goOn])
  }
}

/// A display that shows nothing.
struct SilentDisplay: OperatorDisplay {
  var canRedraw: Bool { false }
  func line(_ text: String) {}
  func heading(_ text: String) {}
  func report(_ text: String) {}
  func show(status: String) {}
  func show(prompt: String) {}
  func show(
    screen rows: @escaping @Sendable (TerminalSize) -> [String],
    painted: @escaping @Sendable (TerminalSize, Moment) -> Void
  ) {}
  func leaveScreen() {}
  func ring() {}
}

extension TrialAction {
  /// What the trial writes into its journal for the action.
  fileprivate func event(_ names: [String]) -> JournalEvent? {
    switch self {
    case .enter(let step, _): .stepStarted(step: names[step])
    case .begin(let step): .stepBegan(step: names[step])
    case .finish(let step): .stepFinished(step: names[step])
    case .leave(let step, let outcome): .stepEnded(step: names[step], reason: outcome)
    case .pause(let isPaused): isPaused ? .suspended : .resumed
    case .record(let answer):
      .answered(step: names[answer.step], question: answer.question, value: answer.value, shown: .zero)
    case .withdraw(let step, let question): .withdrawn(step: names[step], question: question.identifier)
    case .close: .trialClosed(TrialClosing(outcome: .completed, reason: nil, calendar: nil))
    default: nil
    }
  }
}

extension Course.Phase {
  /// The phase as the journal shows it.
  fileprivate func folded(_ names: [String]) -> TrialCourse.Phase {
    switch self {
    case .ready, .settling: .between
    case .shown(let step): .shown(names[step])
    case .running(let step): .running(names[step])
    case .suspended(let step): .suspended(names[step])
    case .done(let step): .done(names[step])
    case .closed: .closed
    }
  }
}
