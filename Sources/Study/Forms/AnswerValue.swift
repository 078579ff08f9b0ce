import Basics

/// An answer to a question; in JSON a plain number, Boolean, string, or array of strings.
package enum AnswerValue: Hashable, Sendable {
  /// A whole number.
  case integer(Int)
  /// Another number; see ``init(number:)``.
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
