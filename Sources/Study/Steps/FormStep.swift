import Basics

/// A step that asks questions, one after the other; ResearchKit's `ORKFormStep`.
package struct FormStep: Hashable, Sendable {
  /// The questions, in order; identifiers are unique within the step.
  package var questions: [Question]

  /// Creates a form.
  package init(questions: [Question]) { self.questions = questions }
}

/// One question of a form; ResearchKit's `ORKFormItem`.
package struct Question: Hashable, Sendable {
  /// The question's name in results; that of its step for a form with one question.
  package var identifier: String
  /// The question itself; `nil` where the step's title and text say it.
  package var prompt: String?
  /// Whether the form goes on only with an answer.
  package var isRequired: Bool
  /// The kind of answer.
  package var format: AnswerFormat

  /// Creates a question.
  package init(identifier: String, prompt: String? = nil, isRequired: Bool = true, format: AnswerFormat) {
    (self.identifier, self.prompt, self.isRequired, self.format) = (identifier, prompt, isRequired, format)
  }
}

/// The kinds of answer; ResearchKit's `ORKAnswerFormat`.
package enum AnswerFormat: Hashable, Sendable {
  /// A whole number on a scale.
  case scale(ScaleAnswerFormat)

  /// Whether a value is an answer in this format.
  package func accepts(_ value: AnswerValue) -> Bool {
    switch (self, value) {
    case (.scale(let scale), .integer(let number)): scale.range.contains(number)
    }
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
  static let largest = 100

  /// Creates a scale.
  package init(minimum: Int, maximum: Int, anchors: [Int: String] = [:]) {
    (self.minimum, self.maximum, self.anchors) = (minimum, maximum, anchors)
  }

  /// The numbers on the scale.
  package var range: ClosedRange<Int> { minimum...max(minimum, maximum) }
}

/// An answer to a question.
package enum AnswerValue: Hashable, Sendable, Codable, CustomStringConvertible {
  /// A whole number.
  case integer(Int)

  /// Decodes the plain value.
  package init(from decoder: any Decoder) throws {
    self = .integer(try decoder.singleValueContainer().decode(Int.self))
  }

  /// Encodes the plain value.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    }
  }

  /// The value as a number.
  package var number: Double {
    switch self {
    case .integer(let number): Double(number)
    }
  }

  /// The value as text.
  package var description: String {
    switch self {
    case .integer(let number): "\(number)"
    }
  }
}

// MARK: Reading

extension ProtocolObject {
  static let question: ProtocolObject = ProtocolObject(
    "in “question”", ["kind", "prompt", "minimum", "maximum", "anchors", "required"])
}

extension FormStep: StepContent {
  static let keys: [String] = ["question"]
  static let objects: [ProtocolObject] = [.question]

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    let step = object["identifier"]?.quietString ?? ""
    let question = object.required("question", "what the step asks: {\"kind\": \"scale\", …}")
      .flatMap { Question.read($0, of: step) }
    return question.map { .form(FormStep(questions: [$0])) }
  }
}

extension Question {
  fileprivate static func read(_ place: Located, of step: String) -> Question? {
    guard let object = place.object("a question, which is an object") else { return nil }
    object.refuseKeys(beside: .question)
    let kind = object.required("kind", "how the question is answered: scale")?.word(
      "a kind of question", among: ["scale"])
    let prompt = object["prompt"]?.name("the question")
    let isRequired = object["required"]?.bool() ?? true
    let scale = ScaleAnswerFormat.read(object)
    guard kind != nil, let scale else { return nil }
    return Question(identifier: step, prompt: prompt, isRequired: isRequired, format: .scale(scale))
  }
}

extension ScaleAnswerFormat {
  fileprivate static func read(_ object: LocatedObject) -> ScaleAnswerFormat? {
    let minimum = object.required("minimum", "the smallest number of the scale").flatMap { number($0, from: 0) }
    let maximum = object.required("maximum", "the largest number of the scale").flatMap { number($0, from: 1) }
    let anchors = object["anchors"].map(readAnchors) ?? [:]
    guard let minimum, let maximum else { return nil }
    guard minimum < maximum else {
      object["maximum"]?.report("the maximum (\(maximum)) must be above the minimum (\(minimum))")
      return nil
    }
    for anchor in anchors.keys.sorted() where !(minimum...maximum).contains(anchor) {
      object["anchors"]?.quietMember("\(anchor)")?
        .report("\(anchor) is not on the scale, which goes from \(minimum) to \(maximum)")
    }
    return ScaleAnswerFormat(minimum: minimum, maximum: maximum, anchors: anchors)
  }

  private static func number(_ place: Located, from least: Int) -> Int? {
    guard let value = place.number("a whole number", in: Double(least)...Double(largest)) else { return nil }
    guard value == value.rounded() else {
      place.expected("a whole number")
      return nil
    }
    return Int(value)
  }

  private static func readAnchors(_ place: Located) -> [Int: String] {
    guard let object = place.object("an object with words for numbers of the scale: {\"1\": \"unpleasant\"}") else {
      return [:]
    }
    var anchors: [Int: String] = [:]
    for member in object.members {
      guard let number = Int(member.key), 0...largest ~= number, "\(number)" == member.key else {
        place.problems.add(at: member.keyOffset, place.path.appending(member.key)) {
          "expected a number of the scale as the key, such as \"1\""
        }
        continue
      }
      if let words = object[member.key]?.name("the words for this number") { anchors[number] = words }
    }
    return anchors
  }
}
