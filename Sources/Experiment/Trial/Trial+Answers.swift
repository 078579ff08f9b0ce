import Bundles
import Quantities
import Study

extension Trial {
  /// Offers a key to the presenter of an open question.
  ///
  /// - Returns: what the machine is to take; `nil` for a key that the presenter has used.
  func offer(_ input: TrialInput) -> TrialInput? {
    guard case .pressed(let key) = input, key != .end, let (index, question) = machine.openQuestion else {
      return input
    }
    let step = prepared.steps[index]
    switch presenters.presenter(for: step).take(key, of: step) {
    case .unused: return input
    case .used: return nil
    case .answers(let value): return .answered(step: step.identifier, question: question.identifier, value)
    }
  }

  func ask(_ question: Question, _ index: Int) {
    let step = prepared.steps[index]
    presenters.presenter(for: step).ask(question, of: step) { [inbox] value in
      inbox.send(.answered(step: step.identifier, question: question.identifier, value))
    }
  }

  func record(_ answer: TrialAnswer) {
    let step = prepared.steps[answer.step].identifier
    log.append(
      .answered(step: step, question: answer.question, value: answer.value, shown: log.time(of: answer.shown)),
      at: answer.answered)
    if let value = answer.value { present(.answered(value), answer.step) }
  }
}
