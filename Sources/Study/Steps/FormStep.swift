import Basics

/// A step that asks questions, one after the other; ResearchKit's `ORKFormStep`.
package struct FormStep: StepReading {
  package static let kind = "form"
  static let summary = "asks questions"

  /// The questions, in order; identifiers are unique within the step.
  package var questions: [Question]
  package var layout = Layout.questions
  /// Whether the participant may go back to the question before, and change its answer.
  package var allowsBack = false

  init(questions: [Question]) { self.questions = questions }

  /// How a page shows the questions; a terminal asks them one after the other.
  package enum Layout: String, Hashable, Sendable, CaseIterable {
    /// One after the other.
    case questions
    /// All at once.
    case page
  }

  /// The maximum number of questions in a form.
  private static let maxQuestions = 100

  package var effort: StepEffort { .questions(questions.count) }

  static let keys: [StepKey] = ["question", "questions", "allowsBackNavigation", "layout"]
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
    let allowsBack = object["allowsBackNavigation"]?.bool() ?? false
    if allowsBack, question != nil {
      object["allowsBackNavigation"]?.report("a form with one question has none before it; leave it out")
    }
    let layout = object["layout"]?.word("a layout of a form", among: Layout.allCases.map(\.rawValue))
      .flatMap(Layout.init)
    if layout == .page {
      if allowsBack {
        object["allowsBackNavigation"]?.report(
          "on one page every answer can be changed until all are confirmed; leave it out")
      }
      let places = object["questions"]?.quietElements ?? []
      let own = Set(places.compactMap { $0.quietMember("identifier")?.quietString }.map { "\(step).\($0)" })
      for place in places.compactMap({ $0.quietMember("skipWhen") }) where !place.node.answers.isDisjoint(with: own) {
        place.report("the form asks its questions at once, so that none depends on another; leave “layout” out")
      }
    }
    guard let asked = question.map({ $0.map { [$0] } }) ?? questions ?? nil else { return nil }
    var form = FormStep(questions: asked)
    (form.allowsBack, form.layout) = (allowsBack, layout ?? .questions)
    return form
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

extension JSONNode {
  /// The questions on whose answers a rule depends, as it names them.
  fileprivate var answers: Set<String> {
    switch content {
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.answers) }
    case .object(let members):
      members.reduce(into: []) { names, member in
        if member.key == "answer", case .string(let name) = member.value.content { names.insert(name) }
        names.formUnion(member.value.answers)
      }
    default: []
    }
  }
}
