import Quantities
package import Study
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
    case (.side, _), (_, nil), (_, .skip), (_, .next): nil
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
  package let step: String
  /// The question.
  package let question: Question

  init(step: String, _ question: Question) { (self.step, self.question) = (step, question) }
}
