import Bundles
import Quantities
import Sensors
import Study

extension Trial {
  /// Offers a key to the presenter of an open question.
  ///
  /// - Returns: what the machine is to take; `nil` for a key that the presenter has used.
  func offer(_ input: TrialInput) -> TrialInput? {
    if case .pressed(.arrow(let arrow)) = input, case .running(let step) = machine.phase,
      rate(.move(arrow.isForward ? Self.ratingStep : -Self.ratingStep), step)
    {
      return nil
    }
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

  /// By how many percent a key moves a rating.
  private static let ratingStep = 2

  /// Changes the rating of a step that is rated, where there is a person to do so.
  ///
  /// - Returns: whether the step is rated.
  @discardableResult
  func rate(_ change: RatingChange, _ index: Int) -> Bool {
    guard !prepared.isUnattended,
      let recorder = recorders(index).first(where: { $0.quantityType == .continuousRating }),
      let sensor = prepared.sensors[recorder.identifier].flatMap({ hub.sensors[$0] })
    else { return false }
    if let value = sensor.rate(change) { present(.rated(value, anchors: recorder.anchors), index) }
    return true
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

extension Arrow {
  /// Whether it leads towards the end of a scale.
  fileprivate var isForward: Bool { self == .right || self == .up }
}
