import Basics
import Bundles
package import Quantities
package import Study
import Synchronization

/// Shows a trial to its participant on the full screen of a terminal: title, text and remaining time.
///
/// Messages for the operator wait until the screen is left: the console keeps its lines. Keys count once their screen was
/// painted, and Return once the end of its text was.
package final class ParticipantPresenter: Presenter {
  private struct State {
    var screen = ParticipantScreen()
    /// Counts the screens; what changes while one is shown keeps its number.
    var number = 0
    /// Told when the screen is painted for the first time.
    var painted: (@Sendable (Moment) -> Void)?
  }

  /// What the terminal shows.
  private struct Painted {
    var number = 0
    var moment: Moment?
    var size = TerminalSize(columns: 80, rows: 24)
    var sawEnd = false
  }

  private let console: any OperatorDisplay
  private let phrases: Phrases
  /// Whether keys come from a keyboard, and not from a pipe, whose lines may be there before they are asked for.
  private let hasKeyboard: Bool
  private let state = Mutex(State())
  // A lock of its own: the console's thread takes it, while a presenter's thread may wait for the console with the other.
  private let painted = Mutex(Painted())

  /// Shows a trial on a display, with the protocol's phrases.
  package init(console: any OperatorDisplay, phrases: Phrases, hasKeyboard: Bool = true) {
    self.console = console
    self.phrases = phrases
    self.hasKeyboard = hasKeyboard
  }

  /// The participant's letters are no commands.
  package var takesCommands: Bool { false }

  /// Whether anything was shown yet.
  package var hasShown: Bool { state.withLock { $0.number > 0 } }

  /// Shows an event.
  package func present(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(_, _, let waits):
      begin { screen in
        screen = self.screen(title: step.title ?? "", position: screen.position)
        screen.texts = [step.text, step.detailText].compactMap(\.self)
        if waits { screen.hint = phrases[step.active == nil ? .goOn : .start] }
      }
    case .started: begin { $0.hint = runningHint(step) }
    case .remaining(let time): update { $0.screen.remaining = time }
    case .rated(let percent, let anchors):
      update { state in
        state.screen.rating = AnalogueEntry(anchors: anchors, at: percent)
        state.screen.reading = .done
      }
    case .volume(let gain):
      update { state in
        state.screen.spoken = "\(gain.fixed(1)) dB"
        state.screen.hint = phrases[.volume]
      }
    case .listens: begin { $0.hint = phrases[.headphones] }
    case .headphonesFailed: begin { $0.hint = phrases[.headphonesFailed] }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): update { $0.screen.spoken = words }
    case .paused(let isPaused): begin { $0.paused = isPaused ? phrases[.paused] : nil }
    case .awaitsNext:
      begin { screen in
        screen.remaining = nil
        let endsItself = step.active?.stepDuration != .zero
        screen.hint = phrases[endsItself ? .goOn : .finish]
      }
    case .noticed(let text): console.report(text)
    case .refused(let problem):
      update { state in
        state.screen.entry?.problem = problem
        state.screen.hint = hint(of: state.screen.entry)
      }
    case .concluded: if hasShown { show(.wait) }
    case .sounded, .heartRate, .sampled, .answered, .left: break
    }
  }

  /// Draws the question with its entry.
  package func ask(
    _ question: Question, of step: Step, painted: @escaping @Sendable (Moment) -> Void,
    reply: @escaping @Sendable (AnswerValue) -> Void
  ) {
    begin(painted) { screen in
      // The step's text was read before its first question.
      screen.above = screen.entry == nil ? 0 : nil
      screen.entry = OpenEntry(question, phrases: phrases)
      screen.hint = hint(of: screen.entry)
    }
  }

  // MARK: Keys

  /// Whether a key counts: its screen was painted, it is no repeat of a held key, and it does not scroll.
  package func admits(_ key: OperatorKey, at moment: Moment, of step: Step) -> Bool {
    update { state in
      let painted = painted.withLock { $0 }
      let isPainted = painted.number == state.number
      let gate = KeyGate(since: isPainted ? painted.moment : nil)
      let entry = state.screen.entry?.entry
      guard !hasKeyboard || gate.admits(key, at: moment, repeats: entry.map { $0.repeats }) else { return false }
      guard state.screen.paused == nil else { return false }
      if state.screen.reading == .first, painted.sawEnd || !hasKeyboard { state.screen.reading = .done }
      return !state.screen.reads(key.pressed, on: painted.size)
    }
  }

  /// Shows what was entered, or takes the answer.
  package func take(_ key: OperatorKey, of step: Step) -> KeyUse {
    update { state in
      let use = state.screen.entry?.take(key) ?? .unused
      if use == .used { state.screen.hint = hint(of: state.screen.entry) }
      let size = painted.withLock { $0.size }
      return use == .unused && state.screen.scroll(key, on: size) ? .used : use
    }
  }

  private func runningHint(_ step: Step) -> String {
    step.active?.stepDuration == .zero ? phrases[.finish] : ""
  }

  private func hint(of entry: OpenEntry?) -> String {
    guard let entry else { return "" }
    let format = entry.question.format
    if let problem = entry.problem { return phrases.notice(of: problem, for: format) }
    return switch entry.entry.state {
    case .untouched: phrases.prompt(for: format)
    case .pointed: phrases[.choose]
    case .chosen: phrases[.confirm]
    }
  }

  // MARK: Screens

  /// Shows the trial's number in the session from the next step on: `2 / 8`.
  package func show(position: String) { state.withLock { $0.screen.position = position } }

  /// Shows a phrase and nothing else: the session's end, a pause, or that the operator attends to something.
  package func show(_ phrase: Phrase) {
    begin { $0 = self.screen(title: phrases[phrase], position: phrase == .end ? "" : $0.position) }
  }

  private func screen(title: String, position: String) -> ParticipantScreen {
    ParticipantScreen(title: title, position: position, more: phrases[.more])
  }

  /// Begins another screen, of which no key that was pressed before counts.
  private func begin(
    _ painted: (@Sendable (Moment) -> Void)? = nil, _ change: (inout ParticipantScreen) -> Void
  ) {
    update { state in
      state.number += 1
      state.painted = painted
      state.screen.reading = .first
      change(&state.screen)
    }
  }

  private func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    // Show it while holding the lock, so that no older screen replaces a newer one; the console never waits.
    state.withLock { state in
      let value = change(&state)
      let (screen, number, told) = (state.screen, state.number, state.painted)
      console.show(screen: { screen.rows($0) }) { [self] size, moment in
        let showsEnd = screen.paused == nil && screen.layout(size).showsEnd
        if see(number, size, moment, showsEnd: showsEnd) { told?(moment) }
      }
      return value
    }
  }

  /// Remembers what was painted; whether it is the first time that this screen was.
  private func see(_ number: Int, _ size: TerminalSize, _ moment: Moment, showsEnd: Bool) -> Bool {
    painted.withLock { painted in
      painted.size = size
      guard painted.number == number else {
        (painted.number, painted.moment, painted.sawEnd) = (number, moment, showsEnd)
        return true
      }
      if showsEnd { painted.sawEnd = true }
      return false
    }
  }
}
