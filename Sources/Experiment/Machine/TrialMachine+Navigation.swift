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

  /// Enters the first step, or the one with which it goes on after an interruption.
  mutating func enterFirst(at now: Moment) -> [TrialAction] {
    enter(ahead.popFirst() ?? facts.firstShown(from: 0, of: steps), at: now)
  }

  /// Enters the step to which the rules of a step that was left lead.
  mutating func goOn(after step: Int, _ outcome: StepEnd, at now: Moment) -> [TrialAction] {
    facts.take(outcome == .skipped ? .skipped : .finished, ofStep: steps[step].identifier)
    if let next = ahead.popFirst() { return enter(next, at: now) }
    let next = facts.next(after: step, of: steps)
    // With the same answers and results, an unattended trial would come here again and again.
    guard !isUnattended || next == steps.count || ways.insert(Way(step: next, facts: facts)).inserted else {
      return settle(.failed(reason: Self.endless))
    }
    return enter(next, at: now)
  }
}
