import Basics
import Bundles
import Quantities
package import Study
import Synchronization

/// Shows a trial to its participant on the full screen of a terminal: title, text and remaining time.
///
/// Messages for the operator wait until the screen is left: the console keeps its lines.
package final class ParticipantPresenter: Presenter {
  private let console: any OperatorDisplay
  private let phrases: Phrases
  private let screen = Mutex(ParticipantScreen())

  /// Shows a trial on a display, with the protocol's phrases.
  package init(console: any OperatorDisplay, phrases: Phrases) {
    self.console = console
    self.phrases = phrases
  }

  /// Shows an event.
  package func present(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(_, _, let waits):
      update { screen in
        let position = screen.position
        screen = ParticipantScreen(title: step.title ?? "", texts: [step.text, step.detailText].compactMap(\.self))
        screen.position = position
        if waits { screen.hint = phrases[step.active == nil ? .goOn : .start] }
      }
    case .started: update { $0.hint = runningHint(step) }
    case .remaining(let time): update { $0.remaining = time }
    case .rated(let percent, let anchors): update { $0.rating = AnalogueEntry(anchors: anchors, at: percent) }
    case .volume(let gain):
      update { screen in
        screen.spoken = "\(gain.fixed(1)) dB"
        screen.hint = phrases[.volume]
      }
    case .listens: update { $0.hint = phrases[.headphones] }
    case .headphonesFailed: update { $0.hint = phrases[.headphonesFailed] }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): update { $0.spoken = words }
    case .paused(let isPaused):
      update { screen in
        let hint = screen.entry.map { phrases.prompt(for: $0.question.format) } ?? runningHint(step)
        screen.hint = isPaused ? phrases[.paused] : hint
      }
    case .awaitsNext:
      update { screen in
        screen.remaining = nil
        let endsItself = step.active?.stepDuration != .zero
        screen.hint = phrases[endsItself ? .goOn : .finish]
      }
    case .noticed(let text): console.report(text)
    case .refused(let problem):
      update { screen in
        screen.entry?.problem = problem
        if let question = screen.entry?.question { screen.hint = phrases.notice(of: problem, for: question.format) }
      }
    case .sounded, .heartRate, .sampled, .answered, .left: break
    }
  }

  /// Draws the question with its entry.
  package func ask(_ question: Question, of step: Step, reply: @escaping @Sendable (AnswerValue) -> Void) {
    update { screen in
      screen.entry = OpenEntry(question, phrases: phrases)
      screen.hint = phrases.prompt(for: question.format)
    }
  }

  /// Shows what was entered, or takes the answer.
  package func take(_ key: OperatorKey, of step: Step) -> KeyUse {
    update { screen in
      let use = screen.entry?.take(key) ?? .unused
      if use == .used, let question = screen.entry?.question { screen.hint = phrases.prompt(for: question.format) }
      return use
    }
  }

  private func runningHint(_ step: Step) -> String {
    step.active?.stepDuration == .zero ? phrases[.finish] : ""
  }

  /// Shows the trial's number in the session from the next step on: `2 / 8`.
  package func show(position: String) { screen.withLock { $0.position = position } }

  /// Shows that the session is over.
  package func showEnd(_ phrase: Phrase = .end) { update { $0 = ParticipantScreen(title: phrases[phrase]) } }

  private func update<Value: Sendable>(_ change: (inout ParticipantScreen) -> Value) -> Value {
    // Show it while holding the lock, so that no older screen replaces a newer one; the console never waits.
    screen.withLock { screen in
      let value = change(&screen)
      console.show(screen: { [screen] in screen.rows($0) })
      return value
    }
  }
}
