import Basics
import Bundles
package import Quantities
package import Study
import Synchronization

/// Shows a trial at the operator's terminal: the step's title and text, and below them one status line that is redrawn.
package final class TerminalPresenter: Presenter {
  private struct Status {
    var input = ScreenInput()
    /// What happens, or what can be done.
    var phrase = ""
    var remaining: Duration?
    var heartRate: Double?
    var knowsHeart = false
    /// The newest values of other quantities, in the order of their first ones.
    var values: [(type: QuantityType, text: String)] = []
    /// Admits keys since what is shown began to wait for them.
    var gate = KeyGate()
  }

  private let console: any OperatorDisplay
  private let clock: any StationClock
  private let hasKeyboard: Bool
  private let status = Mutex(Status())

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

  /// Prints the texts of a step, and what there is to choose; the status line has the rest.
  package func show(_ screen: Screen) {
    let now = clock.now
    update { status in
      let before = status.input.screen
      let isOther = status.input.show(screen)
      if before?.step != screen.step || before?.place != screen.place { printTexts(of: screen) }
      if isOther, before?.asked != screen.asked, let question = screen.asked { printLegend(of: question) }
      if isOther || before?.isPaused != screen.isPaused { status.gate.since = now }
      if !screen.showsTime { status.remaining = nil }
      if isOther || before?.isPaused != screen.isPaused || before?.buttons != screen.buttons {
        status.phrase = Self.phrase(of: screen, before)
      }
    }
  }

  private func printTexts(of screen: Screen) {
    // The step before may have been the participant's.
    console.leaveScreen()
    console.line("")
    if let title = screen.title { console.heading(title) }
    for text in screen.allTexts { console.line(text) }
  }

  private func printLegend(of question: Question) {
    if let prompt = question.prompt { console.line(prompt) }
    for line in question.format.legend { console.line("  \(line)") }
  }

  private static func phrase(of screen: Screen, _ before: Screen?) -> String {
    if screen.isPaused { return "paused; p resumes" }
    switch (screen.entry, screen.mainButton) {
    case (.side, _): return "noise on one side; left or right answers"
    case (.volume, _), (.question, _), (.signature, _): return ""
    case (_, .again): return "headphone check failed; Return repeats it"
    case (_, .start): return "Return starts"
    case (_, .finish): return "recording; Return ends it"
    case (_, .goOn): return before?.step == screen.step ? "done; Return continues" : "Return continues"
    case (_, .next), (_, .back), (_, .skip), (_, nil): return ""
    }
  }

  /// Takes a key that was pressed after what waits for it was shown, and is not a repeat of a held key.
  package func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    update { status in
      guard !hasKeyboard || status.gate.admits(key, at: moment, repeats: status.input.repeats) else { return .none }
      let key = key.pressed
      let effect = status.input.take(key, at: moment, painted: status.gate.since, isKeyboard: hasKeyboard)
      guard effect == .none else { return effect }
      let isAsking = status.input.screen.map { $0.asked != nil && !$0.isPaused } ?? false
      return key.command(whileAsking: isAsking).map { .command($0) } ?? .none
    }
  }

  /// Shows an event.
  package func tell(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .started: break
    case .sounded: update { $0.phrase = "♪" }
    case .remaining(let time): update { $0.remaining = time }
    case .heartRate(let rate):
      update { status in
        status.heartRate = rate
        status.knowsHeart = true
      }
    case .sampled(let type, let value, let unit):
      update { status in
        let text = "\(type.channelName) \(unit.text(of: value))"
        if let place = status.values.firstIndex(where: { $0.type == type }) {
          status.values[place].text = text
        } else {
          status.values.append((type, text))
        }
      }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): console.line("  “\(words)”")
    case .answered(let value): console.line("  answer: \(value.description.visible)")
    case .noticed(let text): console.report(text)
    case .noise, .concluded: break
    case .left(let outcome):
      update { $0 = Status() }
      if outcome != .finished { console.line("  \(outcome.rawValue)") }
    }
  }

  private func update<Value>(_ change: (inout Status) -> Value) -> Value {
    // Draw it while holding the lock, so that no older line replaces a newer one.
    status.withLock { status in
      let value = change(&status)
      console.show(status: Self.line(status))
      return value
    }
  }

  private static func line(_ status: Status) -> String {
    var parts: [String] = []
    if let remaining = status.remaining {
      let seconds = Int(remaining.seconds.rounded(.up))
      parts.append("\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left")
    }
    if status.knowsHeart { parts.append("♥ " + (status.heartRate.map { "\(Int($0.rounded())) /min" } ?? "--")) }
    parts += status.values.map(\.text)
    switch status.input.screen?.entry {
    case .line(let percent, _): parts.append("rating \(percent)")
    case .volume(let gain, _, _): parts.append("volume \(gain.fixed(1)) dB; + and - change it, Return accepts it")
    case .question, .form, .signature, .side, nil: break
    }
    if let entry = status.input.entry, status.input.screen?.isPaused != true { parts.append(entry.status) }
    if !status.phrase.isEmpty { parts.append(status.phrase) }
    return parts.isEmpty ? "" : "  " + parts.joined(separator: "   ")
  }
}
