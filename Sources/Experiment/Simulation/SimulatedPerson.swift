import Quantities
package import Study
import Synchronization

/// A simulated participant: is shown the steps, and presses the keys of a terminal's keyboard.
///
/// Answers are entered key by key into the same entries as those of a real person, and checked as those are.
final class SimulatedPerson: Presenter {
  fileprivate struct State: Sendable {
    var behaviour: SimulatedBehaviour
    var entry: OpenEntry?
    /// How often the open question was refused.
    var refusals = 0
    /// The step that is going to be skipped, in which nothing is answered.
    var skipped: String?
    /// The trials that are under way, each inside of the one before.
    var trials: [Trial] = []
    var asked: [AskedQuestion: Int] = [:]
    var unanswerable: [AskedQuestion] = []
  }

  /// So often a question is answered until it counts as one that cannot be.
  fileprivate static let patience = 3

  private let clock: any StationClock
  private let state: Mutex<State>
  private let acts: AsyncStream<SimulatedBehaviour.Act>
  private let continuation: AsyncStream<SimulatedBehaviour.Act>.Continuation

  init(_ behaviour: SimulatedBehaviour, clock: any StationClock) {
    self.clock = clock
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
        trial.send(.stop)
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

  func present(_ event: PresentedEvent, of step: Step) {
    if event == .started {
      for act in state.withLock({ $0.skipped == step.identifier ? [] : $0.behaviour.plays(step) }) {
        continuation.yield(act)
      }
    }
    let act: SimulatedBehaviour.Act? = state.withLock { state in
      switch event {
      case .appeared(_, _, let waits):
        if let act = state.behaviour.skips(step) {
          state.skipped = step.identifier
          return act
        }
        guard waits else { return nil }
        return state.behaviour.goesOn()
      case .awaitsNext:
        guard state.skipped != step.identifier else { return nil }
        return state.behaviour.goesOn()
      case .refused: return state.answersAgain(step)
      case .volume(let gain):
        guard state.skipped != step.identifier, let volume = step.kind as? VolumeStep, gain == volume.start else {
          return nil
        }
        return state.behaviour.adjusts()
      case .listens(let side): return state.skipped == step.identifier ? nil : state.behaviour.hears(side)
      case .headphonesFailed: return state.behaviour.goesOn()
      case .left:
        (state.entry, state.skipped) = (nil, nil)
        return nil
      default: return nil
      }
    }
    if let act { continuation.yield(act) }
  }

  func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void
  ) {
    let act: SimulatedBehaviour.Act? = state.withLock { state in
      // Results have no answer to the question whether a refusal of consent is meant.
      if step.consent == nil || question.identifier != ConsentStep.refusalQuestion {
        state.asked[AskedQuestion(step: step.identifier, question), default: 0] += 1
      }
      (state.entry, state.refusals) = (OpenEntry(question), 0)
      guard state.skipped != step.identifier else { return nil }
      return state.behaviour.answers(question, of: step)
    }
    if let act { continuation.yield(act) }
  }

  func take(_ key: OperatorKey, of step: Step) -> KeyUse { state.withLock { $0.entry?.take(key) ?? .unused } }
}

extension SimulatedPerson.State {
  /// Another answer to the open question, of which the last was refused.
  fileprivate mutating func answersAgain(_ step: Step) -> SimulatedBehaviour.Act? {
    guard let question = entry?.question else { return nil }
    refusals += 1
    entry = OpenEntry(question)
    guard refusals < SimulatedPerson.patience else {
      return SimulatedBehaviour.Act(delay: .zero, deed: .giveUp(step: step.identifier, question: question))
    }
    return behaviour.answers(question, of: step)
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
