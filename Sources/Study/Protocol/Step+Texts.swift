extension StudyProtocol {
  /// The steps with what each shows to the participant, and the phrases of no step.
  ///
  /// - Parameter phrases: what the station itself says.
  /// - Returns: the texts, by the identifier of their step; `nil` for the phrases.
  package func shownTexts(_ phrases: Phrases) -> [(step: String?, texts: [String])] {
    [(nil, Phrase.allCases.map { phrases[$0] })] + allSteps.map { ($0.step.identifier, $0.step.shownTexts(phrases)) }
  }
}

extension Step {
  /// Everything that it shows to the participant.
  fileprivate func shownTexts(_ phrases: Phrases) -> [String] {
    var texts = [title, text, detailText, active?.spokenInstruction, active?.finishedSpokenInstruction]
    texts += active?.recorderConfigurations.flatMap { Array($0.anchors.values) } ?? []
    texts += kind.shownTexts(phrases)
    return texts.compactMap(\.self)
  }
}

extension Question {
  /// The question itself, and the words of its answers.
  var shownTexts: [String] {
    let ofAnswers: [String?] =
      switch format {
      case .scale(let scale), .visualAnalogue(let scale): Array(scale.anchors.values)
      case .choice(let choices), .choices(let choices, _): choices.map(\.text)
      case .integer(let number), .decimal(let number): [number.unit]
      case .boolean, .text, .date, .time: []
      }
    return ([prompt] + ofAnswers).compactMap(\.self)
  }
}
