import Basics

extension ProtocolObject {
  static func question(_ kind: QuestionKind) -> ProtocolObject {
    let article = "aeiou".contains(kind.rawValue.prefix(1)) ? "an" : "a"
    return ProtocolObject("in \(article) \(kind.rawValue) question", questionKeys + kind.keys)
  }

  /// A question of an unknown kind, which allows the keys of any question.
  static let question: ProtocolObject = ProtocolObject(
    "in a question",
    QuestionKind.allCases.reduce(questionKeys) { keys, kind in keys + kind.keys.filter { !keys.contains($0) } })

  static let answerChoice: ProtocolObject = ProtocolObject("in an element of “choices”", ["value", "text", "picture"])

  private static let questionKeys = ["kind", "identifier", "prompt", "required", "skipWhen"]
}

extension Question {
  /// Reads a question; `nil` after reporting a problem.
  ///
  /// - Parameters:
  ///   - place: the question.
  ///   - step: the identifier of the step whose only question it is; `nil` for an element of `questions`.
  /// - Returns: the question.
  static func read(_ place: Located, ofStep step: String?) -> Question? {
    guard let object = place.object("a question, which is an object") else { return nil }
    let words = QuestionKind.allCases.map(\.rawValue)
    let kind = object.required("kind", "how the question is answered: \(words.joined(separator: ", "))")?
      .word("a kind of question", among: words).flatMap(QuestionKind.init)
    object.refuseKeys(beside: kind.map { .question($0) } ?? .question)
    let identifier = readIdentifier(object, ofStep: step)
    let prompt = object["prompt"]?.name("the question")
    let isRequired = object["required"]?.bool() ?? true
    let skipWhen = object["skipWhen"].flatMap(Rule.read)
    let format = kind.flatMap { AnswerFormat.read($0, object) }
    guard let identifier, let format else { return nil }
    return Question(identifier: identifier, prompt: prompt, isRequired: isRequired, skipWhen: skipWhen, format: format)
  }

  private static func readIdentifier(_ object: LocatedObject, ofStep step: String?) -> String? {
    guard let step else { return object.required("identifier", "what results call this question")?.identifier() }
    object["identifier"]?.report(
      "“question” has the identifier of its step; leave this one out, or write “questions” for questions of their own")
    return step
  }
}

extension Located {
  /// Reports every string that is equal to an earlier one.
  static func checkUnique(_ places: [Located], _ problem: (_ text: String, _ first: JSONPointer) -> String) {
    var first: [String: JSONPointer] = [:]
    for place in places {
      guard let text = place.quietString else { continue }
      if let path = first[text] {
        place.report(problem(text.shortened, place.problems.written(path)))
      } else {
        first[text] = place.path
      }
    }
  }
}

extension Phrases {
  /// Reads `phrases`; `nil` after reporting a problem.
  static func read(_ place: Located) -> Phrases? {
    guard let object = place.object("an object with texts") else { return nil }
    object.refuseKeys(beside: .phrases)
    var own: [Phrase: String] = [:]
    for phrase in Phrase.allCases {
      if let text = object[phrase.rawValue]?.name("what is shown, in the participant's language") { own[phrase] = text }
    }
    return Phrases(own)
  }
}
