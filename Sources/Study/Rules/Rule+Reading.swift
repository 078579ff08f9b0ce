import Basics

extension ProtocolObject {
  static let rule: ProtocolObject = ProtocolObject("in a rule", Rule.kinds + Rule.comparisons)
  static let navigation: ProtocolObject = ProtocolObject("in an element of “navigation”", ["when", "goTo", "end"])
}

extension Rule {
  fileprivate static let kinds = ["answer", "step", "all", "any", "not"]
  fileprivate static let comparisons = ["is", "isNot", "below", "above", "includes", "isMissing"]

  /// The maximum number of rules in `all` or `any`.
  private static let maxParts = 100

  /// Reads a rule; `nil` after reporting a problem.
  static func read(_ place: Located) -> Rule? {
    guard let object = place.object("a rule such as {\"answer\": \"valence\", \"below\": 5}") else { return nil }
    object.refuseKeys(beside: .rule)
    let found = kinds.filter { object[$0] != nil }
    guard found.count == 1, let kind = found.first, let content = object[kind] else {
      place.report(
        "a rule has exactly one of \(Spelling.list(kinds)); found \(found.isEmpty ? "none" : Spelling.list(found))")
      return nil
    }
    if kind != "answer" {
      for key in comparisons where kind != "step" || key != "is" {
        object[key]?.report("“\(key)” compares an answer, and this rule is one of “\(kind)”")
      }
    }
    switch kind {
    case "answer": return readAnswer(object, content)
    case "step": return readStep(object, content)
    case "not": return read(content).map(not)
    default:
      guard let parts = content.elements("an array of rules", atMost: maxParts) else { return nil }
      if parts.isEmpty { content.report("expected at least one rule") }
      let rules = parts.map(read)
      guard !rules.isEmpty, !rules.contains(nil) else { return nil }
      return kind == "all" ? .all(rules.compactMap(\.self)) : .any(rules.compactMap(\.self))
    }
  }

  private static func readStep(_ object: LocatedObject, _ content: Located) -> Rule? {
    let step = content.identifier()
    let words = StepResult.allCases.map(\.rawValue)
    let result = object.required("is", "what came of the step: \(words.joined(separator: ", "))")?
      .word("a result of a step", among: words).flatMap(StepResult.init)
    guard let step, let result else { return nil }
    return .step(step, result)
  }

  private static func readAnswer(_ object: LocatedObject, _ content: Located) -> Rule? {
    let question = content.name("the name of a question: step.question, or step")
    let found = comparisons.filter { object[$0] != nil }
    guard found.count == 1, let comparison = found.first, let value = object[comparison] else {
      object.place.report(
        "a rule on an answer has exactly one of \(Spelling.list(comparisons)); found "
          + (found.isEmpty ? "none" : Spelling.list(found)))
      return nil
    }
    guard let condition = AnswerCondition.read(comparison, value), let question else { return nil }
    return .answer(question, condition)
  }

  /// Every condition of the rule, with its place; `place` is where the rule was read.
  func leaves(at place: Located) -> [(rule: Rule, place: Located)] {
    func parts(_ key: String, _ rules: [Rule]) -> [(Rule, Located)] {
      zip(rules, place.quietMember(key)?.quietElements ?? []).flatMap { $0.leaves(at: $1) }
    }
    return switch self {
    case .answer, .step: [(self, place)]
    case .all(let rules): parts("all", rules)
    case .any(let rules): parts("any", rules)
    case .not(let rule): place.quietMember("not").map { rule.leaves(at: $0) } ?? []
    }
  }
}

extension AnswerCondition {
  fileprivate static func read(_ comparison: String, _ place: Located) -> AnswerCondition? {
    switch comparison {
    case "is": AnswerValue.read(place).map(isValue)
    case "isNot": AnswerValue.read(place).map(isNot)
    case "below": place.number("a number", in: limits).map(below)
    case "above": place.number("a number", in: limits).map(above)
    case "includes": place.name("a choice").map(includes)
    default:
      switch place.bool() {
      case true?: isMissing
      case false?:
        {
          place.report("expected true; for a question with an answer write {\"not\": {…, \"isMissing\": true}}")
          return nil
        }()
      case nil: nil
      }
    }
  }

  private static let limits = -NumberAnswerFormat.maxSize...NumberAnswerFormat.maxSize
}

extension AnswerValue {
  fileprivate static func read(_ place: Located) -> AnswerValue? {
    switch place.node.content {
    case .number(let number): return AnswerValue(number: number)
    case .bool(let isTrue): return .boolean(isTrue)
    case .string(let text): return .text(text)
    case .array:
      guard let elements = place.elements("an array of choices", atMost: AnswerChoice.maxCount) else { return nil }
      let choices = elements.map { $0.name("a choice") }
      return choices.contains(nil) ? nil : .choices(choices.compactMap(\.self))
    default:
      place.expected("an answer: a number, true or false, a string, or an array of strings")
      return nil
    }
  }
}

extension NavigationRule {
  /// The maximum number of rules of a step.
  private static let maxCount = 100

  /// Reads `navigation`; `nil` after reporting a problem.
  static func readAll(_ place: Located) -> [NavigationRule]? {
    guard let elements = place.elements("an array of rules", atMost: maxCount) else { return nil }
    if elements.isEmpty {
      place.report("expected at least one rule; leave “navigation” out to go on with the next step")
    }
    let rules = elements.map(read)
    return rules.contains(nil) ? nil : rules.compactMap(\.self)
  }

  private static func read(_ place: Located) -> NavigationRule? {
    guard let object = place.object("a rule such as {\"when\": {…}, \"goTo\": \"end\"}") else { return nil }
    object.refuseKeys(beside: .navigation)
    let condition = object["when"].map(Rule.read)
    let target = readTarget(object)
    if let condition, condition == nil { return nil }
    return target.map { NavigationRule(when: condition ?? nil, $0) }
  }

  private static func readTarget(_ object: LocatedObject) -> Target? {
    switch (object["goTo"], object["end"]) {
    case (let step?, nil): return step.identifier().map(Target.step)
    case (nil, let end?):
      guard let isEnd = end.bool() else { return nil }
      if isEnd { return .end }
      end.report("expected true; leave the rule out to go on")
    case (_?, let end?): end.report("“goTo” goes on with a step and “end” ends the trial; keep one of them")
    case (nil, nil): object.place.report("neither “goTo” nor “end” says where the trial goes on")
    }
    return nil
  }
}

/// What rules can depend on: the latest answers and results of a trial.
package struct RuleFacts: Hashable, Sendable {
  private var answers: [String: AnswerValue] = [:]
  private var results: [String: StepResult] = [:]

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
