package import Basics
package import Quantities
import Synchronization

/// Routes Ctrl-C during `station run`.
///
/// Before the trial, it ends the process; while the trial is opened, it is kept for the trial; during the trial, the
/// trial decides. After the trial, it ends waiting: for space on a full disk, for the operator at the end screen, for the
/// next trial of the session, for a store. An interrupt that a trial's end overtook counts as one after the trial.
package final class InterruptRouter: Sendable {
  private enum Phase {
    case before
    case opening(interrupted: Moment?)
    case during(TrialControl, isInterrupted: Bool)
    case after(givesUp: Bool, bell: Bell?)

    /// Whether an interrupt is still to be handled, as far as this is known.
    var isInterrupted: Bool {
      switch self {
      case .before: false
      case .opening(let moment): moment != nil
      case .during(_, let isInterrupted): isInterrupted
      case .after(let givesUp, _): givesUp
      }
    }
  }

  /// How long an interrupt waits for a trial that does not open; the next one then ends the process.
  private static let openingPatience = Duration.seconds(1)

  private let phase = Mutex(Phase.before)
  private let laterInterrupts = Atomic(0)
  private let forTrials: AsyncStream<(TrialControl, Interrupt)>
  private let told: AsyncStream<(TrialControl, Interrupt)>.Continuation

  private let clock: any StationClock

  /// Routes interrupts before the trial.
  package init(clock: any StationClock = MonotonicClock()) {
    self.clock = clock
    (forTrials, told) = AsyncStream.makeStream()
  }

  /// Keeps interrupts for the trial, which from now on has data on disk; including one that came since the trial before
  /// ended.
  package func trialOpens() {
    let now = clock.now
    phase.withLock { phase in phase = .opening(interrupted: phase.isInterrupted ? now : nil) }
  }

  /// Sends interrupts to the running trial, including one that came while it was opened, or since the trial inside of it
  /// ended.
  package func trialBegins(_ control: TrialControl) async {
    let isInterrupted = phase.withLock { phase in
      defer { phase = .during(control, isInterrupted: phase.isInterrupted) }
      return phase.isInterrupted
    }
    if isInterrupted { await control.interrupt(.key) }
  }

  /// The running trial that interrupts are sent to, if one runs.
  package var control: TrialControl? {
    phase.withLock { phase in if case .during(let control, _) = phase { control } else { nil } }
  }

  /// Sends interrupts to no one while the bundle is being written.
  ///
  /// - Parameter end: how the trial ended; one that ended otherwise than by the interrupt did not take it.
  package func trialIsOver(_ end: TrialEnd) {
    phase.withLock { phase in
      phase = .after(givesUp: end != .stopped && phase.isInterrupted, bell: nil)
    }
  }

  /// Rings this bell at the next interrupt after the trial, or now if one came since the trial ended; before the first
  /// trial never, since an interrupt ends the process then.
  package func ring(_ bell: Bell) {
    let isDue = phase.withLock { phase in
      if case .before = phase { return false }
      let isDue = phase.isInterrupted
      phase = .after(givesUp: isDue, bell: isDue ? nil : bell)
      return isDue
    }
    if isDue { bell.ring() }
  }

  /// Clears an interrupt that came since the trial ended.
  ///
  /// - Returns: whether one came.
  package func forgive() -> Bool {
    phase.withLock { phase in
      guard case .after(givesUp: true, _) = phase else { return false }
      phase = .after(givesUp: false, bell: nil)
      return true
    }
  }

  /// How many interrupts have come between and after trials.
  package var interruptions: Int { laterInterrupts.load(ordering: .acquiring) }

  /// Whether the operator has ended the waiting after the trial.
  package var givesUp: Bool {
    phase.withLock { phase in
      guard case .after(let givesUp, _) = phase else { return false }
      return givesUp
    }
  }

  /// Handles an interrupt.
  ///
  /// - Returns: the message with which it ends the process; `nil` if it does not.
  package func handle(_ signal: Interrupt) -> String? {
    switch interrupt() {
    case .exit(let words): return words
    case .tell(let control): told.yield((control, signal))
    case .wait: break
    }
    return nil
  }

  /// Forwards interrupts to trials until the task is cancelled.
  package func run() async {
    for await (control, signal) in forTrials { await control.interrupt(signal) }
  }

  /// The effect of an interrupt.
  private enum Effect {
    /// It ends the process with this message.
    case exit(String)
    /// The trial decides.
    case tell(TrialControl)
    case wait
  }

  private func interrupt() -> Effect {
    let now = clock.now
    return phase.withLock { phase in
      switch phase {
      case .before: return .exit("interrupted before the trial; nothing was recorded")
      case .opening(nil):
        phase = .opening(interrupted: now)
        return .wait
      // A terminal that is closed sends several signals at the same time.
      case .opening(let first?) where first.duration(to: now) < Self.openingPatience: return .wait
      case .opening:
        return .exit(
          "interrupted while the trial was opened; the next run or “station recover” makes a bundle of its data"
        )
      case .during(let control, _):
        phase = .during(control, isInterrupted: true)
        return .tell(control)
      case .after(_, let bell):
        laterInterrupts.add(1, ordering: .acquiringAndReleasing)
        phase = .after(givesUp: true, bell: nil)
        bell?.ring()
        return .wait
      }
    }
  }
}

/// The value of an operation, or `nil` if another one ends earlier; the slower one is cancelled.
package func firstResult<Value: Sendable>(
  of operation: @escaping @Sendable () async -> Value, unless other: @escaping @Sendable () async -> Void
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await operation() }
    group.addTask {
      await other()
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}
