import Basics
import Bundles
package import Quantities
package import Study
import Synchronization

/// Shows a trial as plain lines, one per event, for pipes and logs.
package final class LinePresenter: Presenter {
  private struct State {
    var entry: LineEntry?
    /// Admits keys since the last line that waits for them was printed.
    var gate = KeyGate()
  }

  private let console: any OperatorDisplay
  private let hasKeyboard: Bool
  private let clock: any StationClock
  private let state = Mutex(State())

  /// Shows a trial on a display.
  ///
  /// - Parameters:
  ///   - console: the display.
  ///   - hasKeyboard: whether keys come from a keyboard, and not from a pipe, whose lines may be there before they are
  ///     asked for.
  ///   - clock: the clock of the keys.
  package init(
    console: any OperatorDisplay, hasKeyboard: Bool = true, clock: any StationClock = MonotonicClock()
  ) {
    (self.console, self.hasKeyboard, self.clock) = (console, hasKeyboard, clock)
  }

  /// Prints the question with the answers that there are to choose.
  package func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void
  ) {
    state.withLock { $0.entry = LineEntry(question) }
    let name = name(of: question, in: step)
    if let prompt = question.prompt { console.line("\(name): \(prompt)") }
    for line in question.format.legend { console.line("\(name): \(line)") }
    console.line("waiting for an answer and Return: \(question.format.expectation)")
    admitFromNow()
  }

  /// Whether a key counts: it was pressed after what waits for it was printed.
  package func admits(_ key: OperatorKey, at moment: Moment, of step: Step) -> Bool {
    guard hasKeyboard else { return true }
    return state.withLock { state in
      state.gate.admits(key, at: moment, repeats: state.entry.map { _ in { _ in true } })
    }
  }

  /// Takes a character of the answer, or the end of its line.
  package func take(_ key: OperatorKey, of step: Step) -> KeyUse {
    state.withLock { $0.entry?.take(key) ?? .unused }
  }

  private func admitFromNow() {
    let now = clock.now
    state.withLock { $0.gate.since = now }
  }

  private func name(of question: Question?, in step: Step) -> String {
    guard let question, question.identifier != step.identifier else { return step.identifier }
    return "\(step.identifier), \(question.identifier)"
  }

  /// Shows an event.
  package func present(_ event: PresentedEvent, of step: Step) {
    print(event, of: step)
    switch event {
    case .appeared, .started, .listens, .headphonesFailed, .awaitsNext: admitFromNow()
    case .left: state.withLock { $0 = State() }
    default: break
    }
  }

  private func print(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(let index, let count, let waits):
      let text = [step.title, step.text, step.detailText].compactMap { $0 }.joined(separator: " — ")
      console.line("step \(index + 1) of \(count), \(step.identifier)" + (text.isEmpty ? "" : ": \(text)"))
      if waits { console.line("waiting for Return") }
    case .started: console.line("\(step.identifier): started")
    case .sounded: console.line("\(step.identifier): the clip sounds")
    case .remaining(let time):
      let seconds = Int(time.seconds.rounded())
      if seconds % 5 == 0 { console.line("\(step.identifier): \(seconds) s left") }
    case .heartRate(let rate): console.line("heart rate: " + (rate.map { "\(Int($0.rounded())) /min" } ?? "none"))
    case .sampled(let type, let value, let unit): console.line("\(type.channelName): \(unit.text(of: value))")
    case .volume(let gain): console.line("\(step.identifier): volume \(gain.fixed(1)) dB, waiting for + or - or Return")
    case .listens: console.line("\(step.identifier): noise on one side, waiting for L or R")
    case .headphonesFailed:
      console.line("\(step.identifier): failed; headphones the right way round? waiting for Return")
    case .signalled(.vibrate): console.line("\(step.identifier): signal")
    case .signalled(.sound): console.line("\(step.identifier): tone")
    case .signalled(.speech(let words)): console.line("\(step.identifier): “\(words)”")
    case .paused(let isPaused): console.line(isPaused ? "paused" : "resumed")
    case .answered(let value):
      console.line("\(name(of: state.withLock { $0.entry?.question }, in: step)): answer \(value.description.visible)")
    case .refused(let problem):
      guard let question = state.withLock({ $0.entry?.question }) else { return }
      console.line("\(name(of: question, in: step)): \(problem.words(for: question.format))")
    case .awaitsNext: console.line("\(step.identifier): done, waiting for Return")
    case .noticed(let text): console.report(text)
    case .left(.finished), .rated, .concluded: break
    case .left(let outcome): console.line("\(step.identifier): \(outcome.rawValue)")
    }
  }
}
