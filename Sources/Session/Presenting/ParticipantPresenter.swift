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
    var input = ScreenInput()
    var page = ParticipantScreen()
    /// Counts the screens; what changes while one is shown keeps its number.
    var number = 0
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

  /// Whether anything was shown yet.
  package var hasShown: Bool { state.withLock { $0.number > 0 } }

  package var keyUncertainty: Duration? { ScreenInput.keyUncertainty(isKeyboard: hasKeyboard) }

  /// Draws a screen.
  package func show(_ screen: Screen) {
    update { state in
      let before = state.input.screen
      if state.input.show(screen, phrases) {
        state.number += 1
        // The step's text was read before its second question.
        let asksAgain = before?.step == screen.step && before?.asked != nil && screen.asked != nil
        let above = before?.step == screen.step ? state.page.above : 0
        state.page = page(title: screen.title ?? "")
        state.page.above = asksAgain ? nil : above ?? 0
      } else if before?.isPaused != screen.isPaused {
        state.number += 1
        state.page.reading = .first
      }
      (state.page.texts, state.page.document) = (screen.texts, screen.document)
      state.page.spoken = screen.spoken ?? ""
      if !screen.showsTime { state.page.remaining = nil }
      state.page.hasCross = screen.look == .cross
      state.page.position = screen.trial.map { "\($0.number) / \($0.count)" } ?? ""
      state.page.paused = screen.isPaused ? phrases[.paused] : nil
      state.page.rating = nil
      switch screen.entry {
      case .line(let percent, let anchors):
        state.page.rating = AnalogueEntry(anchors: anchors, at: percent)
        state.page.reading = .done
      case .volume(let gain, _, _): state.page.spoken = "\(gain.fixed(1)) dB"
      case .question, .form, .signature, .side, nil: break
      }
      draw(&state)
    }
  }

  /// Draws what was entered, and says which keys there are.
  private func draw(_ state: inout State) {
    state.page.entry = state.input.entry
    state.page.hint = state.input.screen.map { hint(of: $0, state.input.entry) } ?? ""
  }

  private func hint(of screen: Screen, _ entry: OpenEntry?) -> String {
    if let entry {
      let format = entry.question.format
      if let problem = entry.problem { return phrases.notice(of: problem, for: format) }
      return switch entry.entry.state {
      case .untouched: phrases.prompt(for: format)
      case .pointed: phrases[.choose]
      case .chosen: phrases[.confirm]
      }
    }
    if screen.notice == .headphonesFailed { return "\(phrases[.headphonesFailed])\n\(phrases[.goOn])" }
    return switch (screen.entry, screen.mainButton) {
    case (.side, _): "\(phrases[.headphones])\n\(phrases[.headphonesKeys])"
    case (.volume, _): "\(phrases[.volume])\n\(phrases[.volumeKeys])"
    case (_, .start): phrases[.start]
    case (_, .finish): phrases[.finish]
    case (_, .goOn), (_, .again): phrases[.goOn]
    case (_, .next), (_, .back), (_, .skip), (_, nil): ""
    }
  }

  /// Shows an event.
  package func tell(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .remaining(let time): update { $0.page.remaining = time }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .noticed(let text): console.report(text)
    case .concluded: if hasShown { show(.wait) }
    case .left: state.withLock { $0.input.clear() }
    case .started, .sounded, .signalled, .noise, .heartRate, .sampled, .answered: break
    }
  }

  // MARK: Keys

  /// Takes a key that counts: its screen was painted, it is not a repeat of a held key, and it does not scroll.
  package func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect {
    update { state in
      let painted = painted.withLock { $0 }
      let since = painted.number == state.number ? painted.moment : nil
      let gate = KeyGate(since: since)
      guard !hasKeyboard || gate.admits(key, at: moment, repeats: state.input.repeats) else { return .none }
      guard state.page.paused == nil else { return key.command(whileAsking: true).map { .command($0) } ?? .none }
      if state.page.reading == .first, painted.sawEnd || !hasKeyboard { state.page.reading = .done }
      let key = key.pressed
      guard !state.page.reads(key, on: painted.size) else { return .shown }
      let effect = state.input.take(key, at: moment, painted: since, isKeyboard: hasKeyboard)
      draw(&state)
      guard effect == .none else { return effect }
      if state.page.entry != nil, state.page.scroll(key, on: painted.size) { return .shown }
      return key.command(whileAsking: true).map { .command($0) } ?? .none
    }
  }

  // MARK: Screens of the session

  /// Shows a phrase and nothing else: the session's end, a pause, or that the operator attends to something.
  package func show(_ phrase: Phrase) {
    update { state in
      state.number += 1
      state.input.clear()
      let position = phrase == .end ? "" : state.page.position
      state.page = page(title: phrases[phrase])
      state.page.position = position
    }
  }

  private func page(title: String) -> ParticipantScreen { ParticipantScreen(title: title, more: phrases[.more]) }

  private func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    // Show it while holding the lock, so that no older screen replaces a newer one; the console never waits.
    state.withLock { state in
      let value = change(&state)
      let (page, number) = (state.page, state.number)
      console.show(screen: { page.rows($0) }) { [self] size, moment in
        see(number, size, moment, showsEnd: page.paused == nil && page.layout(size).showsEnd)
      }
      return value
    }
  }

  /// Remembers what was painted.
  private func see(_ number: Int, _ size: TerminalSize, _ moment: Moment, showsEnd: Bool) {
    painted.withLock { painted in
      painted.size = size
      if painted.number != number {
        (painted.number, painted.moment, painted.sawEnd) = (number, moment, showsEnd)
      } else if showsEnd {
        painted.sawEnd = true
      }
    }
  }
}
