import Basics
import Glibc
import Synchronization

/// Ctrl-C during `station run`: before the trial it ends the process, while the trial is opened it waits for the trial, during
/// it the trial decides, and after it what is waited for is given up: room on a full disk, somebody who looks at the end
/// screen, a store.
final class InterruptRouter: Sendable {
  private enum Phase {
    case before
    case opening(isInterrupted: Bool)
    case during(TrialControl)
    case after(givesUp: Bool, bell: Bell?)
  }

  private let console: Console
  private let phase = Mutex(Phase.before)
  private let forTrials: AsyncStream<(TrialControl, Interrupts.Interrupt)>
  private let told: AsyncStream<(TrialControl, Interrupts.Interrupt)>.Continuation

  init(console: Console) {
    self.console = console
    (forTrials, told) = AsyncStream.makeStream()
  }

  /// Keeps an interrupt for the trial, of which something is on the disk from now on.
  func trialOpens() { phase.withLock { $0 = .opening(isInterrupted: false) } }

  /// Gives interrupts to the trial that runs from now on, and one that came while it was opened.
  func trialBegins(_ control: TrialControl) async {
    let isInterrupted = phase.withLock { phase in
      defer { phase = .during(control) }
      guard case .opening(let isInterrupted) = phase else { return false }
      return isInterrupted
    }
    if isInterrupted { await control.interrupt(.key) }
  }

  /// Gives interrupts to nobody: what is recorded is being brought to its bundle.
  func trialIsOver() { phase.withLock { $0 = .after(givesUp: false, bell: nil) } }

  /// After the trial, lets the next interrupt ring this bell, or one that came since the trial was over.
  func ring(_ bell: Bell) {
    let isDue = phase.withLock { phase in
      guard case .after(givesUp: true, _) = phase else {
        phase = .after(givesUp: false, bell: bell)
        return false
      }
      return true
    }
    if isDue { bell.ring() }
  }

  /// Forgets an interrupt that came since the trial was over.
  ///
  /// - Returns: whether one came.
  func forgive() -> Bool {
    phase.withLock { phase in
      guard case .after(givesUp: true, _) = phase else { return false }
      phase = .after(givesUp: false, bell: nil)
      return true
    }
  }

  /// Whether somebody wants no more waiting after the trial.
  var givesUp: Bool {
    phase.withLock { phase in
      guard case .after(let givesUp, _) = phase else { return false }
      return givesUp
    }
  }

  /// Takes interrupts from now on, on a thread of its own: neither clips that are read nor a recovery keep one waiting.
  func start() {
    Interrupts.onEach { [self] signal in
      switch interrupt() {
      case .exit(let words):
        console.complain(words)
        console.drain()
        exit(ExitStatus.failed.rawValue)
      case .tell(let control): told.yield((control, signal))
      case .wait: break
      }
    }
  }

  /// Tells trials of their interrupts until the task is cancelled.
  func run() async {
    for await (control, signal) in forTrials { await control.interrupt(signal) }
  }

  /// What an interrupt does.
  enum Effect {
    /// It ends the process, with these words.
    case exit(String)
    /// The trial decides.
    case tell(TrialControl)
    /// It is kept in mind.
    case wait
  }

  /// Takes an interrupt.
  func interrupt() -> Effect {
    phase.withLock { phase in
      switch phase {
      case .before: return .exit("interrupted before the trial; nothing was recorded")
      case .opening(isInterrupted: false):
        phase = .opening(isInterrupted: true)
        return .wait
      case .opening(isInterrupted: true):
        return .exit(
          "interrupted while the trial was opened; the next start, or “station recover”, makes a bundle of what it holds"
        )
      case .during(let control): return .tell(control)
      case .after(_, let bell):
        phase = .after(givesUp: true, bell: nil)
        bell?.ring()
        return .wait
      }
    }
  }
}
