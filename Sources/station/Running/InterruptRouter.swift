import Basics
import Glibc
import Synchronization

/// Routes Ctrl-C during `station run`.
///
/// Before the trial, it ends the process; while the trial is opened, it is kept for the trial; during the trial, the
/// trial decides. After the trial, it ends waiting: for space on a full disk, for the operator at the end screen, for a
/// store.
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

  /// Keeps interrupts for the trial, which from now on has data on disk.
  func trialOpens() { phase.withLock { $0 = .opening(isInterrupted: false) } }

  /// Sends interrupts to the running trial, including one that came while it was opened.
  func trialBegins(_ control: TrialControl) async {
    let isInterrupted = phase.withLock { phase in
      defer { phase = .during(control) }
      guard case .opening(let isInterrupted) = phase else { return false }
      return isInterrupted
    }
    if isInterrupted { await control.interrupt(.key) }
  }

  /// Sends interrupts to no one while the bundle is being written.
  func trialIsOver() { phase.withLock { $0 = .after(givesUp: false, bell: nil) } }

  /// Rings this bell at the next interrupt after the trial, or now if one came since the trial ended.
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

  /// Clears an interrupt that came since the trial ended.
  ///
  /// - Returns: whether one came.
  func forgive() -> Bool {
    phase.withLock { phase in
      guard case .after(givesUp: true, _) = phase else { return false }
      phase = .after(givesUp: false, bell: nil)
      return true
    }
  }

  /// Whether the operator has ended the waiting after the trial.
  var givesUp: Bool {
    phase.withLock { phase in
      guard case .after(let givesUp, _) = phase else { return false }
      return givesUp
    }
  }

  /// Starts handling interrupts on a thread of its own, so that reading clips or a recovery cannot delay them.
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

  /// Forwards interrupts to trials until the task is cancelled.
  func run() async {
    for await (control, signal) in forTrials { await control.interrupt(signal) }
  }

  /// The effect of an interrupt.
  enum Effect {
    /// It ends the process with this message.
    case exit(String)
    /// The trial decides.
    case tell(TrialControl)
    /// It is remembered.
    case wait
  }

  /// Handles an interrupt.
  func interrupt() -> Effect {
    phase.withLock { phase in
      switch phase {
      case .before: return .exit("interrupted before the trial; nothing was recorded")
      case .opening(isInterrupted: false):
        phase = .opening(isInterrupted: true)
        return .wait
      case .opening(isInterrupted: true):
        return .exit(
          "interrupted while the trial was opened; the next run or “station recover” makes a bundle of its data"
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
