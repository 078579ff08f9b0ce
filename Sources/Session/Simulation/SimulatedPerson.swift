import Basics
import Quantities
import Study
import Synchronization

/// A simulated participant: is shown the steps, and presses the keys of a terminal's keyboard.
///
/// Answers are entered key by key into the same entries as those of a real person, and checked as those are.
final class SimulatedPerson: Presenter {
  fileprivate struct State: Sendable {
    var behaviour: SimulatedBehaviour
    var input = ScreenInput()
    /// How often the open question was refused.
    var refusals = 0
    /// The step that is going to be skipped, in which nothing is answered.
    var skipped: String?
    /// The trials that are under way, each inside of the one before.
    var trials: [Trial] = []
    var asked: [AskedQuestion: Int] = [:]
    var unanswerable: [AskedQuestion] = []
  }

  /// The number of attempts at a question until it counts as one that cannot be answered.
  fileprivate static let patience = 3

  private let clock: any StationClock
  /// The steps of the study, by their identifiers.
  private let steps: [String: Step]
  private let state: Mutex<State>
  private let acts: AsyncStream<SimulatedBehaviour.Act>
  private let continuation: AsyncStream<SimulatedBehaviour.Act>.Continuation

  init(_ behaviour: SimulatedBehaviour, steps: [Step], clock: any StationClock) {
    self.clock = clock
    self.steps = Dictionary(steps.map { ($0.identifier, $0) }) { first, _ in first }
    state = Mutex(State(behaviour: behaviour))
    (acts, continuation) = AsyncStream.makeStream()
  }

  /// How often each question was asked.
  var asked: [AskedQuestion: Int] { state.withLock { $0.asked } }

  /// The questions that could not be answered.
  var unanswerable: [AskedQuestion] { state.withLock { $0.unanswerable } }

  // MARK: What is done

  /// Does what is to be done, until the task is cancelled.
  func act() async {
    for await act in acts {
      do { try await clock.sleep(for: act.delay) } catch { return }
      guard let trial = state.withLock({ $0.trials.last }) else { continue }
      switch act.deed {
      case .press(let keys): for key in keys { await trial.press(key) }
      case .giveUp(let step, let question):
        state.withLock { $0.unanswerable.append(AskedQuestion(step: step, question)) }
        trial.send(.command(.end))
      }
    }
  }

  /// Takes part in a trial, which may be inside of another one, until it ends.
  func takePart(in trial: Trial, _ run: () async -> TrialEnd) async -> TrialEnd {
    state.withLock { $0.trials.append(trial) }
    defer { state.withLock { _ = $0.trials.popLast() } }
    return await run()
  }

  // MARK: What is seen

  /// None of it: how the person behaves does not depend on it.
  var showsProgress: Bool { false }

  func tell(_ event: PresentedEvent, of step: Step) {
    let acts: [SimulatedBehaviour.Act] = state.withLock { state in
      let isSkipped = state.skipped == step.identifier
      switch event {
      case .started: return isSkipped ? [] : state.behaviour.plays(step)
      case .noise(let side): return isSkipped ? [] : [state.behaviour.hears(side)]
      case .left:
        state.input.clear()
        state.skipped = nil
        return []
      case .sounded, .remaining, .heartRate, .sampled, .signalled, .noticed, .answered, .concluded: return []
      }
    }
    for act in acts { continuation.yield(act) }
  }

  func show(_ screen: Screen) {
    let act = state.withLock { $0.see(screen, steps[screen.step]) }
    if let act { continuation.yield(act) }
  }

  func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    state.withLock { $0.input.take(key, at: moment, painted: nil) }
  }
}

extension SimulatedPerson.State {
  /// What is done on a screen; `nil` for nothing.
  fileprivate mutating func see(_ screen: Screen, _ step: Step?) -> SimulatedBehaviour.Act? {
    let before = input.screen
    guard input.show(screen) else { return screen.notice == before?.notice ? nil : answersAgain() }
    if before?.step != screen.step, screen.buttons.contains(.skip), let act = behaviour.skips(step) {
      skipped = screen.step
      return act
    }
    if let question = screen.asked {
      refusals = 0
      // Results have no answer to the question whether a refusal of consent is meant.
      if step?.consent == nil || question.identifier != ConsentStep.refusalQuestion {
        asked[AskedQuestion(step: screen.step, question), default: 0] += 1
      }
      return skipped == screen.step
        ? nil : behaviour.answers(question, ofStep: screen.step, isConsent: step?.consent != nil)
    }
    guard skipped != screen.step else { return nil }
    return switch (screen.entry, screen.mainButton) {
    case (.volume, _): behaviour.adjusts()
    case (.side, _), (_, nil), (_, .skip), (_, .back), (_, .next): nil
    case (_, .start), (_, .goOn), (_, .finish), (_, .again): behaviour.goesOn()
    }
  }

  /// Another answer to the open question, of which the last was refused.
  private mutating func answersAgain() -> SimulatedBehaviour.Act? {
    guard let screen = input.screen, let question = screen.asked else { return nil }
    refusals += 1
    input.clear()
    _ = input.show(screen)
    guard refusals < SimulatedPerson.patience else {
      return SimulatedBehaviour.Act(delay: .zero, deed: .giveUp(step: screen.step, question: question))
    }
    return behaviour.answers(question, ofStep: screen.step, isConsent: false)
  }
}

/// A question of a step, as it is counted.
package struct AskedQuestion: Hashable, Sendable {
  /// The step's identifier.
  let step: String
  let question: Question

  init(step: String, _ question: Question) { (self.step, self.question) = (step, question) }
}

