import Basics
package import Quantities

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
