import Basics

/// An answer to a question; in JSON a plain number, Boolean, string, or array of strings.
package enum AnswerValue: Hashable, Sendable {
  /// A whole number.
  case integer(Int)
  /// Another number; see `init(number:)`.
  case decimal(Double)
  /// Yes or no.
  case boolean(Bool)
  /// A text, the value of a choice, a date or a time.
  case text(String)
  /// The values of several choices, in the order in which the question lists them.
  case choices([String])

  /// A number: an integer wherever it is whole, since JSON does not tell 5 from 5.0.
  package init(number: Double) {
    self = Int(exactly: number).flatMap { $0.magnitude <= 1 << 53 ? .integer($0) : nil } ?? .decimal(number)
  }

  /// The value as a number; `nil` for one that is not a number.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    case .boolean, .text, .choices: nil
    }
  }
}

extension AnswerValue: CustomStringConvertible {
  /// The value as text for people; texts that were typed are not made safe for display.
  package var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .decimal(let number): number.isFinite ? JSONValue.number(number).text() : "\(number)"
    case .boolean(let isTrue): isTrue ? "yes" : "no"
    case .text(let text): text
    case .choices(let choices): choices.isEmpty ? "none" : choices.joined(separator: ", ")
    }
  }
}

extension AnswerValue: Codable {
  /// Decodes the plain value.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let isTrue = try? container.decode(Bool.self) {
      self = .boolean(isTrue)
    } else if let number = try? container.decode(Double.self) {
      self.init(number: number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let choices = try? container.decode([String].self) {
      self = .choices(choices)
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a number, true or false, a string, or an array of strings")
    }
  }

  /// Encodes the plain value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .decimal(let number): try container.encode(number)
    case .boolean(let isTrue): try container.encode(isTrue)
    case .text(let text): try container.encode(text)
    case .choices(let choices): try container.encode(choices)
    }
  }
}

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
