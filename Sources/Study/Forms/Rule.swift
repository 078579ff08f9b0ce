/// A condition on what happened in a trial so far: on answers and on the results of steps.
package indirect enum Rule: Hashable, Sendable {
  /// A question's answer, by the question's name; see `Question.names(inStep:)`.
  case answer(String, AnswerCondition)
  /// How a step ended, by its identifier.
  case step(String, StepResult)
  /// Every rule holds.
  case all([Rule])
  /// At least one rule holds.
  case any([Rule])
  /// The rule does not hold.
  case not(Rule)
}

/// A condition on an answer; but for `isNot` and `isMissing`, none holds for a question without an answer.
package enum AnswerCondition: Hashable, Sendable {
  /// The answer is this value; several choices in any order.
  case isValue(AnswerValue)
  /// The answer is another value, or missing.
  case isNot(AnswerValue)
  /// The answer is a number below this one.
  case below(Double)
  /// The answer is a number above this one.
  case above(Double)
  /// This is among the chosen answers.
  case includes(String)
  /// There is no answer.
  case isMissing

  func holds(for answer: AnswerValue?) -> Bool {
    switch (self, answer) {
    case (.isValue(.choices(let wanted)), .choices(let chosen)?): Set(wanted) == Set(chosen)
    case (.isValue(let value), _): answer == value
    case (.isNot(let value), _): !AnswerCondition.isValue(value).holds(for: answer)
    case (.below(let limit), _): answer?.number.map { $0 < limit } ?? false
    case (.above(let limit), _): answer?.number.map { $0 > limit } ?? false
    case (.includes(let choice), .choices(let chosen)?): chosen.contains(choice)
    case (.includes, _): false
    case (.isMissing, _): answer == nil
    }
  }
}

/// What came of a step, as rules see it.
package enum StepResult: String, Hashable, Sendable, CaseIterable {
  case finished
  /// It was left before it was done.
  case skipped
  /// It has not been shown so far.
  case notShown
}

extension Question {
  /// The names by which rules refer to the question: `step.question`, and `step` for one that is called like its step.
  func names(inStep step: String) -> [String] {
    (identifier == step ? [step] : []) + ["\(step).\(identifier)"]
  }
}

/// A rule for what comes after a step.
package struct NavigationRule: Hashable, Sendable {
  /// Where the trial goes on.
  enum Target: Hashable, Sendable {
    /// With the step of this identifier.
    case step(String)
    /// Nowhere: it ends.
    case end
  }

  /// When it applies; `nil` for always.
  var condition: Rule?
  var target: Target

  init(when condition: Rule? = nil, _ target: Target) { (self.condition, self.target) = (condition, target) }
}
