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
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): update { $0.spoken = words }
    case .paused(let isPaused): update { $0.hint = isPaused ? phrases[.paused] : runningHint(step) }
    case .awaitsNext:
      update { screen in
        screen.remaining = nil
        let endsItself = step.active?.stepDuration != .zero
        screen.hint = phrases[endsItself ? .goOn : .finish]
      }
    case .noticed(let text): console.report(text)
    case .sounded, .heartRate, .sampled, .left: break
    }
  }

  private func runningHint(_ step: Step) -> String {
    step.active?.stepDuration == .zero ? phrases[.finish] : ""
  }

  /// Shows the trial's number in the session from the next step on: `2 / 8`.
  package func show(position: String) { screen.withLock { $0.position = position } }

  /// Shows that the session is over.
  package func showEnd() { update { $0 = ParticipantScreen(title: phrases[.end]) } }

  private func update(_ change: (inout ParticipantScreen) -> Void) {
    // Show it while holding the lock, so that no older screen replaces a newer one; the console never waits.
    screen.withLock { screen in
      change(&screen)
      console.show(screen: { [screen] in screen.rows($0) })
    }
  }
}
