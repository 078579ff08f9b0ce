public import Quantities
public import Sensors
import Synchronization

/// The sensors of a session: connected once, heard by whichever trial listens.
public final class SensorHub: Sendable {
  /// Who hears what sensors say: the sensor's name, and what it said.
  public typealias Listener = @Sendable (_ sensor: String, _ event: SensorEvent) -> Void

  private struct State {
    var listener: Listener?
    var standing: [String: SensorEvent] = [:]
    var waiting: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      defer { waiting = [] }
      return waiting
    }
  }

  /// The sensors by the names of their sources.
  public let sensors: [String: any Sensor]

  private let clock: any StationClock
  private let state = Mutex(State())

  /// A hub of sensors; two with the same source name are one.
  public init(_ sensors: [any Sensor], clock: any StationClock) {
    self.sensors = Dictionary(sensors.map { ($0.source.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.clock = clock
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

  /// Gives every event from now on to this listener, after telling it how each sensor's connection stands.
  ///
  /// The listener is called while the hub is held, so that it hears everything in its order; it must return at once.
  public func listen(_ listener: @escaping Listener) {
    state.withLock { state in
      for (name, event) in state.standing.sorted(by: { $0.key < $1.key }) { listener(name, event) }
      state.listener = listener
    }
  }

  /// Gives events to nobody.
  public func stopListening() { state.withLock { $0.listener = nil } }

  /// Tells the sensors that a stimulus began or ended.
  public func stimulusChanged(isSounding: Bool, at moment: Moment) {
    for sensor in sensors.values { sensor.stimulusChanged(isSounding: isSounding, at: moment) }
  }

  /// Waits until every sensor has said whether it is connected, but no longer than `limit`.
  public func settle(within limit: Duration) async {
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        try? await clock.sleep(for: limit)
        for continuation in state.withLock({ $0.takeWaiting() }) { continuation.resume() }
      }
      await withCheckedContinuation { continuation in
        let isComplete = state.withLock { state in
          if state.standing.count == sensors.count { return true }
          state.waiting.append(continuation)
          return false
        }
        if isComplete { continuation.resume() }
      }
      group.cancelAll()
    }
  }

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
    let waiting = state.withLock { state in
      switch event {
      case .connected, .lost, .ended: state.standing[name] = event
      default: break
      }
      state.listener?(name, event)
      return state.standing.count == sensors.count ? state.takeWaiting() : []
    }
    for continuation in waiting { continuation.resume() }
  }
}
