import Basics
import Bundles
package import Quantities
package import Study
import Synchronization

/// Shows a trial as plain lines, one per event, for pipes and logs.
package final class LinePresenter: Presenter {
  private struct State {
    var input = ScreenInput(readsLines: true)
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

  package var keyUncertainty: Duration? { ScreenInput.keyUncertainty(isKeyboard: hasKeyboard) }

  /// Prints what is new on a screen.
  package func show(_ screen: Screen) {
    let (before, isOther) = state.withLock { state in (state.input.screen, state.input.show(screen)) }
    let step = screen.step
    if before?.step != step || before?.place != screen.place {
      let text = ([screen.title].compactMap(\.self) + screen.allTexts).joined(separator: " — ")
      console.line("step \(screen.place.number) of \(screen.place.count), \(step)" + (text.isEmpty ? "" : ": \(text)"))
    }
    if (before?.isPaused ?? false) != screen.isPaused { console.line(screen.isPaused ? "paused" : "resumed") }
    if isOther, !screen.isPaused { askForInput(screen, isFirst: before?.step != step) }
    if case .volume(let gain, _, _) = screen.entry, isOther || screen.entry != before?.entry {
      console.line("\(step): volume \(gain.fixed(1)) dB, waiting for + or - or Return")
    }
    if case .refused(let problem, _) = screen.notice, let question = screen.asked {
      console.line("\(name(of: question, in: step)): \(problem.words(for: question.format))")
    }
    let now = clock.now
    if isOther || before?.isPaused != screen.isPaused { state.withLock { $0.gate.since = now } }
  }

  /// Prints what a screen waits for.
  private func askForInput(_ screen: Screen, isFirst: Bool) {
    let step = screen.step
    if let question = screen.asked {
      let name = name(of: question, in: step)
      if let prompt = question.prompt { console.line("\(name): \(prompt)") }
      for line in question.format.legend { console.line("\(name): \(line)") }
      console.line("waiting for an answer and Return: \(question.format.expectation)")
      return
    }
    switch (screen.entry, screen.mainButton) {
    case (.side, _): console.line("\(step): noise on one side, waiting for L or R")
    case (_, .again): console.line("\(step): failed; headphones the right way round? waiting for Return")
    case (nil, .goOn), (nil, .start): console.line(isFirst ? "waiting for Return" : "\(step): done, waiting for Return")
    case (_, .goOn), (_, .start), (_, .finish), (_, .next), (_, .back), (_, .skip), (_, nil): break
    }
  }

  private func name(of question: Question?, in step: String) -> String {
    guard let question, question.identifier != step else { return step }
    return "\(step), \(question.identifier)"
  }

  /// Takes a key that was pressed after what waits for it was printed.
  package func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    state.withLock { state in
      guard !hasKeyboard || state.gate.admits(key, at: moment, repeats: state.input.repeats) else { return .none }
      let key = key.pressed
      let effect = state.input.take(key, at: moment, painted: state.gate.since, isKeyboard: hasKeyboard)
      guard effect == .none else { return effect }
      return key.command(whileAsking: state.input.screen?.asked != nil).map { .command($0) } ?? .none
    }
  }

  /// Prints an event.
  package func tell(_ event: PresentedEvent, of step: Step) {
    let name = step.identifier
    switch event {
    case .started: console.line("\(name): started")
    case .sounded: console.line("\(name): the clip sounds")
    case .remaining(let time):
      let seconds = Int(time.seconds.rounded())
      if seconds % 5 == 0 { console.line("\(name): \(seconds) s left") }
    case .heartRate(let rate): console.line("heart rate: " + (rate.map { "\(Int($0.rounded())) /min" } ?? "none"))
    case .sampled(let type, let value, let unit): console.line("\(type.channelName): \(unit.text(of: value))")
    case .signalled(.vibrate): console.line("\(name): signal")
    case .signalled(.sound): console.line("\(name): tone")
    case .signalled(.speech(let words)): console.line("\(name): “\(words)”")
    case .answered(let value):
      let question = state.withLock { $0.input.screen?.asked }
      console.line("\(self.name(of: question, in: name)): answer \(value.description.visible)")
    case .noticed(let text): console.report(text)
    case .left(let outcome):
      state.withLock { $0 = State() }
      if outcome != .finished { console.line("\(name): \(outcome.rawValue)") }
    case .noise, .concluded: break
    }
  }
}
