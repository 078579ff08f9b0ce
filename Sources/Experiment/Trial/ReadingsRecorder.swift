import Bundles
import Quantities
import Sensors
import Study
import Synchronization

/// Writes what sensors say into the journal, shows the heart rate, and notices when late samples have arrived.
final class ReadingsRecorder: Sendable {
  private struct State {
    var lastHappened: [String: Moment] = [:]
    var ended: Set<String> = []
    var awaited: [String: Moment] = [:]
    var isAwaiting = false
    var shown: Step?
  }

  private let zero: Moment
  private let clock: any StationClock
  private let journal: any TrialJournal
  private let presenters: Presenters
  private let inbox: TrialInbox
  private let state = Mutex(State())

  init(
    zero: Moment, clock: any StationClock, journal: any TrialJournal, presenters: Presenters, inbox: TrialInbox
  ) {
    self.zero = zero
    self.clock = clock
    self.journal = journal
    self.presenters = presenters
    self.inbox = inbox
  }

  /// The step on whose screen the heart rate belongs.
  func show(_ step: Step?) { state.withLock { $0.shown = step } }

  /// Sends ``TrialInput/settled`` once each of these sensors has delivered a beat at or after its moment, or has ended.
  func awaitReadings(from sensors: [String: Moment]) {
    state.withLock { state in
      state.awaited = sensors
      state.isAwaiting = true
    }
    settleIfComplete()
  }

  /// Takes what a sensor says.
  func hear(_ sensor: String, _ event: SensorEvent) {
    let now = zero.duration(to: clock.now)
    switch event {
    case .connected(let device): journal.append(.sensorConnected(sensor: sensor, device: device), at: now)
    case .readings(let readings): take(readings, from: sensor)
    case .unreadable(let line, let reason):
      journal.append(.linesSkipped(sensor: sensor, count: 1, firstLine: line, reason: reason), at: now)
    case .overflowed(let count): journal.append(.readingsDropped(sensor: sensor, count: count), at: now)
    case .lost(let reason):
      journal.append(.sensorLost(sensor: sensor, reason: reason, isFinal: false), at: now)
      present(.heartRate(nil))
      present(.noticed("the sensor “\(sensor)” is lost: \(reason)"))
    case .ended(let reason):
      journal.append(.sensorLost(sensor: sensor, reason: reason, isFinal: true), at: now)
      state.withLock { _ = $0.ended.insert(sensor) }
      present(.heartRate(nil))
      present(.noticed("the sensor “\(sensor)” has ended: \(reason)"))
      settleIfComplete()
    }
  }

  private func take(_ readings: [HeartReading], from sensor: String) {
    for reading in readings {
      journal.append(
        .reading(
          SensorReading(
            sensor: sensor, heartRate: reading.heartRate, rrIntervals: reading.rrIntervals, contact: reading.contact,
            arrived: zero.duration(to: reading.arrived))),
        at: zero.duration(to: reading.happened))
    }
    guard let last = readings.last else { return }
    state.withLock { $0.lastHappened[sensor] = last.happened }
    let rate = last.heartRate ?? last.rrIntervals.last.map { 60_000 / $0 }
    present(.heartRate(last.contact == false ? nil : rate))
    settleIfComplete()
  }

  private func present(_ event: PresentedEvent) {
    guard let step = state.withLock({ $0.shown }) else { return }
    presenters.presenter(for: step).present(event, of: step)
  }

  private func settleIfComplete() {
    let isComplete = state.withLock { state in
      guard state.isAwaiting else { return false }
      let isComplete = state.awaited.allSatisfy { sensor, moment in
        state.ended.contains(sensor) || state.lastHappened[sensor].map { $0 >= moment } ?? false
      }
      if isComplete { state.isAwaiting = false }
      return isComplete
    }
    if isComplete { inbox.send(.settled) }
  }
}
