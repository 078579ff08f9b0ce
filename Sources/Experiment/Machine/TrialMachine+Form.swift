import Bundles
package import Quantities
package import Study

/// The answer to a question of a trial, or its absence.
package struct TrialAnswer: Hashable, Sendable {
  /// The step's index.
  package var step: Int
  /// The question's identifier.
  package var question: String
  /// The answer; `nil` for a required question that was left without one.
  package var value: AnswerValue?
  /// When the question was shown.
  package var shown: Moment
  /// When it was answered, or left.
  package var answered: Moment
}

// The behaviour of a form step: it is shown, asks its questions one after the other, and is left after the last.
extension TrialMachine {
  /// The question that is open.
  struct OpenQuestion: Sendable {
    /// Its place in the form.
    let index: Int
    let question: Question
    /// When it was painted, as far as that is known, else when it was asked.
    var shown: Moment
    /// The refusal of consent that it asks to confirm.
    var refused: TrialAnswer?
  }

  func form(_ step: Int) -> FormStep? {
    steps[step].form ?? steps[step].consent?.form(phrases)
  }

  /// The question that waits for an answer, and its step; `nil` while the trial is paused.
  package var openQuestion: (step: Int, question: Question)? {
    guard case .shown(let step) = phase, let asking else { return nil }
    return (step, asking.question)
  }

  /// Takes the moment at which the open question was asked, or painted.
  mutating func showed(_ step: String, _ question: String, at moment: Moment) {
    guard let asking, case .shown(let index) = phase, steps[index].identifier == step,
      asking.question.identifier == question
    else { return }
    self.asking?.shown = moment
  }

  mutating func enter(_ step: Int, _ form: FormStep, at now: Moment) -> [TrialAction] {
    asking = nil
    for question in form.questions { facts.take(nil, to: question, ofStep: steps[step].identifier) }
    let actions: [TrialAction] = [.show(step: step, waits: false)] + ask(0, of: step, at: now)
    // Without a person there is no answer, and none is made up.
    guard isUnattended, openQuestion?.step == step else { return actions }
    return actions.filter { !$0.asks } + leave(step, .finished, at: now)
  }

  /// Asks the first question from an index on that its rule does not skip, or leaves the step after the last one.
  mutating func ask(_ first: Int, of step: Int, at now: Moment) -> [TrialAction] {
    guard let form = form(step), let index = form.questions[first...].firstIndex(where: { !skips($0) }) else {
      asking = nil
      let consent: [TrialAction] = steps[step].consent == nil ? [] : [.consent(step: step, isGiven: true)]
      return consent + leave(step, .finished, at: now)
    }
    asking = OpenQuestion(index: index, question: form.questions[index], shown: now)
    return [.ask(step: step, form.questions[index])]
  }

  mutating func answer(
    _ step: String, _ question: String, _ value: AnswerValue, at now: Moment
  ) -> [TrialAction] {
    guard let (index, open) = openQuestion, let asking, steps[index].identifier == step, open.identifier == question
    else { return [] }
    if let problem = open.format.problem(with: value) { return [.refuse(step: index, problem)] }
    // Through a pipe an answer may be there before its question.
    let answered = max(asking.shown, now)
    let answer = TrialAnswer(step: index, question: question, value: value, shown: asking.shown, answered: answered)
    if let actions = answerConsent(answer, at: now) { return actions }
    facts.take(value, to: open, ofStep: step)
    return [.record(answer)] + ask(asking.index + 1, of: index, at: now)
  }

  /// Goes on without an answer, where none is required.
  mutating func goOn(_ step: Int, at now: Moment) -> [TrialAction] {
    guard let (_, open) = openQuestion, let asking else { return [] }
    return open.isRequired ? [.refuse(step: step, .missing)] : ask(asking.index + 1, of: step, at: now)
  }

  /// Records which required questions of a step are left without an answer.
  mutating func endQuestions(of step: Int, at now: Moment) -> [TrialAction] {
    guard let form = form(step), let asking else { return [] }
    self.asking = nil
    return form.questions[asking.index...].filter { $0.isRequired && !skips($0) }.map { question in
      .record(TrialAnswer(step: step, question: question.identifier, value: nil, shown: asking.shown, answered: now))
    }
  }

  private func skips(_ question: Question) -> Bool { question.skipWhen.map(facts.satisfy) ?? false }

  mutating func suspendForm(_ step: Int) -> [TrialAction] {
    phase = .suspended(step: step)
    return [.pause(true)]
  }

  mutating func resumeForm(_ step: Int) -> [TrialAction] {
    phase = .shown(step: step)
    return [.pause(false)]
  }
}

extension TrialAction {
  fileprivate var asks: Bool {
    if case .ask = self { true } else { false }
  }
}
