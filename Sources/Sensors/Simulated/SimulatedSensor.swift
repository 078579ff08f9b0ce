import Basics
package import Quantities
import Synchronization

/// A sensor for runs without a participant: a chest strap around a ``SimulatedHeart``.
///
/// It sends once per second, 20 to 50 ms after the second and so up to a second after the beat, like a real strap. The
/// same settings give the same beats relative to the stream's beginning, whatever the consumer does; only the stimulus
/// changes reported to ``stimulusChanged(isSounding:at:)`` alter them.
package final class SimulatedSensor: Sensor {
  /// The parameters of the sensor.
  package struct Settings: Hashable, Sendable {
    /// The parameters of the heart.
    package var heart: SimulatedHeart.Settings
    /// The fraction of the time without skin contact, from 0 to 0.9, in episodes of 5 s on average.
    package var dropouts: Double
    /// The fraction of the time without connection, from 0 to 0.9, in episodes of 5 s on average.
    package var losses: Double
    /// The delay from the end of a second to its delivery, in addition to the usual 20 to 50 ms.
    package var latency: Duration

    /// Creates settings.
    package init(
      heart: SimulatedHeart.Settings = SimulatedHeart.Settings(), dropouts: Double = 0, losses: Double = 0,
      latency: Duration = .zero
    ) {
      self.heart = heart
      self.dropouts = dropouts
      self.losses = losses
      self.latency = latency
    }
  }

  /// The source that its samples are attributed to.
  package let source: SensorSource

  /// The channels of a strap.
  package var channels: [Channel] { Channel.ofHeartbeats }

  private let settings: Settings
  private let changes = Mutex<[(isSounding: Bool, moment: Moment)]>([])

  /// Creates a simulated sensor.
  ///
  /// - Parameters:
  ///   - settings: the heart and the strap.
  ///   - name: the sensor as the operator named it.
  ///   - location: its declared place on the body.
  package init(
    _ settings: Settings = Settings(), name: String = "simulated", location: Metadata.SensorLocation? = nil
  ) {
    self.settings = settings
    source = SensorSource(
      name: name, latency: settings.latency,
      device: Device(name: "Simulated strap", manufacturer: "station", model: "IPFM"), location: location)
  }

  /// Notifies the heart that a stimulus begins or ends.
  package func stimulusChanged(isSounding: Bool, at moment: Moment) {
    changes.withLock { $0.append((isSounding, moment)) }
  }

  /// Starts the heart; every stream has its own, equal to the others'.
  package func events(on clock: any StationClock) -> AsyncStream<SensorEvent> {
    let start = clock.now
    let run = Run(settings: settings, start: start, known: changes.withLock { $0.count { $0.moment < start } })
    return AsyncStream { [self] in await nextEvent(of: run, on: clock) }
  }

  /// The state of one stream's strap; time advances only when the consumer asks for the next event.
  private final class Run: Sendable {
    struct State: Sendable {
      var strap: SimulatedStrap
      var second = 0
      var known: Int
      var pending: [SensorEvent] = []
      var isConnected = false
    }

    let start: Moment
    let state: Mutex<State>

    init(settings: Settings, start: Moment, known: Int) {
      self.start = start
      let strap = SimulatedStrap.Settings(
        heart: settings.heart, dropouts: settings.dropouts, losses: settings.losses)
      state = Mutex(State(strap: SimulatedStrap(strap), known: known))
    }
  }

  private func nextEvent(of run: Run, on clock: any StationClock) async -> SensorEvent? {
    while true {
      let (pending, sent) = run.state.withLock { state -> (SensorEvent?, Moment) in
        let sent = run.start.advanced(by: .seconds(state.second + 1) + Duration(seconds: state.strap.delay))
        if state.second == 0, !state.isConnected {
          state.isConnected = true
          return (.connected(source.device), sent)
        }
        return (state.pending.isEmpty ? nil : state.pending.remove(at: 0), sent)
      }
      if let pending { return pending }
      do { try await clock.sleep(until: sent.advanced(by: settings.latency), tolerance: nil) } catch { return nil }
      beat(run, sent)
    }
  }

  /// Advances the strap by a second, whose message is sent at a moment.
  private func beat(_ run: Run, _ sent: Moment) {
    let changes = changes.withLock { $0 }
    run.state.withLock { state in
      for change in changes[min(state.known, changes.count)...] {
        state.strap.stimulusChanged(isSounding: change.isSounding, at: run.start.duration(to: change.moment).seconds)
      }
      state.known = changes.count
      state.second += 1
      switch state.strap.next() {
      case .silence:
        if state.isConnected { state.pending.append(.lost(reason: "the simulated connection is lost")) }
        state.isConnected = false
      case .sent(let rate, let intervals, let contact, let lastBeat):
        if !state.isConnected { state.pending.append(.connected(source.device)) }
        state.isConnected = true
        let reading = HeartReading(
          heartRate: contact ? rate : nil, rrIntervals: intervals, contact: contact,
          happened: lastBeat.map { run.start.advanced(by: Duration(seconds: $0)) } ?? sent,
          arrived: sent.advanced(by: settings.latency))
        state.pending.append(.readings([reading]))
      }
    }
  }
}
