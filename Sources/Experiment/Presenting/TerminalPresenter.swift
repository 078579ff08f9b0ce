import Basics
import Bundles
package import Quantities
package import Study
import Synchronization

/// Shows a trial at a terminal: the step's title and text, and below them one status line that is redrawn.
package final class TerminalPresenter: Presenter {
  private struct Screen {
    var phrase = ""
    var remaining: Duration?
    var heartRate: Double?
    var knowsHeart = false
    /// The newest values of other quantities, in the order of their first ones.
    var values: [(type: QuantityType, text: String)] = []
    var entry: OpenEntry?
    var rating: Int?
    var isPaused = false
    /// Admits keys since what is shown began to wait for them.
    var gate = KeyGate()
  }

  private let console: any OperatorDisplay
  private let clock: any StationClock
  private let hasKeyboard: Bool
  private let screen = Mutex(Screen())

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

  /// Shows an event.
  package func present(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(_, _, let waits): appear(step, waits: waits)
    case .started: begin { $0.phrase = step.active?.stepDuration == .zero ? "recording; Return ends it" : "" }
    case .sounded: update { $0.phrase = "♪" }
    case .remaining(let time): update { $0.remaining = time }
    case .heartRate(let rate):
      update { screen in
        screen.heartRate = rate
        screen.knowsHeart = true
      }
    case .sampled(let type, let value, let unit):
      update { screen in
        let text = "\(type.channelName) \(unit.text(of: value))"
        if let place = screen.values.firstIndex(where: { $0.type == type }) {
          screen.values[place].text = text
        } else {
          screen.values.append((type, text))
        }
      }
    case .rated(let percent, _): update { $0.rating = percent }
    case .volume(let gain): update { $0.phrase = "volume \(gain.fixed(1)) dB; + and - change it, Return accepts it" }
    case .listens: begin { $0.phrase = "noise on one side; left or right answers" }
    case .headphonesFailed: begin { $0.phrase = "headphone check failed; Return repeats it" }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): console.line("  “\(words)”")
    case .paused(let isPaused):
      update { screen in
        screen.phrase = isPaused ? "paused; p resumes" : ""
        screen.isPaused = isPaused
      }
    case .awaitsNext:
      begin { screen in
        screen.phrase = "done; Return continues"
        screen.remaining = nil
      }
    case .answered(let value): console.line("  answer: \(value.description.visible)")
    case .refused(let problem): update { $0.entry?.problem = problem }
    case .noticed(let text): console.report(text)
    case .concluded: break
    case .left(let outcome):
      begin { $0 = Screen() }
      if outcome != .finished { console.line("  \(outcome.rawValue)") }
    }
  }

  /// Shows the question, and the answers that there are to choose.
  package func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void
  ) {
    if let prompt = question.prompt { console.line(prompt) }
    for line in question.format.legend { console.line("  \(line)") }
    begin { $0.entry = OpenEntry(question) }
  }

  /// Whether a key counts: it was pressed after what waits for it was shown, and is no repeat of a held key.
  package func admits(_ key: OperatorKey, at moment: Moment, of step: Step) -> Bool {
    guard hasKeyboard else { return true }
    return screen.withLock { screen in
      let entry = screen.entry?.entry
      return screen.gate.admits(key, at: moment, repeats: entry.map { $0.repeats })
    }
  }

  /// Shows what was entered, or takes the answer.
  package func take(_ key: OperatorKey, of step: Step) -> KeyUse {
    screen.withLock { screen in
      let use = screen.entry?.take(key) ?? .unused
      console.show(status: Self.line(screen))
      return use
    }
  }

  private func appear(_ step: Step, waits: Bool) {
    // The step before may have been the participant's.
    console.leaveScreen()
    console.line("")
    if let title = step.title { console.heading(title) }
    for text in [step.text, step.detailText].compactMap({ $0 }) { console.line(text) }
    begin { screen in
      screen = Screen()
      screen.phrase = waits ? (step.active == nil ? "Return continues" : "Return starts") : ""
    }
  }

  private func begin(_ change: (inout Screen) -> Void) {
    let now = clock.now
    update { screen in
      change(&screen)
      screen.gate.since = now
    }
  }

  private func update(_ change: (inout Screen) -> Void) {
    // Draw it while holding the lock, so that no older line replaces a newer one.
    screen.withLock { screen in
      change(&screen)
      console.show(status: Self.line(screen))
    }
  }

  private static func line(_ screen: Screen) -> String {
    var parts: [String] = []
    if let remaining = screen.remaining {
      let seconds = Int(remaining.seconds.rounded(.up))
      parts.append("\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60) left")
    }
    if screen.knowsHeart { parts.append("♥ " + (screen.heartRate.map { "\(Int($0.rounded())) /min" } ?? "--")) }
    parts += screen.values.map(\.text)
    if let rating = screen.rating { parts.append("rating \(rating)") }
    if let entry = screen.entry, !screen.isPaused { parts.append(entry.status) }
    if !screen.phrase.isEmpty { parts.append(screen.phrase) }
    return parts.isEmpty ? "" : "  " + parts.joined(separator: "   ")
  }
}
