import Basics

/// Why an answer is not accepted; its words need the question's format, which has the limits.
package enum AnswerProblem: Hashable, Sendable {
  /// The question needs an answer.
  case missing
  /// The value is no answer of the question's kind, or none of its choices.
  case wrongType(AnswerValue)
  /// The value is outside of the question's limits.
  case outOfRange(AnswerValue)
  /// The text is longer than it may be; its number of Unicode code points.
  case tooLong(Int)
  /// Too few or too many choices; their number.
  case wrongCount(Int)
}

// MARK: Words for an operator

extension AnswerProblem {
  /// The problem and its remedy for an operator; ``Phrases/notice(of:for:)`` has the participant's words.
  package func words(for format: AnswerFormat) -> String {
    let reason =
      switch (self, format) {
      case (.missing, _): "an answer is required"
      case (.wrongType(let value), _): "“\(value.description.shortened)” is not an answer to this question"
      case (.outOfRange(let value), .scale), (.outOfRange(let value), .visualAnalogue): "\(value) is not on the scale"
      case (.outOfRange(let value), _): "\(value) is out of range"
      case (.tooLong(let length), _): "the text has \(length) characters"
      case (.wrongCount(let count), _): "\(count) chosen"
      }
    return "\(reason): \(format.expectation)"
  }
}

extension AnswerFormat {
  /// What an operator is asked to enter: `choose a number from 1 to 9`.
  package var expectation: String {
    switch self {
    case .text(let most): "type at most \(most) characters"
    case .integer(let format): "type a whole number" + format.limits
    case .decimal(let format): "type a number" + format.limits
    case .boolean: "choose yes or no"
    case .choice: "choose one"
    case .choices(_, let count):
      count.lowerBound == count.upperBound
        ? "choose \(count.lowerBound)" : "choose \(count.lowerBound) to \(count.upperBound)"
    case .date(let format):
      "type a date as YYYY-MM-DD" + (format.earliest.map { ", not before \($0)" } ?? "")
        + (format.latest.map { ", not after \($0)" } ?? "")
    case .time: "type a time as HH:MM"
    case .scale(let scale), .visualAnalogue(let scale): "choose a number from \(scale.minimum) to \(scale.maximum)"
    }
  }
}

extension NumberAnswerFormat {
  fileprivate var limits: String {
    func text(_ number: Double) -> String { JSONValue.number(number).text() }
    let limits =
      switch (minimum, maximum) {
      case (let minimum?, let maximum?): " from \(text(minimum)) to \(text(maximum))"
      case (let minimum?, nil): " of at least \(text(minimum))"
      case (nil, let maximum?): " of at most \(text(maximum))"
      case (nil, nil): ""
      }
    return limits + (unit.map { " (\($0))" } ?? "")
  }
}
