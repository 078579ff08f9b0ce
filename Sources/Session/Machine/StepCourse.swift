import Bundles
import Study

/// What was done of the steps around trials before an interruption, and where they go on.
struct StepCourse: Hashable, Sendable {
  /// What the rules of the steps see.
  private(set) var facts = RuleFacts()
  /// The steps to be shown next whatever the rules say, by index: those to be repeated, and the one that comes next.
  private(set) var ahead: [Int] = []
  /// The steps that were finished or skipped, by index.
  private(set) var done: Set<Int> = []

  /// Follows the steps through what was recorded of them.
  ///
  /// - Parameters:
  ///   - steps: the steps.
  ///   - parts: the steps that were shown in each earlier part, and the answers that were given, in the order of time.
  init(of steps: [Step], after parts: [(steps: [TrialRecord.Step], answers: [TrialRecord.Answer])]) {
    var first = facts.firstShown(from: 0, of: steps)
    for part in parts {
      for shown in part.steps {
        // Breaks part the trials of a step, so that several steps have its identifier: the one that comes next is meant.
        let isNext = first < steps.count && steps[first].identifier == shown.identifier
        guard let index = isNext ? first : steps.firstIndex(where: { $0.identifier == shown.identifier }) else {
          continue
        }
        let step = steps[index]
        let isRepeated = !isNext && step.isRepeatedOnResume && done.contains(index)
        take(part.answers.filter { $0.step == step.identifier && $0.shown >= shown.shown }, of: step)
        guard let result = StepResult(shown.end) else {
          if !isRepeated { first = index }
          continue
        }
        if let consent = step.consent { facts.take(.boolean(true), to: consent.agreement, ofStep: step.identifier) }
        facts.take(result, ofStep: step.identifier)
        done.insert(index)
        if !isRepeated { first = facts.next(after: index, of: steps) }
      }
    }
    guard first < steps.count else {
      ahead = [first]
      return
    }
    // What is to be repeated is repeated only if something comes after it.
    ahead = steps.indices.filter { $0 != first && steps[$0].isRepeatedOnResume && done.contains($0) }
    ahead.append(first)
  }

  /// Whether a step may come: steps that record are not repeated by rules.
  func mayCome(_ step: Int) -> Bool { !done.contains(step) || ahead.contains(step) }

  /// Takes the answers that were given when a step was shown; earlier ones do not count any more.
  private mutating func take(_ answers: [TrialRecord.Answer], of step: Step) {
    for question in step.kind.questions {
      let given = answers.first { $0.question == question.identifier }
      facts.take(given?.value, to: question, ofStep: step.identifier)
    }
  }
}

extension StepResult {
  /// What came of a step that ended so; `nil` for one that is to be shown again.
  fileprivate init?(_ end: StepEnd?) {
    switch end {
    case .finished: self = .finished
    case .skipped: self = .skipped
    case .stopped, .failed, nil: return nil
    }
  }
}
