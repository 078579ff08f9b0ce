package import Basics
import Quantities

/// A step that checks whether headphones are on the right way round: noise sounds left or right, and the participant says
/// where.
package struct HeadphoneCheckStep: StepReading {
  package static let kind = "headphoneCheck"
  static let summary = "noise sounds left or right, and the participant says where"

  /// How often noise sounds.
  var rounds = 6
  /// How many wrong answers still pass.
  package var maxErrors = 0
  /// How often the check is done until it goes on although it failed.
  package var attempts = 3
  /// After how long no answer counts as a wrong one; `nil` waits.
  package var limit: Duration?

  private static let roundCounts = 2...100
  private static let errorCounts = 0...99
  private static let attemptCounts = 1...20
  private static let limits = 1.0...600
  static let keys: [StepKey] = [
    .whole("rounds", roundCounts, default: 6, "How often noise sounds, as often left as right."),
    .whole("maxErrors", errorCounts, default: 0, "How many wrong answers still pass; fewer than rounds."),
    .whole("attempts", attemptCounts, default: 3, "How often the check is done at most."),
    .number(
      "limit_s", limits,
      "After so many seconds without an answer, that counts as a wrong one; without it the step waits."),
  ]

  package var effort: StepEffort { .check(.seconds(4) * rounds) }
  package static let notes: [any StepNote.Type] = [HeadphoneRound.self, HeadphoneAttempt.self]

  init() {}

  /// A side of the headphones.
  package enum Side: String, Hashable, Sendable, CaseIterable, Codable {
    case left
    case right
  }

  /// The sides of an attempt in their order: as often left as right, or once more.
  ///
  /// - Parameters:
  ///   - step: the step's identifier.
  ///   - attempt: the number of the attempt, from 1.
  ///   - seed: the session's seed; each attempt has a stream of its own.
  /// - Returns: the sides.
  package func sides(of step: String, attempt: Int, seed: UInt64) -> [Side] {
    var random = Draw.generator(for: "headphoneCheck/\(step)/\(attempt)", seed: seed)
    let first: Side = random.next() % 2 == 0 ? .left : .right
    let second: Side = first == .left ? .right : .left
    return (0..<rounds).map { $0 % 2 == 0 ? first : second }.shuffled(by: &random)
  }

  static func read(_ object: LocatedObject) -> Self? {
    var check = HeadphoneCheckStep()
    if let rounds = object["rounds"]?.wholeNumber("a number of rounds", in: roundCounts) { check.rounds = rounds }
    if let errors = object["maxErrors"]?.wholeNumber("a number of errors", in: errorCounts) { check.maxErrors = errors }
    if let attempts = object["attempts"]?.wholeNumber("a number of attempts", in: attemptCounts) {
      check.attempts = attempts
    }
    check.limit = object["limit_s"]?.seconds(in: limits)
    if check.maxErrors >= check.rounds {
      (object["maxErrors"] ?? object["rounds"])?.report(
        "of \(check.rounds) rounds \(check.maxErrors) may be wrong, so that every answer passes; allow fewer errors")
    }
    return check
  }
}

/// A round of a headphone check was answered, or not within its limit.
package struct HeadphoneRound: StepNote {
  package static let name = "headphoneRound"
  package static let summary = "a round of a headphone check was answered, or not within its limit"
  package static let rows: [String: JSONValue] = [
    "attempt": ["type": "integer", "minimum": 1, "description": "The number of the attempt."],
    "round": ["type": "integer", "minimum": 1, "description": "The number of the round in its attempt."],
    "side": ["enum": ["left", "right"], "description": "The side on which noise sounded."],
    "answer": [
      "enum": ["left", "right", nil], "description": "The side that was answered; null for no answer within the limit.",
    ],
    "tone": [
      "type": "integer", "minimum": 1, "description": "The number of the noise among the tones of its step.",
    ],
  ]

  /// The number of the attempt, from 1.
  var attempt: Int
  /// The number of the round in its attempt, from 1.
  var round: Int
  /// The side on which noise sounded.
  var side: HeadphoneCheckStep.Side
  /// The side that was answered; `nil` for no answer within the limit.
  var answer: HeadphoneCheckStep.Side?
  /// The number of the noise among the tones of its step, from 1.
  var tone: Int

  package init(
    attempt: Int, round: Int, side: HeadphoneCheckStep.Side, answer: HeadphoneCheckStep.Side?, tone: Int
  ) {
    (self.attempt, self.round, self.side) = (attempt, round, side)
    (self.answer, self.tone) = (answer, tone)
  }
}

/// An attempt of a headphone check came to its end.
package struct HeadphoneAttempt: StepNote {
  package static let name = "headphoneAttempt"
  package static let summary = "an attempt of a headphone check came to its end"
  package static let rows: [String: JSONValue] = [
    "attempt": ["type": "integer", "minimum": 1, "description": "The number of the attempt."],
    "errors": ["type": "integer", "minimum": 0, "description": "How many answers were wrong."],
    "rounds": ["type": "integer", "minimum": 1, "description": "The number of its rounds."],
    "passed": ["type": "boolean", "description": "Whether it passed."],
  ]

  /// The number of the attempt, from 1.
  var attempt: Int
  /// How many answers were wrong.
  var errors: Int
  /// The number of its rounds.
  var rounds: Int
  var isPassed: Bool

  private enum CodingKeys: String, CodingKey {
    case attempt, errors, rounds
    case isPassed = "passed"
  }

  package init(attempt: Int, errors: Int, rounds: Int, isPassed: Bool) {
    (self.attempt, self.errors, self.rounds, self.isPassed) = (attempt, errors, rounds, isPassed)
  }

  package var objection: String? {
    isPassed
      ? nil
      : "the headphone check failed (\(attempt.counted("attempt")), \(errors) of \(rounds) answers wrong in the last one)"
  }
}
