import Basics
import Glibc
import Quantities
import Study

/// How a simulated person behaves: what is answered, what is missed or skipped, and after how long.
struct SimulatedBehaviour: Sendable {
  /// What the person does, so long after what was shown.
  struct Act: Hashable, Sendable {
    let delay: Duration
    let deed: Deed
  }

  /// What a person can do.
  enum Deed: Hashable, Sendable {
    /// Presses keys, one after the other.
    case press([OperatorKey])
    /// Gives up: no answer to the question of that step is one.
    case giveUp(step: String, question: Question)
  }

  /// Which share of optional questions is missed.
  private static let missed = 0.1
  /// Which share of optional steps is skipped.
  private static let skipped = 0.05
  /// Which share of people does not consent.
  private static let declined = 0.05
  /// Which share of the noises of a headphone check is heard on the wrong side.
  private static let misheard = 0.02
  /// The key that skips a step, also while a text is typed.
  private static let skip = OperatorKey.letter("\u{E}")

  private var random: SplitMix64

  init(_ random: SplitMix64) { self.random = random }

  /// Whether and when a step is skipped that may be: an active one at any time of it.
  mutating func skips(_ step: Step?) -> Act? {
    guard random.uniform() < Self.skipped else { return nil }
    let duration = step?.active?.stepDuration ?? .zero
    let delay = duration > .zero ? Duration(seconds: duration.seconds * random.uniform()) : responseTime()
    return Act(delay: delay, deed: .press([Self.skip]))
  }

  /// Presses of the keys that a step records, and moves of the mark with which it is rated: one every few seconds.
  mutating func plays(_ step: Step) -> [Act] {
    guard let active = step.active, active.stepDuration > .zero else { return [] }
    var keys = active.keys.compactMap { $0.count == 1 ? $0.first.map { OperatorKey.letter($0) } : nil }
    if active.keys.contains(KeyName.space.rawValue) { keys.append(.letter(" ")) }
    if active.recorderConfigurations.contains(where: { $0.quantityType == .continuousRating }) {
      keys += [.arrow(.left), .arrow(.right)]
    }
    guard !keys.isEmpty else { return [] }
    var acts: [Act] = []
    var time = responseTime()
    while time < active.stepDuration, acts.count < Self.maxPresses {
      let delay = responseTime()
      acts.append(Act(delay: delay, deed: .press([keys[Int(random.next() % UInt64(keys.count))]])))
      time += delay
    }
    return acts
  }

  /// The maximum number of keys that are pressed in a step.
  private static let maxPresses = 100

  /// Return, when that is waited for.
  mutating func goesOn() -> Act { Act(delay: responseTime(), deed: .press([.enter])) }

  /// A few steps up or down in the volume, and Return.
  mutating func adjusts() -> Act {
    let key: OperatorKey = random.uniform() < 0.5 ? .arrow(.up) : .arrow(.down)
    let count = Int(random.next() % 6)
    return Act(delay: responseTime(), deed: .press([OperatorKey](repeating: key, count: count) + [.enter]))
  }

  /// The side on which noise sounds, seldom the wrong one.
  mutating func hears(_ side: HeadphoneCheckStep.Side) -> Act {
    let isRight = (side == .right) == (random.uniform() >= Self.misheard)
    return Act(delay: responseTime(), deed: .press([.arrow(isRight ? .right : .left)]))
  }

  /// The answer to a question of a step, or Return where an optional one is missed.
  mutating func answers(_ question: Question, ofStep step: String, isConsent: Bool) -> Act {
    let delay = responseTime()
    if !question.isRequired, random.uniform() < Self.missed { return Act(delay: delay, deed: .press([.enter])) }
    let agreed = isConsent ? consent(question) : nil
    guard let answer = agreed ?? question.format.simulatedAnswer(using: &random) else {
      return Act(delay: delay, deed: .giveUp(step: step, question: question))
    }
    return Act(delay: delay, deed: .press(question.format.keys(for: answer)))
  }

  /// The answer to a question of a consent: whether the person agrees, and that a refusal is meant; `nil` for any other.
  private mutating func consent(_ question: Question) -> AnswerValue? {
    switch question.identifier {
    case ConsentStep.agreementQuestion: .boolean(random.uniform() >= Self.declined)
    case ConsentStep.refusalQuestion: .boolean(true)
    default: nil
    }
  }

  /// A time between what is shown and the key: the sum of a normal and an exponential one, as response times mostly are
  /// (Luce, 1986).
  private mutating func responseTime() -> Duration {
    let seconds = 1.0 + 0.25 * random.normal() - 1.0 * log(1 - random.uniform())
    return Duration(seconds: max(0.2, seconds))
  }
}
