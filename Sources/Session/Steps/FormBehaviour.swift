import Bundles
import Quantities
import Study

extension FormStep: StepWithBehaviour {
  func behaviour(of step: Step, in trial: StepContext) -> any StepBehaviour {
    layout == .page && trial.hasPage
      ? OnePageBehaviour(QuestionCourse(questions, trial))
      : FormBehaviour(asking: QuestionCourse(questions, trial, allowsBack: allowsBack))
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
    if deed == .back { return asking.askBefore(&trial) }
    guard let answer = asking.answer(to: deed, input, &trial) else { return }
    asking.record(answer, &trial)
    if !asking.askNext(&trial) { trial.leave(.finished) }
  }

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool { asking.pause(isPaused, &trial) }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    if outcome == .finished || outcome == .skipped { asking.recordMissing(&trial) }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) { asking.draw(&screen, trial) { .question($0) } }
}

/// Questions that are asked at once, and answered together.
struct OnePageBehaviour: StepBehaviour {
  private var asking: QuestionCourse
  private var refused: [String: AnswerProblem] = [:]
  private var refusals = 0

  init(_ asking: QuestionCourse) { self.asking = asking }

  var isPaused: Bool { asking.isPaused }

  mutating func begin(_ trial: inout StepContext) {
    asking.forgetAnswers(&trial)
    if trial.isUnattended || !asking.askAll(&trial) { trial.leave(.finished) }
  }

  mutating func take(_ deed: ScreenAnswer.Deed, _ input: AnswerInput, _ trial: inout StepContext) {
    guard case .answers(let answers) = deed else { return }
    refused = asking.problems(with: answers, trial)
    guard refused.isEmpty else { return refusals += 1 }
    asking.record(answers, input, &trial)
    trial.leave(.finished)
  }

  mutating func pause(_ isPaused: Bool, _ trial: inout StepContext) -> Bool { asking.pause(isPaused, &trial) }

  mutating func end(_ outcome: StepEnd, _ trial: inout StepContext) {
    if outcome == .finished || outcome == .skipped { asking.recordMissing(&trial) }
  }

  func draw(_ screen: inout Screen, _ trial: StepContext) {
    let questions = asking.unskipped(trial)
    screen.entry = .form(questions, refused: refused)
    let first = questions.lazy.compactMap { refused[$0.identifier] }.first
    screen.notice = first.map { .refused($0, times: refusals) }
  }
}

/// How far the questions of a step are asked.
struct QuestionCourse: Sendable {
  private let questions: [Question]
  private let isAsking: Bool
  private let allowsBack: Bool
  /// The question that is open, by its index; the count after the last.
  private(set) var index: Int
  /// When it was asked.
  private var asked: Moment?
  /// Why the last answer was refused, and how many were.
  private var refused: (problem: AnswerProblem, times: Int)?
  private(set) var isPaused = false
  /// What was answered since the step was shown, by the index of the question.
  private var given: [Int: AnswerValue] = [:]

  /// The course of a step that is about to be shown, with its first question; a run without a participant asks none.
  init(_ questions: [Question], _ trial: StepContext, allowsBack: Bool = false) {
    (self.questions, self.allowsBack) = (questions, allowsBack)
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
    let first = min(first, questions.count)
    let found = questions[first...].firstIndex { !Self.skips($0, trial) }
    // An answer that was changed may skip questions that were answered before.
    for index in first..<(found ?? questions.count) { withdraw(index, &trial) }
    guard let next = found else {
      close()
      return false
    }
    ask(next, &trial)
    return true
  }

  // MARK: All at once

  /// The questions that no rule skips.
  func unskipped(_ trial: StepContext) -> [Question] { questions.filter { !Self.skips($0, trial) } }

  /// Asks all questions.
  ///
  /// - Returns: whether there is one.
  mutating func askAll(_ trial: inout StepContext) -> Bool {
    let all = unskipped(trial)
    asked = trial.now
    for question in all { trial.perform(.ask(step: trial.index, question)) }
    return !all.isEmpty
  }

  /// Why answers are refused, by question.
  func problems(with answers: [String: FormAnswer], _ trial: StepContext) -> [String: AnswerProblem] {
    unskipped(trial).reduce(into: [:]) { problems, question in
      let value = answers[question.identifier]?.value
      problems[question.identifier] =
        value.map { question.format.problem(with: $0) } ?? (question.isRequired ? .missing : nil)
    }
  }

  /// Records the answers to all questions.
  mutating func record(_ answers: [String: FormAnswer], _ input: AnswerInput, _ trial: inout StepContext) {
    guard let asked else { return }
    for (index, question) in questions.enumerated() where !Self.skips(question, trial) {
      guard let answer = answers[question.identifier] else { continue }
      var own = input
      (own.firstContact, own.changes, own.device) = (answer.firstContact, answer.changes, answer.device)
      given[index] = answer.value
      trial.facts.take(answer.value, to: question, ofStep: trial.step.identifier)
      trial.perform(
        .record(
          TrialAnswer(
            step: trial.index, question: question.identifier, value: answer.value, asked: asked, left: trial.now,
            input: own)))
    }
  }

  private mutating func ask(_ next: Int, _ trial: inout StepContext) {
    if asked != nil { trial.beginScreen() }
    (index, asked, refused) = (next, trial.now, nil)
    trial.perform(.ask(step: trial.index, questions[next]))
  }

  /// Asks the question before the open one again, where there is one and the protocol allows it.
  mutating func askBefore(_ trial: inout StepContext) { if let before = before(trial) { ask(before, &trial) } }

  private func before(_ trial: StepContext) -> Int? {
    guard allowsBack, open != nil else { return nil }
    return questions[..<index].lastIndex { !Self.skips($0, trial) }
  }

  /// An answer that was given before does not count any more.
  private mutating func withdraw(_ index: Int, _ trial: inout StepContext) {
    guard given.removeValue(forKey: index) != nil else { return }
    trial.facts.take(nil, to: questions[index], ofStep: trial.step.identifier)
    trial.perform(.withdraw(step: trial.index, questions[index]))
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
    case .skip, .back, .answers, .side, .gain, .drawing: return nil
    }
    if let problem {
      refused = (problem, (refused?.times ?? 0) + 1)
      return nil
    }
    return TrialAnswer(
      step: trial.index, question: open.identifier, value: value, asked: asked, left: trial.now, input: input)
  }

  /// Records an answer that has a value; one without withdraws what was answered before.
  mutating func record(_ answer: TrialAnswer, _ trial: inout StepContext) {
    guard let open else { return }
    guard let value = answer.value else { return withdraw(index, &trial) }
    given[index] = value
    trial.facts.take(value, to: open, ofStep: trial.step.identifier)
    trial.perform(.record(answer))
  }

  /// Records which required questions are left without an answer.
  mutating func recordMissing(_ trial: inout StepContext) {
    guard asked != nil || trial.isUnattended else { return }
    let asked = asked ?? trial.now
    self.asked = nil
    for (index, question) in questions.enumerated().dropFirst(index)
    where question.isRequired && given[index] == nil && !Self.skips(question, trial) {
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

  func draw(_ screen: inout Screen, _ trial: StepContext, _ entry: (Question) -> Screen.Entry) {
    guard let open else { return }
    if before(trial) != nil { screen.buttons.append(.back) }
    screen.draft = given[index]
    if questions.count > 1 { screen.question = Screen.Count(number: index + 1, count: questions.count) }
    screen.entry = entry(open)
    if !open.isRequired { screen.buttons.insert(.goOn, at: 0) }
    screen.notice = refused.map { .refused($0.problem, times: $0.times) }
  }
}
