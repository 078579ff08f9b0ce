import Basics

extension NavigationCheck {
  /// A question that rules may refer to.
  private struct Known {
    let step: Int
    let index: Int
    let question: Question
  }

  /// When a rule is examined.
  private enum Time {
    /// Before the step is shown.
    case before
    /// Before a question of the step is asked.
    case question(Int)
    /// After the step.
    case after
  }

  /// Reports conditions on what there is not, cannot have happened yet, or can never be.
  func checkConditions() {
    var known: [String: Known] = [:]
    var names: [String] = []
    for (index, step) in steps.enumerated() {
      guard let step, let form = step.form else { continue }
      for (number, question) in form.questions.enumerated() {
        let all = question.names(inStep: step.identifier)
        names.append(all[0])
        for name in all where known[name] == nil { known[name] = Known(step: index, index: number, question: question) }
      }
    }
    let isWhole = !steps.contains(nil)
    let reversed = graph.reversed
    for (index, step) in steps.enumerated() {
      guard let step, step.hasRules else { continue }
      // What may have happened before this step: whatever leads to one of its predecessors.
      let earlier = reversed.reachable(from: reversed.successors[index])
      for (leaf, place, time) in leaves(of: step, index) {
        check(leaf, at: place, known, names, isWhole) { step, question in
          switch time {
          case _ where step != index: earlier[step]
          case .before: earlier[step]
          case .question(let number): question.map { $0 < number } ?? earlier[step]
          case .after: true
          }
        }
      }
    }
  }

  private func leaves(of step: Step, _ index: Int) -> [(Rule, Located, Time)] {
    var leaves: [(Rule, Located, Time)] = []
    func add(_ rule: Rule?, _ place: Located?, _ time: Time) {
      guard let rule, let place else { return }
      leaves += rule.leaves(at: place).map { ($0.rule, $0.place, time) }
    }
    add(step.skipWhen, places[index].quietMember("skipWhen"), .before)
    if let form = step.form {
      let single = places[index].quietMember("question").map { [$0] }
      let elements = single ?? places[index].quietMember("questions")?.quietElements ?? []
      for (number, (question, place)) in zip(form.questions, elements).enumerated() {
        add(question.skipWhen, place.quietMember("skipWhen"), .question(number))
      }
    }
    let elements = places[index].quietMember("navigation")?.quietElements ?? []
    for (rule, place) in zip(step.navigation, elements) { add(rule.condition, place.quietMember("when"), .after) }
    return leaves
  }

  private func check(
    _ leaf: Rule, at place: Located, _ known: [String: Known], _ names: [String], _ isWhole: Bool,
    isEarlier: (_ step: Int, _ question: Int?) -> Bool
  ) {
    switch leaf {
    case .answer(let name, let condition):
      guard let found = known[name] else {
        if isWhole {
          let advice = names.isEmpty ? "there are no questions" : Spelling.advice(for: name, among: names)
          place.quietMember("answer")?.report("no question is called “\(name.shortened)”; \(advice)")
        }
        return
      }
      if isWhole, !isEarlier(found.step, found.index) {
        place.quietMember("answer")?.report(
          "the question “\(name)” cannot have been asked before this rule is examined")
      }
      if let reason = condition.problem(with: found.question.format) {
        (place.quietMember(condition.key) ?? place).report(
          "this does not fit the question “\(name)”: \(reason)")
      }
    case .step(let identifier, _):
      let all = identifiers.compactMap(\.self)
      guard let index = identifiers.firstIndex(of: identifier) else {
        place.quietMember("step")?.report(
          "no step has the identifier “\(identifier)”; \(Spelling.advice(for: identifier, among: all))")
        return
      }
      if isWhole, !isEarlier(index, nil) {
        place.quietMember("step")?.report(
          "the step “\(identifier)” cannot have been shown before this rule is examined")
      }
    case .all, .any, .not: break
    }
  }
}

extension AnswerCondition {
  /// The key of the condition in a rule.
  fileprivate var key: String {
    switch self {
    case .isValue: "is"
    case .isNot: "isNot"
    case .below: "below"
    case .above: "above"
    case .includes: "includes"
    case .isMissing: "isMissing"
    }
  }

  /// Why the condition never holds for answers in a format; `nil` if it may.
  fileprivate func problem(with format: AnswerFormat) -> String? {
    switch self {
    case .isValue(let value), .isNot(let value): return format.problem(with: value)?.words(for: format)
    case .isMissing: return nil
    case .includes(let choice):
      guard case .choices(let choices, _) = format else { return "“includes” is for a question of the kind “choices”" }
      let values = choices.map(\.value)
      return values.contains(choice) ? nil : "there is no such choice; \(Spelling.advice(for: choice, among: values))"
    case .below(let limit), .above(let limit):
      guard let numbers = format.numbers else { return "it is not a number" }
      let isPossible = if case .below = self { numbers.lowerBound < limit } else { numbers.upperBound > limit }
      return isPossible ? nil : format.expectation
    }
  }
}

extension AnswerFormat {
  /// The numbers that an answer can be; `nil` for answers that are not numbers.
  fileprivate var numbers: ClosedRange<Double>? {
    switch self {
    case .integer(let format), .decimal(let format):
      (format.minimum ?? -NumberAnswerFormat.maxSize)...(format.maximum ?? NumberAnswerFormat.maxSize)
    case .scale(let scale), .visualAnalogue(let scale): Double(scale.minimum)...Double(scale.maximum)
    case .text, .boolean, .choice, .choices, .date, .time: nil
    }
  }
}
