import Bundles
import Quantities
import Sensors
import Study

extension Trial {
  /// Offers a key to the presenter of the step: whether it counts, and what the open question makes of it.
  ///
  /// A key whose presses the step records, or with which it is rated, is never left out.
  ///
  /// - Returns: what the machine is to take; `nil` for a key that does not count, or that the presenter has used.
  func offer(_ input: TrialInput, at moment: Moment) -> TrialInput? {
    guard case .pressed(let made) = input, made != .end, let index = machine.phase.step else { return input }
    let key = made.pressed
    let step = prepared.steps[index]
    if case .running = machine.phase {
      if step.active?.keys.contains(key.name) ?? false { return input }
      if case .arrow(let arrow) = key, rate(.move(arrow.isForward ? Self.ratingStep : -Self.ratingStep), index) {
        return nil
      }
    }
    let presenter = presenters.presenter(for: step)
    guard presenter.admits(made, at: moment, of: step) else { return nil }
    guard let (_, question) = machine.openQuestion else {
      return key.isLetterCommand && !presenter.takesCommands ? nil : .pressed(key)
    }
    switch presenter.take(key, of: step) {
    // While a question is open, letters are the participant's.
    case .unused: return key.isLetterCommand ? nil : .pressed(key)
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
    let (name, identifier) = (step.identifier, question.identifier)
    let now = now
    log.append(.asked(step: name, question: identifier), at: now)
    machine.showed(name, identifier, at: now)
    presenters.presenter(for: step).ask(
      question, of: step,
      painted: { [inbox] in inbox.send(.painted(step: name, question: identifier, at: $0)) },
      reply: { [inbox] in inbox.send(.answered(step: name, question: identifier, $0)) })
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

extension OperatorKey {
  /// Whether it is a letter that pauses or skips where letters are commands.
  fileprivate var isLetterCommand: Bool { character?.isLetter == true && command != nil }
}

extension TrialMachine.Phase {
  /// The step that is shown.
  fileprivate var step: Int? {
    switch self {
    case .shown(let step), .running(let step), .suspended(let step), .done(let step), .performing(let step): step
    case .ready, .settling, .closed: nil
    }
  }
}