extension AnswerFormat {
  /// An answer that a person could give, each about as likely as any other.
  ///
  /// - Parameter random: where it is drawn from.
  /// - Returns: the answer; `nil` if no answer that can be entered at a terminal was found within the question's limits.
  func simulatedAnswer(using random: inout SplitMix64) -> AnswerValue? {
    let value: AnswerValue? =
      switch self {
      case .text(let most): value(of: Self.words(atMost: most, &random))
      case .integer(let limits): Self.integer(limits, &random)
      case .decimal(let limits): decimal(limits, &random)
      case .boolean: .boolean(random.uniform() < 0.5)
      case .choice(let choices): .text(choices[random.index(below: choices.count)].value)
      case .choices(let choices, let count): Self.several(choices, count, &random)
      case .date(let limits): Self.date(limits, &random).map { .text("\($0)") }
      case .time: .text("\(random.index(below: 24).twoDigits):\(random.index(below: 60).twoDigits)")
      case .scale(let scale), .visualAnalogue(let scale): .integer(random.number(in: scale.range))
      }
    return value.flatMap { problem(with: $0) == nil ? $0 : nil }
  }

  private static let vocabulary = ["calm", "warm", "slow", "bright", "tense", "happy", "quiet", "clear"]

  private static func words(atMost length: Int, _ random: inout SplitMix64) -> String {
    let words = (0...random.index(below: 4)).map { _ in vocabulary[random.index(below: vocabulary.count)] }
    return String(words.joined(separator: " ").prefix(length))
  }

  /// How far from its only limit a number without the other one is drawn.
  private static let reach = 100.0

  private static func range(_ limits: NumberAnswerFormat) -> ClosedRange<Double> {
    let least = limits.minimum ?? min(0, limits.maximum.map { $0 - reach } ?? 0)
    return least...max(least, limits.maximum ?? least + reach)
  }

  private static func integer(_ limits: NumberAnswerFormat, _ random: inout SplitMix64) -> AnswerValue? {
    let range = range(limits)
    guard let least = Int(exactly: range.lowerBound.rounded(.up)),
      let most = Int(exactly: range.upperBound.rounded(.down)), least <= most
    else { return nil }
    return .integer(random.number(in: least...most))
  }

  /// A number with as few decimals as its limits allow.
  private func decimal(_ limits: NumberAnswerFormat, _ random: inout SplitMix64) -> AnswerValue? {
    let range = Self.range(limits)
    let number = range.lowerBound + random.uniform() * (range.upperBound - range.lowerBound)
    for digits in [1, 3, 6, 12] {
      let value = value(of: number.fixed(digits))
      if problem(with: value) == nil { return value }
    }
    return nil
  }

  private static func several(
    _ choices: [AnswerChoice], _ count: ClosedRange<Int>, _ random: inout SplitMix64
  ) -> AnswerValue? {
    let most = min(count.upperBound, choices.count)
    guard count.lowerBound <= most else { return nil }
    var left = Array(choices.indices)
    let chosen = (0..<random.number(in: count.lowerBound...most)).map { _ in
      left.remove(at: random.index(below: left.count))
    }
    return .choices(chosen.sorted().map { choices[$0].value })
  }

  private static func date(_ limits: DateAnswerFormat, _ random: inout SplitMix64) -> CalendarDate? {
    let earliest = limits.earliest?.year ?? min(1950, limits.latest?.year ?? 1950)
    let latest = limits.latest?.year ?? max(2005, earliest)
    for _ in 0..<100 {
      let date = CalendarDate(
        year: random.number(in: earliest...latest), month: random.number(in: 1...12), day: random.number(in: 1...28))
      if let date, limits.earliest ?? date <= date, date <= limits.latest ?? date { return date }
    }
    return limits.earliest ?? limits.latest
  }
}

// MARK: Keys

extension AnswerFormat {
  /// The keys that enter an answer at a terminal, Return included.
  func keys(for answer: AnswerValue) -> [OperatorKey] {
    let keys: [OperatorKey] =
      switch (self, answer) {
      case (.visualAnalogue, .integer(let percent)): Self.moves(to: percent)
      case (.boolean, .boolean(let isTrue)): [.letter(isTrue ? "1" : "2")]
      case (.choice(let choices), .text(let value)):
        Self.downs(to: choices.firstIndex { $0.value == value } ?? 0) + [.enter]
      case (.choices(let choices, _), .choices(let values)): Self.marks(values, among: choices)
      default: answer.description.map { .letter($0) }
      }
    return keys + [.enter]
  }

  /// A digit chooses a tenth of a line, and each arrow key moves the mark by one percent from there.
  private static func moves(to percent: Int) -> [OperatorKey] {
    let digit = min(percent / 10, 9)
    return "\(digit)".map { .letter($0) } + Array(repeating: .arrow(.right), count: percent - digit * 10)
  }

  /// The first arrow key points at the first choice, and Return chooses.
  private static func downs(to index: Int) -> [OperatorKey] { Array(repeating: .arrow(.down), count: index + 1) }

  private static func marks(_ values: [String], among choices: [AnswerChoice]) -> [OperatorKey] {
    guard !values.isEmpty else { return [] }
    return choices.flatMap { choice -> [OperatorKey] in
      [.arrow(.down)] + (values.contains(choice.value) ? [.letter(" ")] : [])
    }
  }
}

extension SplitMix64 {
  /// A number below a bound.
  mutating func index(below bound: Int) -> Int { Int(uniform() * Double(bound)) }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(uniform() * (Double(range.upperBound) - Double(range.lowerBound) + 1))
  }
}
