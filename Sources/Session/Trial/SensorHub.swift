import Dispatch
package import Quantities
package import Sensors
import Synchronization

/// The sensors of a session: connected once, heard by every trial that listens.
///
/// Each sensor's events are delivered in their order, outside of every lock, by that sensor's own task: a listener that is
/// slow with one sensor's flood delays no other sensor, no trial that begins, and no query of a sensor's state.
package final class SensorHub: Sendable {
  /// Who hears what sensors say: the sensor's name, and what it said.
  package typealias Listener = @Sendable (_ sensor: String, _ event: SensorEvent) -> Void

  /// The state of a sensor's connection.
  enum Connection: Hashable, Sendable {
    /// It has not answered yet.
    case unanswered
    case connected
    /// It is lost, and being tried again.
    case lost(String)
    /// It has ended for good.
    case ended(String)
  }

  /// How long a sensor that has connected may send nothing before that is told.
  static let muteness = Duration.seconds(3)

  /// The sensors by the names of their sources.
  let sensors: [String: any Sensor]

  private let clock: any StationClock
  /// Where events are delivered; `nil` for the executor of the task that runs the hub.
  private let executor: (any TaskExecutor)?
  private let couriers: [String: Courier]
  private let state: Mutex<HubState>
  /// Opens when every sensor has said whether it is connected.
  private let settled = Gate()

  /// A hub of sensors.
  ///
  /// - Parameters:
  ///   - sensors: the sensors.
  ///   - clock: their clock.
  ///   - executor: where events are delivered; `nil` for the executor of the task that runs the hub.
  /// - Throws: `SensorError` for two sensors with one source name, whose readings could not be told apart.
  package init(
    _ sensors: [any Sensor], clock: any StationClock, on executor: (any TaskExecutor)? = nil
  ) throws(SensorError) {
    var named: [String: any Sensor] = [:]
    for sensor in sensors {
      guard named.updateValue(sensor, forKey: sensor.source.name) == nil else {
        throw SensorError(
          "use the sensor", sensor.source.name, "two sensors have this name", advice: "give each a name of its own")
      }
    }
    self.sensors = named
    self.clock = clock
    self.executor = executor
    couriers = named.mapValues { _ in Courier() }
    state = Mutex(HubState(named.keys))
    if sensors.isEmpty { settled.open() }
  }

  /// Connects every sensor and passes on what it says, until the task is cancelled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      // In the order of their names, so that a simulation takes the same course each time.
      for (name, sensor) in sensors.sorted(by: { $0.key < $1.key }) {
        if let executor {
          group.addTask(executorPreference: executor) { [self] in await run(name, sensor) }
        } else {
          group.addTask { [self] in await run(name, sensor) }
        }
      }
    }
  }

  private func run(_ name: String, _ sensor: any Sensor) async {
    let (connections, continuation) = AsyncStream.makeStream(of: Moment.self, bufferingPolicy: .bufferingNewest(1))
    await withDiscardingTaskGroup { group in
      group.addTask { [self] in
        for await since in connections { await watch(name, connectedAt: since) }
      }
      var heard = 0
      for await event in sensor.events(on: clock) {
        for piece in event.pieces {
          await hear(name, piece)
          heard += piece.samples
          guard heard >= Self.pieceSize else { continue }
          // All sensors share a thread: a flood lets the others go first now and then.
          heard = 0
          await Task.yield()
        }
        if case .connected = event, !sensor.isOnDemand, let since = muteSince(name) { continuation.yield(since) }
      }
      // A sensor that has ended is not watched any longer.
      group.cancelAll()
    }
  }

  /// Reports a sensor that has connected and sends nothing, early enough to do something about it.
  private func watch(_ name: String, connectedAt since: Moment) async {
    do { try await clock.sleep(until: since.advanced(by: Self.muteness), tolerance: nil) } catch { return }
    let isMute = state.withLock { state in
      guard state[name]?.muteSince == since else { return false }
      state[name]?.isMute = true
      return true
    }
    if isMute { await hear(name, HubState.mute) }
  }

  /// Keeps the samples that come from now on for the next listener too, so that none is lost between a trial's zero and
  /// the moment at which the trial listens.
  func keepSamples() { state.withLock { $0.keepSamples() } }

  /// Delivers every event from now on to this listener, after the state of each sensor's connection
  /// and what is odd about it.
  ///
  /// The listener hears each sensor's events in their order, but may be called for several sensors at once. Only what was
  /// known before is delivered here; the sensor's own task delivers later events.
  ///
  /// - Returns: the listener's number, for `stopListening(_:within:)`.
  @discardableResult
  package func listen(_ listener: @escaping Listener) async -> Int {
    let number = state.withLock { $0.listen(listener) }
    for (name, courier) in couriers.sorted(by: { $0.key < $1.key }) {
      await courier.deliver { [self] in tellEarlier(name, to: number) }
    }
    return number
  }

  /// Waits until every listener has heard every reading that has arrived by now, but no longer than `limit`.
  ///
  /// A consumer may be behind a sensor that floods; see ``stopListening(_:within:)``.
  func catchUp(within limit: Duration) async {
    let goals = sensors.compactMapValues(\.readingsTaken)
    let caughtUp = state.withLock { state in
      for (name, goal) in goals { state[name]?.goal = goal }
      guard state.isBehind else { return nil as Gate? }
      let gate = state.caughtUp ?? Gate()
      state.caughtUp = gate
      return gate
    }
    await caughtUp?.wait(within: limit, on: clock)
  }

  /// How far the reading of each sensor is behind that may be held back.
  var backlogs: [String: ReadingBacklog] { sensors.compactMapValues(\.backlog) }

  /// Delivers no events to a listener from now on, and waits until it has returned from the last one, but no
  /// longer than `limit`.
  ///
  /// - Parameters:
  ///   - number: the listener's number.
  ///   - limit: how long to wait.
  /// - Returns: how many readings of each sensor had arrived at the last ``catchUp(within:)``, or since, and were not heard.
  @discardableResult
  func stopListening(_ number: Int, within limit: Duration = .seconds(2)) async -> [String: Int] {
    let (missed, quiet) = state.withLock { $0.stopListening(number) }
    await quiet?.wait(within: limit, on: clock)
    return missed
  }

  /// Since when a sensor has been connected without having sent a reading; `nil` for one that has, or is not connected.
  func muteSince(_ sensor: String) -> Moment? { state.withLock { $0[sensor]?.muteSince } }

  /// Tells the sensors that a stimulus began or ended.
  func stimulusChanged(isSounding: Bool, at moment: Moment) {
    for sensor in sensors.values { sensor.stimulusChanged(isSounding: isSounding, at: moment) }
  }

  /// Waits until every sensor has said whether it is connected, but no longer than `limit`.
  func settle(within limit: Duration) async { await settled.wait(within: limit, on: clock) }

  /// The sensors that are not connected, with what they say about it; to be asked after ``settle(within:)``.
  var missing: [String: String] {
    sensors.keys.reduce(into: [:]) { missing, name in
      switch connection(of: name) {
      case .connected: break
      case .lost(let reason), .ended(let reason): missing[name] = reason
      case .unanswered: missing[name] = "it has not answered"
      }
    }
  }

  // MARK: Checking

  /// The state of a sensor's connection.
  func connection(of sensor: String) -> Connection {
    switch state.withLock({ $0[sensor]?.connection }) {
    case .connected: .connected
    case .lost(let reason): .lost(reason)
    case .ended(let reason): .ended(reason)
    default: .unanswered
    }
  }

  /// What a sensor has shown since it connected.
  func signs(of sensor: String) -> SensorSigns { state.withLock { $0[sensor]?.signs ?? SensorSigns() } }

  /// Whether a sensor repeats a recording, or sends nothing before it is asked to.
  func isRecording(_ sensor: String) -> Bool { sensors[sensor].map { $0.isRecording || $0.isOnDemand } ?? false }

  /// How long the slowest of these sensors takes to find what it measures.
  func warmUp(of names: some Sequence<String>) -> Duration {
    names.compactMap { sensors[$0]?.warmUp }.max() ?? .zero
  }

  /// Waits until every need is met or cannot be met any more, but no longer than `limit`.
  func awaitSigns(_ needs: [SensorCheck.Need], within limit: Duration) async {
    let live = needs.filter { !isRecording($0.sensor) }
    let recordings = needs.map(\.sensor).filter(isRecording)
    let gate = state.withLock { $0.wait(for: live, recordings: recordings) }
    await gate?.wait(within: limit, on: clock)
    state.withLock { $0.forgetNeeds() }
  }

  /// Lets every listener know something about a sensor that the sensor itself does not say.
  func note(_ text: String, of sensor: String) async { await hear(sensor, .noted(text)) }

  // MARK: Delivering

  /// Longer batches are delivered in pieces of so many samples, so that a listener can be stopped in between, and other
  /// sensors be heard.
  static let pieceSize = 1024

  private func hear(_ name: String, _ event: SensorEvent) async {
    let signs = SensorSigns(event)
    let now = clock.now
    let (number, gates) = state.withLock { state in
      let number = state.take(event, signs, from: name, at: now)
      return (number, [state.isSettled ? settled : nil, state.takeCaughtUp(), state.takeSatisfied()])
    }
    for gate in gates { gate?.open() }
    guard let number else { return }
    await couriers[name]?.deliver { [self] in
      for (listener, hearsEvent) in state.withLock({ $0.audience(of: name, event: number) }) {
        tellEarlier(name, to: listener)
        if hearsEvent { tell([event], of: name, to: listener) }
      }
    }
  }

  private func tellEarlier(_ name: String, to listener: Int) {
    tell(state.withLock { $0.takeEarlier(of: name, for: listener) }, of: name, to: listener)
  }

  private func tell(_ events: [SensorEvent], of name: String, to number: Int) {
    for event in events {
      guard let listener = state.withLock({ $0.beginTelling(event, of: name, to: number) }) else { return }
      listener(name, event)
      for gate in state.withLock({ $0.endTelling(of: name, to: number) }) { gate.open() }
    }
  }

  /// Delivers one sensor's events: a second task waits until the first has delivered its own.
  ///
  /// Unlike an actor it costs no change of executor where nothing waits, which is nearly always.
  private final class Courier: Sendable {
    private struct State {
      var isBusy = false
      var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func deliver(_ delivery: () -> Void) async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard state.isBusy else {
            state.isBusy = true
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
      delivery()
      let next = state.withLock { state in
        state.isBusy = !state.waiting.isEmpty
        return state.isBusy ? state.waiting.removeFirst() : nil
      }
      next?.resume()
    }
  }
}

extension SensorEvent {
  /// The event in parts of at most ``SensorHub/pieceSize`` samples, as far as it can be divided.
  var pieces: [SensorEvent] {
    guard case .readings(let batch) = self, batch.count > SensorHub.pieceSize else { return [self] }
    return stride(from: 0, to: batch.count, by: SensorHub.pieceSize).map {
      .readings(Array(batch[$0..<min($0 + SensorHub.pieceSize, batch.count)]))
    }
  }
}

/// A thread for what sensors say: a flood of samples keeps neither timers nor keys nor signals waiting.
final class SampleExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "station.samples")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
