import Basics

extension AnswerFormat {
  /// The answer that a typed text gives; a text that does not fit the format is returned as it is, and refused later.
  ///
  /// Choices are given by their numbers from 1, values or texts; several are separated by commas.
  package func value(of typed: String) -> AnswerValue {
    let text = typed.trimmed
    switch self {
    case .text, .date: return .text(text)
    case .time: return .text(Self.time(text) ?? text)
    case .integer, .scale, .visualAnalogue:
      return Self.number(text).flatMap(Int.init(exactly:)).map(AnswerValue.integer) ?? .text(text)
    case .decimal: return Self.number(text).map(AnswerValue.init(number:)) ?? .text(text)
    case .boolean:
      switch text.lowercased() {
      case "yes", "y", "true", "1": return .boolean(true)
      case "no", "n", "false", "2": return .boolean(false)
      default: return .text(text)
      }
    case .choice(let choices): return .text(Self.choice(text, among: choices)?.value ?? text)
    case .choices(let choices, _):
      let named = text.split(separator: ",").map { Self.choice(String($0).trimmed, among: choices)?.value }
      let values = named.compactMap(\.self)
      guard values.count == named.count else { return .text(text) }
      return .choices(choices.map(\.value).filter(values.contains))
    }
  }

  private static func choice(_ text: String, among choices: [AnswerChoice]) -> AnswerChoice? {
    if let exact = choices.first(where: { $0.value == text }) ?? choices.first(where: { $0.text == text }) {
      return exact
    }
    guard let number = Int(text), (1...choices.count).contains(number) else { return nil }
    return choices[number - 1]
  }

  /// A number in plain digits with a point or a comma, without an exponent.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= maxNumberLength, text.wholeMatch(of: /[+-]?[0-9]+([.,][0-9]+)?/) != nil else { return nil }
    return Double(text.replacing(",", with: "."))
  }

  /// The maximum length of a typed number.
  package static let maxNumberLength = 24
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[start...end])
  }
}
