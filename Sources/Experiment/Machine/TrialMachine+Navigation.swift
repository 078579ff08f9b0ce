import Bundles
import Quantities
import Study

// Where a trial goes on after a step, by the rules of its protocol.
extension TrialMachine {
  /// A step that is about to be shown, and what the rules see then.
  struct Way: Hashable, Sendable {
    let step: Int
    let facts: RuleFacts
  }

  private static let endless =
    "the protocol's navigation repeats the same steps endlessly when no question is answered; run it with a participant, or change the "
    + "rules so that missing answers lead on"

  /// The first step from an index on that its rule lets be shown; the number of steps if there is none.
  func firstShown(from index: Int) -> Int {
    steps[min(index, steps.count)...].firstIndex { step in !(step.skipWhen.map(facts.satisfy) ?? false) } ?? steps.count
  }

  /// Enters the step to which the rules of a step that was left lead.
  mutating func goOn(after step: Int, _ outcome: StepEnd, at now: Moment) -> [TrialAction] {
    facts.take(outcome == .skipped ? .skipped : .finished, ofStep: steps[step].identifier)
    let next = firstShown(from: target(after: step))
    // With the same answers and results, an unattended trial would come here again and again.
    guard !isUnattended || next == steps.count || ways.insert(Way(step: next, facts: facts)).inserted else {
      return settle(.failed(reason: Self.endless))
    }
    return enter(next, at: now)
  }

  private func target(after step: Int) -> Int {
    let rule = steps[step].navigation.first { $0.condition.map(facts.satisfy) ?? true }
    return switch rule?.target {
    // Participants of another group, or a session that goes on, may not have the step.
    case .step(let identifier): steps.firstIndex { $0.identifier == identifier } ?? step + 1
    case .end: steps.count
    case nil: step + 1
    }
  }
}
