import Bundles
import Quantities
import Sensors
import Study

extension Trial {
  /// What an input means to the machine: of a key, what the presenter of the step makes of it.
  ///
  /// A key whose presses the step records, or with which it is rated, is never left out.
  ///
  /// - Returns: the input; `nil` for a key that does not count, or that the presenter has used.
  func meaning(of input: TrialInput, at moment: Moment) -> TrialInput? {
    if case .marked(let percent) = input {
      if let index = machine.step, machine.isRated { rate(.set(percent), index) }
      return nil
    }
    guard case .pressed(let key) = input else { return input }
    guard key != .end else { return .inputEnded }
    guard let index = machine.step else { return nil }
    let presenter = presenter(index)
    // Where there is a page, the keys of the terminal are the operator's.
    if let uncertainty = presenter.keyUncertainty {
      if machine.recordedKeys.contains(key.pressed.name) {
        return .key(key.pressed.name, made: MeasuredMoment(moment: moment, uncertainty: uncertainty))
      }
      if case .arrow(let arrow) = key.pressed, machine.isRated,
        rate(.move(arrow.isForward ? Self.ratingStep : -Self.ratingStep), index)
      {
        return nil
      }
    }
    return switch presenter.take(key, at: moment) {
    case .none, .shown: nil
    case .answer(let answer): .answered(answer)
    case .command(let command): .command(command)
    }
  }

  /// By how many percent a key moves a rating.
  private static let ratingStep = 2

  /// Changes the rating of a step that is rated, where there is a person to do so.
  ///
  /// - Returns: whether the step is rated.
  @discardableResult
  func rate(_ change: RatingChange, _ index: Int) -> Bool {
    guard !context.isUnattended,
      let recorder = recorders(index).first(where: { $0.quantityType == .continuousRating }),
      let sensor = context.sensors[recorder.identifier].flatMap({ context.hub.sensors[$0] })
    else { return false }
    if let value = sensor.rate(change) { inbox.send(.rated(value)) }
    return true
  }

  func record(_ answer: TrialAnswer) {
    let step = context.steps[answer.step].identifier
    log.append(
      .answered(
        step: step, question: answer.question, value: answer.value, shown: log.time(of: answer.shown),
        input: answer.input.map(log.input)),
      at: answer.answered)
    if let value = answer.value { tell(.answered(value), answer.step) }
  }
}

extension Arrow {
  /// Whether it leads towards the end of a scale.
  fileprivate var isForward: Bool { self == .right || self == .up }
}
