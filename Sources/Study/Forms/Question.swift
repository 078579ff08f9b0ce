import Basics

/// One question of a form; ResearchKit's `ORKFormItem`.
package struct Question: Hashable, Sendable {
  /// The question's name in results; that of its step for a form with one question.
  package var identifier: String
  /// The question itself; `nil` where the step's title and text say it.
  package var prompt: String?
  /// Whether the form goes on only with an answer.
  package var isRequired: Bool
  /// When it is not asked, and has no answer; `nil` for never.
  package var skipWhen: Rule?
  /// The kind of answer.
  package var format: AnswerFormat

  init(
    identifier: String, prompt: String? = nil, isRequired: Bool = true, skipWhen: Rule? = nil, format: AnswerFormat
  ) {
    (self.identifier, self.prompt, self.isRequired) = (identifier, prompt, isRequired)
    (self.skipWhen, self.format) = (skipWhen, format)
  }
}

/// The kinds of question, by the names that protocols use.
enum QuestionKind: String, Sendable, CaseIterable {
  /// Words of the participant's own.
  case text
  /// A whole number.
  case integer
  case decimal
  /// Yes or no.
  case boolean
  /// One of several choices.
  case choice
  /// Any number of several choices.
  case choices
  /// A day of the calendar.
  case date
  /// A time of day.
  case time
  /// A whole number on a scale.
  case scale
  /// A mark on a line between two anchors.
  case visualAnalogue
}

extension Phrases {
  /// The prompt below a question with answers of this format.
  package func prompt(for format: AnswerFormat) -> String {
    switch format {
    case .text, .integer, .decimal, .date, .time: self[.answerText]
    case .boolean, .choice: self[.answerChoice]
    case .choices: self[.answerChoices]
    case .scale: self[.answer]
    case .visualAnalogue: self[.answerLine]
    }
  }

  /// The notice to a participant that an answer is not accepted, with what is needed.
  package func notice(of problem: AnswerProblem, for format: AnswerFormat) -> String {
    switch (problem, format) {
    case (_, .scale(let scale)): return self[.outOfRange, Double(scale.minimum), Double(scale.maximum)]
    case (.missing, _): return self[.missing]
    case (.outOfRange(let value), .integer(let limits)), (.outOfRange(let value), .decimal(let limits)):
      return outOfRange(value, limits)
    case (.outOfRange(let value), .date(let limits)):
      let isEarly = limits.earliest.map { value.description < $0.description } ?? false
      return isEarly
        ? self[.tooEarly].replacing("{minimum}", with: written(limits.earliest?.description ?? ""))
        : self[.tooLate].replacing("{maximum}", with: written(limits.latest?.description ?? ""))
    case (_, .integer): return self[.wholeNumber]
    case (_, .decimal): return self[.number]
    case (_, .date): return self[.date]
    case (_, .time): return self[.time]
    case (.tooLong, .text(let most)): return self[.tooLong, nil, Double(most)]
    case (.wrongCount(let number), .choices(_, let count)):
      return number < count.lowerBound
        ? self[.tooFew, Double(count.lowerBound)] : self[.tooMany, nil, Double(count.upperBound)]
    default: return prompt(for: format)
    }
  }

  private func outOfRange(_ value: AnswerValue, _ limits: NumberAnswerFormat) -> String {
    switch (limits.minimum, limits.maximum) {
    case (let minimum?, let maximum?): self[.outOfRange, minimum, maximum]
    case (let minimum?, nil) where value.number ?? minimum < minimum: self[.tooSmall, minimum]
    case (_, let maximum): self[.tooLarge, nil, maximum ?? NumberAnswerFormat.maxSize]
    }
  }

  /// A phrase with numbers in the place of `{minimum}` and `{maximum}`.
  private subscript(phrase: Phrase, minimum: Double?, maximum: Double? = nil) -> String {
    var text = self[phrase]
    if let minimum { text = text.replacing("{minimum}", with: written(JSONValue.number(minimum).text())) }
    if let maximum { text = text.replacing("{maximum}", with: written(JSONValue.number(maximum).text())) }
    return text
  }
}
