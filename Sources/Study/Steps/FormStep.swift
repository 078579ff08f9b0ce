import Basics

/// A step that asks questions, one after the other; ResearchKit's `ORKFormStep`.
package struct FormStep: StepReading {
  package static let kind = "form"
  static let summary = "asks questions"

  /// The questions, in order; identifiers are unique within the step.
  package var questions: [Question]

  /// The maximum number of questions in a form.
  private static let maxQuestions = 100

  package var effort: StepEffort { .questions(questions.count) }

  static let keys: [StepKey] = ["question", "questions"]
  static let objects: [ProtocolObject] = QuestionKind.allCases.map { .question($0) } + [.answerChoice]

  static func read(_ object: LocatedObject) -> Self? {
    let step = object["identifier"]?.quietString ?? ""
    let question = object["question"].map { Question.read($0, ofStep: step) }
    let questions = object["questions"].map(readQuestions)
    if question != nil, let place = object["questions"] {
      place.report("“question” asks one question and “questions” asks several; keep one of them")
      return nil
    }
    guard question != nil || questions != nil else {
      object.place.report(
        "the key “question” is missing; it says what the step asks: {\"kind\": \"scale\", …}, or “questions”: [{…}, …]")
      return nil
    }
    return (question.map { $0.map { [$0] } } ?? questions ?? nil).map { FormStep(questions: $0) }
  }

  private static func readQuestions(_ place: Located) -> [Question]? {
    guard let elements = place.elements("an array of questions", atMost: maxQuestions) else { return nil }
    if elements.isEmpty { place.report("a form asks at least one question") }
    Located.checkUnique(elements.compactMap { $0.quietMember("identifier") }) { identifier, path in
      "the identifier “\(identifier)” is already used at \(path); each question of a form needs its own"
    }
    let questions = elements.map { Question.read($0, ofStep: nil) }
    return questions.contains(nil) ? nil : questions.compactMap(\.self)
  }
}
