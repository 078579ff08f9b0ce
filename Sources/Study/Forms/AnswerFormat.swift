package import Basics

/// The kinds of answer with their limits; ResearchKit's `ORKAnswerFormat`.
package enum AnswerFormat: Hashable, Sendable {
  /// A text of at most so many Unicode code points.
  case text(maximumLength: Int)
  /// A whole number.
  case integer(NumberAnswerFormat)
  case decimal(NumberAnswerFormat)
  /// Yes or no.
  case boolean
  /// One of several choices.
  case choice([AnswerChoice])
  /// A number of several choices, within the count.
  case choices([AnswerChoice], count: ClosedRange<Int>)
  /// A day of the calendar, as `1990-02-28`.
  case date(DateAnswerFormat)
  /// A time of day, as `08:30`.
  case time
  /// A whole number on a scale.
  case scale(ScaleAnswerFormat)
  /// A mark on a line, as its place in percent; the anchors are those of 0 and 100.
  case visualAnalogue(ScaleAnswerFormat)

  /// The largest maximum length that a text may have.
  static let maxTextLength = 10_000

  /// Looks for the reason why a value is not an answer in this format; `nil` if it is one.
  package func problem(with value: AnswerValue) -> AnswerProblem? {
    switch (self, value) {
    case (.text(let most), .text(let text)):
      let length = text.unicodeScalars.count
      return text.allSatisfy(\.isWhitespace) ? .missing : length > most ? .tooLong(length) : nil
    case (.integer(let format), .integer(let number)):
      return format.contains(Double(number)) ? nil : .outOfRange(value)
    case (.decimal(let format), .integer), (.decimal(let format), .decimal):
      return value.number.map(format.contains) ?? false ? nil : .outOfRange(value)
    case (.boolean, .boolean): return nil
    case (.choice(let choices), .text(let text)):
      return choices.contains { $0.value == text } ? nil : .wrongType(value)
    case (.choices(let choices, let count), .choices(let values)):
      let isListed = values.allSatisfy { value in choices.contains { $0.value == value } }
      guard isListed, Set(values).count == values.count else { return .wrongType(value) }
      return count.contains(values.count) ? nil : .wrongCount(values.count)
    case (.date(let format), .text(let text)):
      guard let date = CalendarDate(text) else { return .wrongType(value) }
      return format.contains(date) ? nil : .outOfRange(value)
    case (.time, .text(let text)): return Self.time(text) == text ? nil : .wrongType(value)
    case (.scale(let scale), .integer(let number)), (.visualAnalogue(let scale), .integer(let number)):
      return scale.range.contains(number) ? nil : .outOfRange(value)
    default: return .wrongType(value)
    }
  }

  /// The time of day in a text, with two digits for hours and minutes; `nil` for any other text.
  static func time(_ text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let hours = Int(parts[0]),
      let minutes = Int(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return "\(hours.twoDigits):\(minutes.twoDigits)"
  }
}

/// The limits of a number.
package struct NumberAnswerFormat: Hashable, Sendable {
  /// The smallest number; `nil` without a limit.
  package var minimum: Double?
  /// The largest number; `nil` without a limit.
  package var maximum: Double?
  /// The unit that is shown behind the number.
  package var unit: String?

  /// The largest magnitude: that of a whole number that every reader of JSON sees alike.
  static let maxSize: Double = 9_007_199_254_740_992

  func contains(_ number: Double) -> Bool {
    number.magnitude <= Self.maxSize && minimum.map { number >= $0 } ?? true && maximum.map { number <= $0 } ?? true
  }
}

/// One of the answers that a question offers; ResearchKit's `ORKTextChoice`.
package struct AnswerChoice: Hashable, Sendable {
  /// The choice in results.
  package var value: String
  /// The choice as the participant reads it.
  package var text: String
  /// The picture above the text; `nil` for none.
  package var picture: StudyPicture?

  /// Creates a choice, whose text is its value unless another one is given.
  init(_ value: String, text: String? = nil, picture: StudyPicture? = nil) {
    (self.value, self.text, self.picture) = (value, text ?? picture?.alternative ?? value, picture)
  }

  /// Whether a page shows the text, and not the picture alone.
  package var showsText: Bool { text != picture?.alternative }
}

/// The limits of a date.
package struct DateAnswerFormat: Hashable, Sendable {
  /// The earliest date; `nil` without a limit.
  package var earliest: CalendarDate?
  /// The latest date; `nil` without a limit.
  package var latest: CalendarDate?

  func contains(_ date: CalendarDate) -> Bool {
    earliest.map { date >= $0 } ?? true && latest.map { date <= $0 } ?? true
  }
}

/// A scale of whole numbers, some of them with words; ResearchKit's `ORKScaleAnswerFormat`.
package struct ScaleAnswerFormat: Hashable, Sendable {
  /// The smallest number.
  package var minimum: Int
  /// The largest number, above the smallest.
  package var maximum: Int
  /// The words for single numbers: `1: "unpleasant"`.
  package var anchors: [Int: String]

  /// The largest number that a scale may have.
  static let maxSize = 100

  package init(minimum: Int, maximum: Int, anchors: [Int: String] = [:]) {
    (self.minimum, self.maximum, self.anchors) = (minimum, maximum, anchors)
  }

  /// The numbers on the scale.
  package var range: ClosedRange<Int> { minimum...max(minimum, maximum) }
}

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
