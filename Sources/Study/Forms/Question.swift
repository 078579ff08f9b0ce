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

  /// Creates a question.
  package init(
    identifier: String, prompt: String? = nil, isRequired: Bool = true, skipWhen: Rule? = nil, format: AnswerFormat
  ) {
    (self.identifier, self.prompt, self.isRequired) = (identifier, prompt, isRequired)
    (self.skipWhen, self.format) = (skipWhen, format)
  }
}

/// The kinds of question, by the names that protocols use.
package enum QuestionKind: String, Sendable, CaseIterable {
  /// Words of the participant's own.
  case text
  /// A whole number.
  case integer
  /// A number.
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
