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
    var heart: SimulatedHeart.Settings
    /// The fraction of the time without skin contact, from 0 to 0.9, in episodes of 5 s on average.
    var dropouts: Double
    /// The fraction of the time without connection, from 0 to 0.9, in episodes of 5 s on average.
    var losses: Double
    /// The delay from the end of a second to its delivery, in addition to the usual 20 to 50 ms.
    var latency: Duration

    init(
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
  init(
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

extension SensorTransport {
  /// A simulated strap, or with `quantity` a simulated channel or waveform.
  ///
  /// The options of `simulated:seed=7,rate=64` are those of ``SimulatedSensor``; with `quantity=skinConductance` only `seed`,
  /// `latency_ms` and `location`, and with `quantity=electrocardiogram` those of the heart, `sampling_hz` and `channels`.
  static let simulated = SensorTransport(
    scheme: "simulated",
    forms: [.init(text: "simulated[:seed=N,rate=BPM,…]", meaning: "a simulated chest strap")],
    nicknames: [
      .init(
        address: "simulated",
        words: ["sim", "simulation", "simulator", "fake", "dummy", "test", "demo", "rehearsal", "none"], isVague: true)
    ]
  ) { reader, options throws(SensorError) in try reader.simulated(options) }
}

extension SimulatedSensor.Settings: SensorKind {
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    SimulatedSensor(self, name: name, location: location)
  }
}

extension SimulatedChannel.Settings: SensorKind {
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    SimulatedChannel(self, name: name, location: location)
  }
}

extension SimulatedWaveform.Settings: SensorKind {
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    SimulatedWaveform(self, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func simulated(_ options: String?) throws(SensorError) -> SensorTransport.Reading {
    var settings = SimulatedSensor.Settings()
    var type: QuantityType?
    var (sampling, leads) = (250.0, 1)
    var place: Metadata.SensorLocation?
    guard let options else { return (settings, .zero, nil) }
    var seen: Set<String> = []
    for option in options.split(separator: ",", omittingEmptySubsequences: false) {
      let (name, value) = try pair(option, known: Self.simulatedOptions, &seen)
      switch name {
      case "seed":
        guard let seed = UInt64(value) else { throw error("the seed “\(value)” is not a whole number from 0", nil) }
        settings.heart.seed = seed
      case "quantity": type = try quantity(value)
      case "rate": settings.heart.rate = try number(name, value, 35...180)
      case "variability": settings.heart.variability = try number(name, value, 0...3)
      case "respiration_hz": settings.heart.respiration = try number(name, value, 0.1...0.5)
      case "response": settings.heart.response = try number(name, value, -30...30)
      case "dropouts": settings.dropouts = try number(name, value, 0...0.8)
      case "losses": settings.losses = try number(name, value, 0...0.8)
      case "location": place = try location(value)
      case "sampling_hz": sampling = try number(name, value, 1...10_000)
      case "channels": leads = Int(try number(name, value, 1...64))
      default: settings.latency = Duration(milliseconds: try number(name, value, 0...60_000))
      }
    }
    let kind: any SensorKind
    let (what, known): (String, [String])
    switch type {
    case let type? where type.isWaveform:
      let waveform = SimulatedWaveform.Settings(
        type, heart: settings.heart, rate: sampling, channels: leads, latency: settings.latency)
      (kind, what, known) = (waveform, type.channelName, Self.waveformOptions)
    case let type? where !QuantityType.ofHeartbeats.contains(type):
      let channel = SimulatedChannel.Settings(type, seed: settings.heart.seed, latency: settings.latency)
      (kind, what, known) = (channel, type.channelName, Self.channelOptions)
    default: (kind, what, known) = (settings, "a simulated strap", Self.strapOptions)
    }
    if let other = Self.simulatedOptions.first(where: { seen.contains($0) && !known.contains($0) }) {
      throw error("\(other) is not an option of \(what)", "the options are \(known.joined(separator: ", "))")
    }
    return (kind, settings.latency, place)
  }

  private static let channelOptions = ["quantity", "seed", "latency_ms", "location"]
  private static let heartOptions = channelOptions + ["rate", "variability", "respiration_hz", "response"]
  private static let strapOptions = heartOptions + ["dropouts", "losses"]
  private static let waveformOptions = heartOptions + ["sampling_hz", "channels"]
  private static let simulatedOptions = strapOptions + ["sampling_hz", "channels"]
}
