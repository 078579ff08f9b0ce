import Basics

/// The check of a protocol's rules and of the ways that they make possible.
///
/// Steps that could not be read are `nil`: then what depends on all of them is not checked.
struct NavigationCheck {
  let steps: [Step?]
  let places: [Located]
  let identifiers: [String?]
  let graph: StepGraph

  init(_ steps: [Step?], at places: [Located]) {
    (self.steps, self.places) = (steps, places)
    identifiers = places.map { $0.quietMember("identifier")?.quietString }
    graph = StepGraph(Self.successors(steps, identifiers, isInstant: false))
  }

  /// Reports every rule that can never hold or apply, and every way that does not lead to the end.
  func run() {
    guard steps.contains(where: { $0?.hasRules ?? true }) else { return }
    checkConditions()
    // Without a target, or with two steps of one name, no way is certain.
    guard checkTargets(), !steps.contains(nil), Set(identifiers).count == steps.count else { return }
    checkEnds()
    checkReachability()
    checkCycles()
  }

  // MARK: The graph

  /// Where each step leads: its rules in order, and on to the next step unless one of them always applies.
  ///
  /// With `isInstant`, only the ways that need no person and no time: past a step that is not shown, and out of a form of
  /// which every question may be skipped.
  private static func successors(_ steps: [Step?], _ identifiers: [String?], isInstant: Bool) -> [[Int]] {
    var places: [String: Int] = [:]
    for (index, identifier) in identifiers.enumerated() {
      if let identifier, places[identifier] == nil { places[identifier] = index }
    }
    let successors = steps.enumerated().map { index, step -> [Int] in
      guard let step else { return [index + 1] }
      // A step may be left out by its rule, or for the participants of other groups.
      let isPassedBy = step.skipWhen != nil || step.groups != nil
      guard !isInstant || step.canBeInstant else { return isPassedBy ? [index + 1] : [] }
      var next: [Int] = []
      for rule in step.navigation {
        switch rule.target {
        case .step(let identifier):
          guard let place = places[identifier] else { continue }
          next += steps[place]?.groups == nil ? [place] : [place, index + 1]
        case .end: next.append(steps.count)
        }
      }
      let alwaysJumps = step.navigation.contains { $0.condition == nil }
      return next + (alwaysJumps && !isPassedBy ? [] : [index + 1])
    }
    return successors + [[]]
  }

  /// The steps with rules on where to go on, each rule with its place.
  private func forEachTarget(_ body: (_ step: Int, _ rule: NavigationRule, _ place: Located) -> Void) {
    for (index, step) in steps.enumerated() {
      guard let step else { continue }
      let elements = places[index].quietMember("navigation")?.quietElements ?? []
      for (rule, place) in zip(step.navigation, elements) { body(index, rule, place) }
    }
  }

  private func checkTargets() -> Bool {
    let known = identifiers.compactMap(\.self)
    let set = Set(known)
    var areKnown = true
    forEachTarget { _, rule, place in
      guard case .step(let identifier) = rule.target, !set.contains(identifier) else { return }
      areKnown = false
      place.quietMember("goTo")?.report(
        "no step has the identifier “\(identifier)”; \(Spelling.advice(for: identifier, among: known))")
    }
    return areKnown
  }

  /// Reports rules after one that always applies.
  private func checkReachability() {
    forEachTarget { index, rule, place in
      let rules = steps[index]?.navigation ?? []
      guard rule.condition == nil, let last = place.path.parts.last.flatMap({ Int($0) }), last + 1 < rules.count else {
        return
      }
      let next = places[index].quietMember("navigation")?.quietElements[last + 1]
      next?.report("this rule is never reached: the one before it has no “when” and always applies")
    }
    for (index, isReached) in graph.reachable(from: [0]).enumerated() where !isReached && index < steps.count {
      (places[index].quietMember("identifier") ?? places[index]).report("no way through the trial leads to this step")
    }
  }

  /// Reports the first step of every part of the trial from which no way leads to its end.
  private func checkEnds() {
    let ends = graph.reversed.reachable(from: [steps.count])
    let isReached = graph.reachable(from: [0])
    let cycles = graph.cycles
    var told: Set<Int> = []
    for index in steps.indices where !ends[index] && isReached[index] {
      guard let cycle = cycles[index], told.insert(cycle).inserted else { continue }
      places[index].report("from this step on the steps repeat endlessly: no rule leads to the end")
    }
  }

  /// Reports every way back that could repeat a step that must not be, or that repeats steps without a person or time.
  private func checkCycles() {
    let cycles = graph.cycles
    let instant = StepGraph(Self.successors(steps, identifiers, isInstant: true)).cycles
    var once: [Int: Int] = [:]
    for (index, step) in steps.enumerated() where !(step?.kind.isRepeatable ?? true) {
      if let cycle = cycles[index], once[cycle] == nil { once[cycle] = index }
    }
    let indices = Dictionary(identifiers.enumerated().map { ($1 ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    forEachTarget { index, rule, place in
      guard case .step(let identifier) = rule.target, let target = indices[identifier], target <= index else { return }
      if let cycle = cycles[index], cycle == cycles[target], let step = once[cycle].flatMap({ identifiers[$0] }) {
        place.quietMember("goTo")?.report(
          "this way back could show the step “\(step)” again; a step with music, recorders or trials is performed once")
      }
      if let cycle = instant[index], cycle == instant[target] {
        place.quietMember("goTo")?.report(
          "this way back could repeat without an end: every step on it may be passed without a person and without time")
      }
    }
  }
}

extension Step {
  /// Whether anything of the step depends on rules.
  var hasRules: Bool {
    skipWhen != nil || !navigation.isEmpty || kind.questions.contains { $0.skipWhen != nil }
  }

  /// Whether the step may be shown and left without a person and without time.
  fileprivate var canBeInstant: Bool { !kind.questions.isEmpty && kind.questions.allSatisfy { $0.skipWhen != nil } }
}

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
      guard let step else { continue }
      for (number, question) in step.kind.questions.enumerated() {
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
    let single = places[index].quietMember("question").map { [$0] }
    let questions = single ?? places[index].quietMember("questions")?.quietElements ?? []
    for (number, (question, place)) in zip(step.kind.questions, questions).enumerated() {
      add(question.skipWhen, place.quietMember("skipWhen"), .question(number))
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
