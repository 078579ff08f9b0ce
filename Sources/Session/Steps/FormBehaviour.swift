import Bundles
import Quantities
import Study

extension FormStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    FormBehaviour(asking: QuestionCourse(questions, trial))
  }
}

/// Questions that are asked one after the other.
struct FormBehaviour: StepBehaviour {
  var asking: QuestionCourse

  var isPaused: Bool { asking.isPaused }

  mutating func begin(_ trial: inout StepContext) {
    asking.forgetAnswers(&trial)
    // Without a person there is no answer, and none is made up.
    if trial.isUnattended || !asking.ask(from: 0, &trial) { trial.leave(.finished) }
  }

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    guard let answer = asking.answer(to: deed, input, &trial) else { return }
    asking.record(answer, &trial)
    if !asking.askNext(&trial) { trial.leave(.finished) }
  }

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool { asking.pause(isPaused, &trial) }

  mutating func skip(_ trial: inout StepContext) {
    _ = asking.pause(false, &trial)
    trial.leave(.skipped)
  }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    if outcome == .finished || outcome == .skipped { asking.recordMissing(&trial) }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) { asking.draw(&screen) { .question($0) } }
}

/// How far the questions of a step are asked.
struct QuestionCourse: Sendable {
  private let questions: [Question]
  private let isAsking: Bool
  /// The question that is open, by its index; the count after the last.
  private(set) var index: Int
  /// When it was asked.
  private var asked: Moment?
  /// Why the last answer was refused, and how many were.
  private var refused: (problem: AnswerProblem, times: Int)?
  private(set) var isPaused = false

  /// The course of a step that is about to be shown, with its first question; a run without a participant asks none.
  init(_ questions: [Question], _ trial: StepContext) {
    self.questions = questions
    isAsking = !trial.isUnattended
    var trial = trial
    Self.forgetAnswers(to: questions, &trial)
    index = questions.firstIndex { !Self.skips($0, trial) } ?? questions.count
  }

  /// The open question; `nil` after the last.
  var open: Question? { isAsking && index < questions.count ? questions[index] : nil }

  /// Forgets what was answered when the step was shown before.
  func forgetAnswers(_ trial: inout StepContext) { Self.forgetAnswers(to: questions, &trial) }

  private static func forgetAnswers(to questions: [Question], _ trial: inout StepContext) {
    for question in questions { trial.facts.take(nil, to: question, ofStep: trial.step.identifier) }
  }

  /// Asks the first question from an index on that its rule does not skip.
  ///
  /// - Returns: whether there is one.
  mutating func ask(from first: Int, _ trial: inout StepContext) -> Bool {
    guard let next = questions[min(first, questions.count)...].firstIndex(where: { !Self.skips($0, trial) }) else {
      close()
      return false
    }
    if asked != nil { trial.beginScreen() }
    (index, asked, refused) = (next, trial.now, nil)
    trial.perform(.ask(step: trial.index, questions[next]))
    return true
  }

  /// Asks nothing any more.
  mutating func close() { (index, asked) = (questions.count, nil) }

  /// Asks the question after the open one; whether there is one.
  mutating func askNext(_ trial: inout StepContext) -> Bool { ask(from: index + 1, &trial) }

  private static func skips(_ question: Question, _ trial: StepContext) -> Bool {
    question.skipWhen.map(trial.facts.satisfy) ?? false
  }

  /// Takes what was done on the screen.
  ///
  /// - Returns: the answer to the open question, without a value where none is required and none was given; `nil` for what
  ///   is refused.
  mutating func answer(
    to deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext
  ) -> TrialAnswer? {
    guard let open, let asked else { return nil }
    var value: AnswerValue?
    var problem: AnswerProblem?
    switch deed {
    case .value(let given): (value, problem) = (given, open.format.problem(with: given))
    case .goOn: problem = open.isRequired ? .missing : nil
    case .skip, .side, .gain, .drawing: return nil
    }
    if let problem {
      refused = (problem, (refused?.times ?? 0) + 1)
      return nil
    }
    return TrialAnswer(
      step: trial.index, question: open.identifier, value: value, asked: asked, left: trial.now, input: input)
  }

  /// Records an answer that has a value.
  func record(_ answer: TrialAnswer, _ trial: inout StepContext) {
    guard let value = answer.value, let open else { return }
    trial.facts.take(value, to: open, ofStep: trial.step.identifier)
    trial.perform(.record(answer))
  }

  /// Records which required questions are left without an answer.
  mutating func recordMissing(_ trial: inout StepContext) {
    guard asked != nil || trial.isUnattended else { return }
    let asked = asked ?? trial.now
    self.asked = nil
    for question in questions[min(index, questions.count)...]
    where question.isRequired && !Self.skips(question, trial) {
      trial.perform(
        .record(
          TrialAnswer(
            step: trial.index, question: question.identifier, value: nil, asked: asked, left: trial.now)))
    }
  }

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool {
    guard open != nil, isPaused != self.isPaused else { return false }
    self.isPaused = isPaused
    trial.perform(.pause(isPaused))
    return true
  }

  func draw(_ screen: inout Screen, _ entry: (Question) -> Screen.Entry) {
    guard let open else { return }
    screen.question = Screen.Count(number: index + 1, count: questions.count)
    screen.entry = entry(open)
    if !open.isRequired { screen.buttons.insert(.goOn, at: 0) }
    screen.notice = refused.map { .refused($0.problem, times: $0.times) }
  }
}
