import Basics
import Quantities
package import Study

/// The answer of a round of a headphone check.
package struct HeadphoneAnswer: Hashable, Sendable, FlatInJSON {
  /// The number of the attempt, from 1.
  package let attempt: Int
  /// The number of the round, from 1.
  package let round: Int
  /// The side on which noise sounded.
  package let side: HeadphoneCheckStep.Side
  /// The side that the participant answered; `nil` for no answer within the limit.
  package let answer: HeadphoneCheckStep.Side?

  /// An answer.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt, from 1.
  ///   - round: the number of the round, from 1.
  ///   - side: the side on which noise sounded.
  ///   - answer: the side that was answered.
  package init(attempt: Int, round: Int, side: HeadphoneCheckStep.Side, answer: HeadphoneCheckStep.Side?) {
    (self.attempt, self.round, self.side, self.answer) = (attempt, round, side, answer)
  }
}

extension TrialRecord {
  /// An attempt of a headphone check.
  package struct HeadphoneCheck: Hashable, Sendable, Codable {
    /// The step.
    package let step: String
    /// The number of the attempt, from 1.
    package let attempt: Int
    /// How many answers were wrong; `nil` for an attempt that was not brought to its end.
    package var errors: Int?
    /// Whether it passed; `nil` for an attempt that was not brought to its end.
    package var isPassed: Bool?
    /// The rounds.
    package var rounds: [Round] = []

    private enum CodingKeys: String, CodingKey {
      case step, attempt, errors, rounds
      case isPassed = "passed"
    }
  }

  /// A round of a headphone check.
  package struct Round: Hashable, Sendable, Codable {
    /// The answer.
    package let answer: HeadphoneAnswer
    /// When the noise began; `nil` where that was not measured.
    package var onset: MeasuredTime?
    /// When it was answered, or not any more.
    package let answered: Duration
  }
}

/// The headphone checks of a trial, folded from the journal.
struct HeadphoneAccount: Sendable {
  private(set) var checks: [TrialRecord.HeadphoneCheck] = []
  /// The onset of a round that is not answered yet.
  private var started: (attempt: Int, round: Int, onset: MeasuredTime)?

  mutating func take(_ event: JournalEvent, at time: Duration) {
    switch event {
    case .headphonesStarted(let step, let attempt, let round, let onset):
      // It is reported when it has been measured, which may be after the answer.
      if let last = checks.last, last.step == step, last.attempt == attempt,
        let index = last.rounds.firstIndex(where: { $0.answer.round == round })
      {
        checks[checks.count - 1].rounds[index].onset = onset
      } else {
        started = (attempt, round, onset)
      }
    case .headphonesAnswered(let step, let answer):
      let onset = started.flatMap { ($0.attempt, $0.round) == (answer.attempt, answer.round) ? $0.onset : nil }
      amend(step, answer.attempt) { $0.rounds.append(.init(answer: answer, onset: onset, answered: time)) }
      started = nil
    case .headphonesChecked(let step, let attempt, let errors, let isPassed):
      amend(step, attempt) { ($0.errors, $0.isPassed) = (errors, isPassed) }
    default: break
    }
  }

  private mutating func amend(_ step: String, _ attempt: Int, _ change: (inout TrialRecord.HeadphoneCheck) -> Void) {
    let last = checks.indices.last.flatMap { index in
      checks[index].step == step && checks[index].attempt == attempt && checks[index].isPassed == nil ? index : nil
    }
    if last == nil { checks.append(TrialRecord.HeadphoneCheck(step: step, attempt: attempt)) }
    change(&checks[last ?? checks.count - 1])
  }
}
