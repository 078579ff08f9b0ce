import Basics
import Quantities

/// A step that checks whether headphones are on the right way round: noise sounds left or right, and the participant says
/// where.
package struct HeadphoneCheckStep: Hashable, Sendable {
  /// How often noise sounds.
  package var rounds = 6
  /// How many wrong answers still pass.
  package var mostErrors = 0
  /// How often the check is done until it goes on although it failed.
  package var attempts = 3
  /// After how long no answer counts as a wrong one; `nil` waits.
  package var limit: Duration?

  /// Creates a step.
  package init() {}

  /// A side of the headphones.
  package enum Side: String, Hashable, Sendable, CaseIterable, Codable {
    /// The left one.
    case left
    /// The right one.
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
}

extension HeadphoneCheckStep: StepContent {
  static let keys: [String] = ["rounds", "mostErrors", "attempts", "limit_s"]

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    var check = HeadphoneCheckStep()
    if let rounds = object["rounds"]?.wholeNumber("a number of rounds", in: 2...100) { check.rounds = rounds }
    if let errors = object["mostErrors"]?.wholeNumber("a number of errors", in: 0...99) { check.mostErrors = errors }
    if let attempts = object["attempts"]?.wholeNumber("a number of attempts", in: 1...20) { check.attempts = attempts }
    check.limit = object["limit_s"]?.seconds(in: 1...600)
    if check.mostErrors >= check.rounds {
      (object["mostErrors"] ?? object["rounds"])?.report(
        "of \(check.rounds) rounds \(check.mostErrors) may be wrong, so that every answer passes; allow fewer errors")
    }
    return .headphoneCheck(check)
  }
}
