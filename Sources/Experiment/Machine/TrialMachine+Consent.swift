import Bundles
import Quantities
import Study

// The behaviour of a consent step: a form whose first answer decides whether the session goes on, and whose second one is
// kept apart. A refusal is asked for once more, and recorded when it is confirmed.
extension TrialMachine {
  /// Takes an answer of a consent step.
  ///
  /// - Returns: what is to be done; `nil` for a step of another kind.
  mutating func answerConsent(_ answer: TrialAnswer, at now: Moment) -> [TrialAction]? {
    guard let consent = steps[answer.step].consent else { return nil }
    switch (answer.question, answer.value) {
    case (ConsentStep.agreementQuestion, .boolean(false)):
      let question = consent.refusal(phrases)
      asking = OpenQuestion(index: 0, question: question, shown: now, refused: answer)
      return [.ask(step: answer.step, question)]
    case (ConsentStep.refusalQuestion, .boolean(true)):
      let refusal = asking?.refused.map { [TrialAction.record($0)] } ?? []
      asking = nil
      return refusal + [.consent(step: answer.step, isGiven: false), .leave(step: answer.step, .finished)]
        + settle(.declined)
    case (ConsentStep.refusalQuestion, _): return ask(0, of: answer.step, at: now)
    case (ConsentStep.signatureQuestion, .text(let name)):
      return [.sign(step: answer.step, name: name)] + ask(1, after: answer, at: now)
    default: return [.record(answer)] + ask(0, after: answer, at: now)
    }
  }

  private mutating func ask(_ index: Int, after answer: TrialAnswer, at now: Moment) -> [TrialAction] {
    if let question = form(answer.step)?.questions[index], let value = answer.value {
      facts.take(value, to: question, ofStep: steps[answer.step].identifier)
    }
    return ask(index + 1, of: answer.step, at: now)
  }
}
