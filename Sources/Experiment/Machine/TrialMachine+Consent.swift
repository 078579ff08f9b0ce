import Bundles
import Quantities
import Study

// The behaviour of a consent step: a form whose first answer decides whether the session goes on, and whose second one is
// kept apart.
extension TrialMachine {
  /// Takes an answer of a consent step.
  ///
  /// - Returns: what is to be done before the next question; `nil` to record the answer as any other.
  mutating func answerConsent(_ answer: TrialAnswer) -> [TrialAction]? {
    guard steps[answer.step].consent != nil else { return nil }
    switch (answer.question, answer.value) {
    case (ConsentStep.agreementQuestion, .boolean(false)):
      asking = nil
      return [.record(answer), .consent(step: answer.step, isGiven: false), .leave(step: answer.step, .finished)]
        + settle(.declined)
    case (ConsentStep.signatureQuestion, .text(let name)): return [.sign(step: answer.step, name: name)]
    default: return nil
    }
  }
}
