/// What rules can depend on: the latest answers and results of a trial.
package struct RuleFacts: Hashable, Sendable {
  private var answers: [String: AnswerValue] = [:]
  private var results: [String: StepResult] = [:]

  /// Nothing has happened yet.
  package init() {}

  /// Whether a rule holds.
  package func satisfy(_ rule: Rule) -> Bool {
    switch rule {
    case .answer(let question, let condition): condition.holds(for: answers[question])
    case .step(let step, let result): results[step] ?? .notShown == result
    case .all(let rules): rules.allSatisfy(satisfy)
    case .any(let rules): rules.contains(where: satisfy)
    case .not(let rule): !satisfy(rule)
    }
  }

  /// Takes an answer; `nil` forgets an earlier one, where the step is shown again.
  package mutating func take(_ answer: AnswerValue?, to question: Question, ofStep step: String) {
    for name in question.names(inStep: step) { answers[name] = answer }
  }

  /// Takes what came of a step.
  package mutating func take(_ result: StepResult, ofStep step: String) { results[step] = result }

  // MARK: The way

  /// The first step from an index on that its rule lets be shown; the number of steps if there is none.
  package func firstShown(from index: Int, of steps: [Step]) -> Int {
    steps[min(index, steps.count)...].firstIndex { step in !(step.skipWhen.map(satisfy) ?? false) } ?? steps.count
  }

  /// The step that comes after one that was left, by its rules; the number of steps if none does.
  package func next(after step: Int, of steps: [Step]) -> Int {
    let rule = steps[step].navigation.first { $0.condition.map(satisfy) ?? true }
    let target =
      switch rule?.target {
      // Participants of another group may not have the step.
      case .step(let identifier): steps.firstIndex { $0.identifier == identifier } ?? step + 1
      case .end: steps.count
      case nil: step + 1
      }
    return firstShown(from: target, of: steps)
  }
}
