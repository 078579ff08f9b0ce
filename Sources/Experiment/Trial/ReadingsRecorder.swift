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

  private let log: TrialLog
  private let presenters: Presenters
  private let inbox: TrialInbox
  private let state = Mutex(State())

  init(log: TrialLog, presenters: Presenters, inbox: TrialInbox) {
    self.log = log
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
    switch event {
    case .connected(let device): log.append(.sensorConnected(sensor: sensor, device: device))
    case .readings(let readings): take(readings, from: sensor)
    case .unreadable(let line, let reason):
      log.append(.linesSkipped(sensor: sensor, count: 1, firstLine: line, reason: reason))
    case .skipped(let count, let firstLine, let reason):
      log.append(.linesSkipped(sensor: sensor, count: count, firstLine: firstLine, reason: reason))
    case .overflowed(let count): log.append(.readingsDropped(sensor: sensor, count: count))
    case .lost(let reason):
      log.append(.sensorLost(sensor: sensor, reason: reason, isFinal: false))
      present(.heartRate(nil))
      present(.noticed("the sensor “\(sensor)” is lost: \(reason)"))
    case .ended(let reason):
      log.append(.sensorLost(sensor: sensor, reason: reason, isFinal: true))
      state.withLock { _ = $0.ended.insert(sensor) }
      present(.heartRate(nil))
      present(.noticed("the sensor “\(sensor)” has ended: \(reason)"))
      settleIfComplete()
    }
  }

  private func take(_ readings: [HeartReading], from sensor: String) {
    for reading in readings {
      log.append(
        .reading(
          SensorReading(
            sensor: sensor, heartRate: reading.heartRate, rrIntervals: reading.rrIntervals, contact: reading.contact,
            arrived: log.time(of: reading.arrived))),
        at: reading.happened)
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
