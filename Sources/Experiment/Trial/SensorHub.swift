public import Quantities
public import Sensors
import Synchronization

/// The sensors of a session: connected once, heard by whichever trial listens.
public final class SensorHub: Sendable {
  /// Who hears what sensors say: the sensor's name, and what it said.
  public typealias Listener = @Sendable (_ sensor: String, _ event: SensorEvent) -> Void

  private struct State {
    var listener: Listener?
    /// Readings that wait for the next listener, and how many; `nil` where nobody has asked to keep them.
    var kept: [(sensor: String, event: SensorEvent)]?
    var keptReadings = 0
    /// How many of each sensor were too many to be kept.
    var unkept: [String: Int] = [:]

    mutating func keep(_ event: SensorEvent, of sensor: String) {
      guard kept != nil, case .readings(let readings) = event else { return }
      if keptReadings + readings.count <= SensorHub.mostKept {
        kept?.append((sensor, event))
        keptReadings += readings.count
      } else {
        unkept[sensor, default: 0] += readings.count
      }
    }

    /// What was kept, with the count of what was not.
    mutating func takeKept() -> [(sensor: String, event: SensorEvent)] {
      defer { (kept, keptReadings, unkept) = (nil, 0, [:]) }
      let dropped = unkept.sorted { $0.key < $1.key }.map { (sensor: $0.key, event: SensorEvent.overflowed($0.value)) }
      return (kept ?? []) + dropped
    }
    var standing: [String: SensorEvent] = [:]
    /// What is odd about each sensor, told since it connected.
    var notes: [String: [SensorEvent]] = [:]
    /// How many readings of each sensor were heard, those included that it dropped.
    var heard: [String: Int] = [:]
    /// How many of them had arrived when everybody was asked to catch up.
    var goals: [String: Int] = [:]
    /// Opens when they were all heard; `nil` while nobody waits for it.
    var caughtUp: Gate?
    /// Since when a connected sensor has sent no reading.
    var muteSince: [String: Moment] = [:]

    var missed: [String: Int] {
      goals.reduce(into: [:]) { missed, goal in
        let left = goal.value - heard[goal.key, default: 0]
        if left > 0 { missed[goal.key] = left }
      }
    }

    /// The gate that opens now, if any.
    mutating func takeCaughtUp() -> Gate? {
      guard caughtUp != nil, missed.isEmpty else { return nil }
      defer { caughtUp = nil }
      return caughtUp
    }

    mutating func count(_ event: SensorEvent, from name: String, at now: Moment) {
      switch event {
      case .connected: muteSince[name] = now
      case .readings(let readings):
        muteSince[name] = nil
        heard[name, default: 0] += readings.count
      case .overflowed(let count): heard[name, default: 0] += count
      case .lost, .ended: muteSince[name] = nil
      case .noted: if !notes[name, default: []].contains(event) { notes[name, default: []].append(event) }
      case .unreadable, .skipped: break
      }
    }
  }

  /// The sensors by the names of their sources.
  public let sensors: [String: any Sensor]

  private let clock: any StationClock
  private let state = Mutex(State())
  /// Opens when every sensor has said whether it is connected.
  private let settled = Gate()

  /// A hub of sensors; two with the same source name are one.
  public init(_ sensors: [any Sensor], clock: any StationClock) {
    self.sensors = Dictionary(sensors.map { ($0.source.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.clock = clock
    if sensors.isEmpty { settled.open() }
  }

  /// Connects every sensor and passes on what it says, until the task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for (name, sensor) in sensors {
        group.addTask { [self] in
          for await event in sensor.events(on: clock) { hear(name, event) }
        }
      }
    }
  }

  /// Keeps the readings that come from now on for the next listener, so that none is lost between a trial's zero and the
  /// moment at which the trial listens.
  public func keepReadings() {
    state.withLock { state in
      _ = state.takeKept()
      state.kept = []
    }
  }

  /// So many readings are kept, seconds of any sensor that does not flood; the others are counted as dropped.
  static let mostKept = 1000

  /// Gives every event from now on to this listener, after telling it how each sensor's connection stands
  /// and what is odd about it.
  ///
  /// The listener is called while the hub is held, so that it hears everything in its order; it must return at once.
  public func listen(_ listener: @escaping Listener) {
    state.withLock { state in
      for (name, event) in state.standing.sorted(by: { $0.key < $1.key }) {
        listener(name, event)
        for note in state.notes[name] ?? [] { listener(name, note) }
      }
      for (name, event) in state.takeKept() { listener(name, event) }
      state.listener = listener
    }
  }

  /// Waits until every reading that has arrived by now was heard, but no longer than `limit`.
  ///
  /// A consumer may be behind a sensor that floods; see ``stopListening()``.
  public func catchUp(within limit: Duration) async {
    let goals = sensors.compactMapValues(\.readingsTaken)
    let caughtUp = state.withLock { state in
      state.goals = goals
      guard !state.missed.isEmpty else { return nil as Gate? }
      let gate = state.caughtUp ?? Gate()
      state.caughtUp = gate
      return gate
    }
    await caughtUp?.wait(within: limit, on: clock)
  }

  /// Gives events to nobody from now on.
  ///
  /// - Returns: how many readings of each sensor had arrived at the last ``catchUp(within:)`` and were not heard since.
  @discardableResult
  public func stopListening() -> [String: Int] {
    state.withLock { state in
      state.listener = nil
      return state.missed
    }
  }

  /// Since when a sensor has been connected without having sent a reading; `nil` for one that has, or is not connected.
  public func muteSince(_ sensor: String) -> Moment? { state.withLock { $0.muteSince[sensor] } }

  /// Tells the sensors that a stimulus began or ended.
  public func stimulusChanged(isSounding: Bool, at moment: Moment) {
    for sensor in sensors.values { sensor.stimulusChanged(isSounding: isSounding, at: moment) }
  }

  /// Waits until every sensor has said whether it is connected, but no longer than `limit`.
  public func settle(within limit: Duration) async { await settled.wait(within: limit, on: clock) }

  /// The sensors that are not connected, with what they say about it; to be asked after ``settle(within:)``.
  public var missing: [String: String] {
    state.withLock { state in
      sensors.keys.reduce(into: [:]) { missing, name in
        switch state.standing[name] {
        case .connected: break
        case .lost(let reason), .ended(let reason): missing[name] = reason
        default: missing[name] = "it has not answered"
        }
      }
    }
  }

  private func hear(_ name: String, _ event: SensorEvent) {
    let gates = state.withLock { state in
      switch event {
      case .connected, .lost, .ended: state.standing[name] = event
      default: break
      }
      state.count(event, from: name, at: clock.now)
      state.keep(event, of: name)
      state.listener?(name, event)
      return [state.standing.count == sensors.count ? settled : nil, state.takeCaughtUp()]
    }
    for gate in gates { gate?.open() }
  }
}
