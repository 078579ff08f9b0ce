import Glibc
import Synchronization

/// Ctrl-C during `station run`: before the trial it ends the process, during it the trial decides, and after it the
/// wait for room on a full disk is given up.
final class InterruptRouter: Sendable {
  private enum Phase {
    case before
    case during(TrialControl)
    case after(givesUp: Bool)
  }

  private let console: Console
  private let phase = Mutex(Phase.before)

  init(console: Console) { self.console = console }

  /// Gives interrupts to the trial that runs from now on.
  func trialBegins(_ control: TrialControl) { phase.withLock { $0 = .during(control) } }

  /// Gives interrupts to nobody: what is recorded is being brought to its bundle.
  func trialIsOver() { phase.withLock { $0 = .after(givesUp: false) } }

  /// Whether somebody wants no more waiting after the trial.
  var givesUp: Bool {
    phase.withLock { phase in
      guard case .after(let givesUp) = phase else { return false }
      return givesUp
    }
  }

  /// Passes interrupts on until the task is cancelled.
  func run() async {
    for await _ in Interrupts.stream() {
      let current = phase.withLock { phase in
        if case .after = phase { phase = .after(givesUp: true) }
        return phase
      }
      switch current {
      case .before:
        console.complain("interrupted before the trial; nothing was recorded")
        exit(ExitStatus.failed.rawValue)
      case .during(let control): await control.interrupt()
      case .after: break
      }
    }
  }
}
