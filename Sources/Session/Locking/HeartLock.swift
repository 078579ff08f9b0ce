import Basics
import Bundles
import Quantities
import Sensors
import Study
import Synchronization

/// Waits for the heartbeat that a trial's sound follows.
final class HeartLock: Sendable {
  /// What a trial's sound follows.
  struct Settings: Hashable, Sendable {
    /// The name of the sensor in which heartbeats are found.
    var sensor: String
    /// How the sound follows them.
    var lock: OnsetLock
  }

  /// How long a heartbeat is waited for: the detector learns for 8 s, and needs a few beats.
  static let limit = Duration.seconds(30)
  /// What it takes at most to hand a sound over.
  private static let handing = Duration.milliseconds(3)

  private struct State: Sendable {
    var machine: HeartLockMachine
    var gate: Gate?
    var result: HeartLockMachine.Output?
  }

  private let settings: Settings
  private let memory: HeartLockMemory
  private let log: TrialLog
  private let state: Mutex<State>

  init(_ settings: Settings, _ memory: HeartLockMemory, _ log: TrialLog) {
    (self.settings, self.memory, self.log) = (settings, memory, log)
    state = Mutex(State(machine: memory.machine(for: settings)))
  }

  /// Leaves what was learnt of the heartbeats to the session's next trial.
  func keep() { memory.keep(state.withLock { $0.machine }, for: settings) }

  /// Takes what a sensor says.
  func hear(_ sensor: String, _ event: SensorEvent) {
    guard sensor == settings.sensor else { return }
    let (outputs, gate) = state.withLock { state in
      let outputs = state.machine.take(event, at: log.clock.now)
      let result = outputs.first { if case .triggered = $0 { false } else { true } }
      guard let result, state.gate != nil else { return (outputs, nil as Gate?) }
      state.result = result
      return (outputs, state.gate.take())
    }
    gate?.open()
    for case .triggered(let peak) in outputs {
      // What came between two trials is heard at the beginning of the later one.
      let time = log.time(of: peak)
      if time >= .zero { log.append(.beatTriggered(sensor: sensor, peak: time)) }
    }
  }

  /// Waits for the next heartbeat.
  ///
  /// - Parameter lead: how long before its onset a sound is handed over.
  /// - Returns: when the sound is due, with the heartbeat; `nil` if the wait was cancelled.
  /// - Throws: ``HeartLockFailure``.
  func next(lead: Duration) async throws(HeartLockFailure) -> (due: Moment, beat: LockedBeat)? {
    let gate = Gate()
    state.withLock { state in
      state.machine.wait(lead: lead + Self.handing)
      (state.gate, state.result) = (gate, nil)
    }
    await gate.wait(within: Self.limit, on: log.clock)
    let result = state.withLock { state in
      state.machine.stopWaiting()
      state.gate = nil
      return state.result.take()
    }
    switch result {
    case .ready(let due, let peak, let predictor):
      return (
        due,
        LockedBeat(
          sensor: settings.sensor, lock: settings.lock, expected: log.time(of: peak), predictor: predictor)
      )
    case .refused(let failure): throw failure
    case .triggered, nil:
      if gate.isOpen || Task.isCancelled { return nil }
      throw .noBeat(Self.limit)
    }
  }

  /// Ends the wait.
  func cancel() { state.withLock { $0.gate.take() }?.open() }
}

/// What a session has learnt of the heartbeats that its sounds follow: detectors and predictors go on from trial to trial.
final class HeartLockMemory: Sendable {
  private struct Key: Hashable {
    let sensor: String
    let beat: OnsetLock.Beat
  }

  private let machines = Mutex<[Key: HeartLockMachine]>([:])

  /// Creates a memory that knows nothing yet.
  init() {}

  func machine(for settings: HeartLock.Settings) -> HeartLockMachine {
    let known = machines.withLock { $0[Key(sensor: settings.sensor, beat: settings.lock.beat)] }
    return known?.following(settings.lock) ?? HeartLockMachine(settings.lock)
  }

  func keep(_ machine: HeartLockMachine, for settings: HeartLock.Settings) {
    machines.withLock { $0[Key(sensor: settings.sensor, beat: settings.lock.beat)] = machine }
  }
}
