import Basics
package import Quantities

/// A sensor's address, as the operator writes it.
///
/// | form | sensor |
/// |---|---|
/// | `simulated` | a simulated strap |
/// | `simulated:seed=7,rate=64` | one with options |
/// | `replay:FILE` | a recording: NDJSON, CSV, a bundle's `heart.json`, or signals in EDF, BDF or WFDB (`FILE.hea`) |
/// | `replay:FILE#RECORDER` | the recording of one of several recorders in a `heart.json` |
/// | `lines:-` | standard input |
/// | `lines:PATH` | a FIFO or a character device; an ordinary file is replayed instead |
/// | `lines:tcp://HOST:PORT` | a TCP server; `[…]` around an IPv6 address |
/// | `lines:unix:PATH` | a Unix socket |
/// | `lines:exec:COMMAND` | a command's output |
/// | `bluetooth` | the heart-rate strap in reach, over Bluetooth |
/// | `bluetooth:NAME` | the one with this name, or part of a name |
/// | `bluetooth:A0:9E:1A:12:34:56` | the one with this address |
/// | `camera:DEVICE` | a camera, such as `/dev/video0`, or a FIFO with a film |
/// | `video:FILE` | a film of a camera, replayed at its pace |
/// | `serial:PORT?kind=KIND` | a device at a serial port, such as `/dev/ttyACM0`: `pulsesensor`, `nonin`, `bitalino` or `lines` |
/// | `microphone` | the default source of the sound server: the sound of the room |
/// | `microphone:SOURCE` | the one with this name; `microphone:pulse:SOURCE` or `microphone:pipewire:SOURCE` of one server |
/// | `lsl:NAME` | the stream of the Lab Streaming Layer with this name |
/// | `lsl:PREDICATE` | the one that meets a predicate, such as `type='HeartRate' and hostname='lab2'` |
/// | `keys` | the station's own keys, with which the participant rates |
///
/// A simulated sensor is a strap, or with `quantity` a ``SimulatedChannel`` (`simulated:quantity=skinConductance`), whose
/// other options are `seed`, `latency_ms` and `location`, or a ``SimulatedWaveform``
/// (`simulated:quantity=electrocardiogram`). The options of a simulated strap are `seed`, `rate` (beats per minute),
/// `variability` (1 is typical), `respiration_hz`, `response` (beats per minute), `dropouts` and `losses` (fractions of
/// the time), `latency_ms` and `location`; a waveform has those of the heart, `sampling_hz` and `channels`.
///
/// Addresses that begin with `replay:` or `lines:` may end with options, as in a URL, joined by `&`: `?latency_ms=2300`
/// is the delay from a beat to its delivery, `location=chest` the sensor's place on the body, `source=NAME` selects one
/// of several sources in a recording, and `block_ms=10` the length of the blocks in which a signal is delivered. A question
/// mark that is not followed by one of these is part of the path or command. Relative paths start at the current folder.
/// Those of `camera:` and `video:` have `channel=auto|blue|green|red|pos|chrom`
/// and `region=X,Y,WIDTH,HEIGHT` in shares of the picture besides, a camera also `size=640x480` and `fps=30`; `location`
/// other than `finger` means that no finger has to cover the lens, as with a face (`location=other`). Those of `bluetooth`
/// are `waveforms=ecg,acc`, for electrocardiogram and acceleration of a sensor of Polar's. Those of `serial:` are
/// `baud` (the speed in bits per second), `rate_hz` (of a PulseSensor or BITalino) and `a1` to `a6` (what is measured at the
/// inputs of a BITalino, as in `a2=electrocardiogram`). Those of `lsl:` are `quantity`, the quantities of the stream's channels
/// in their order, joined by commas, with `-` for one that is not recorded (`quantity=heartRate,-`). `microphone` has
/// `latency_ms` only.
package struct SensorAddress: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of sensor.
  package enum Kind: Hashable, Sendable {
    /// A simulated strap.
    case simulated(SimulatedSensor.Settings)
    /// A simulated channel of another quantity.
    case simulatedChannel(SimulatedChannel.Settings)
    /// A simulated waveform.
    case simulatedWaveform(SimulatedWaveform.Settings)
    /// A recording; the path still includes `#` and the recorder, and `source` is the one selected among several.
    case replay(path: String, source: String?, block: Duration? = nil)
    /// Lines of text.
    case lines(LineTarget)
    /// A sensor of Bluetooth's Heart Rate Service.
    case bluetooth(BluetoothSettings)
    /// A camera or a film.
    case camera(CameraSettings)
    /// A device at a serial port.
    case serial(SerialSettings)
    /// A source of the sound server.
    case microphone(MicrophoneSettings)
    /// A stream of the Lab Streaming Layer.
    case lsl(LSLSettings)
    /// The station's own keys.
    case keys
  }

  /// The address as written; it names the sensor in results.
  package let text: String

  /// The kind of sensor and its options.
  package let kind: Kind

  /// The sensor's delay from a beat to its delivery.
  package let latency: Duration

  /// The sensor's place on the body; `nil` if unknown.
  package let location: Metadata.SensorLocation?

  /// All forms, for the list in a message.
  package static let forms = [
    "simulated[:seed=N,rate=BPM,…]", "replay:FILE[#RECORDER]", "lines:-", "lines:PATH", "lines:tcp://HOST:PORT",
    "lines:unix:PATH", "lines:exec:COMMAND", "bluetooth[:NAME|:ADDRESS]", "camera:DEVICE[?channel=COLOUR&…]",
    "video:FILE[?channel=COLOUR&…]", "serial:PORT?kind=KIND[&…]", "microphone[:SOURCE]",
    "lsl:NAME|PREDICATE[?quantity=…]", "keys",
  ]

  /// Parses an address.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  package init(_ text: String) throws(SensorError) {
    self.text = text
    (kind, latency, location) = try AddressReader(text: text).read()
  }

  /// The address of a sensor that delivers a quantity: a simulated strap becomes a channel of any other quantity.
  ///
  /// What can be set of a strap alone is left out.
  package func simulating(_ type: QuantityType) -> SensorAddress {
    guard case .simulated(let settings) = kind, !QuantityType.ofHeartbeats.contains(type) else { return self }
    var options = ["quantity=\(type.channelName)"]
    if settings.heart.seed != 1 { options.append("seed=\(settings.heart.seed)") }
    if type.isWaveform {
      let (heart, usual) = (settings.heart, SimulatedHeart.Settings())
      if heart.rate != usual.rate { options.append("rate=\(heart.rate)") }
      if heart.variability != usual.variability { options.append("variability=\(heart.variability)") }
      if heart.respiration != usual.respiration { options.append("respiration_hz=\(heart.respiration)") }
      if heart.response != usual.response { options.append("response=\(heart.response)") }
    }
    if latency > .zero { options.append("latency_ms=\(latency.milliseconds)") }
    if let location { options.append("location=\(location.name)") }
    return (try? SensorAddress("simulated:\(options.joined(separator: ","))")) ?? self
  }

  /// The address as written.
  package var description: String { text }

  /// Splits a path into the file and the recorder after `#`; the `#` may also be part of a file name.
  private static func split(_ path: String) -> (file: String, recorder: String?) {
    guard let mark = path.lastIndex(of: "#"), !isThere(path) else { return (path, nil) }
    let file = String(path[..<mark])
    return isThere(file) ? (file, String(path[path.index(after: mark)...])) : (path, nil)
  }

  /// Creates the sensor, after the checks that need no waiting: that the file exists and is a recording.
  ///
  /// - Throws: ``SensorError`` for a file that is missing or holds no recording.
  package func sensor() throws(SensorError) -> any Sensor {
    let sensor = try plainSensor()
    // One that is known to send beats keeps them.
    let isOfHeart = sensor.channels.contains { QuantityType.ofHeartbeats.contains($0.type) }
    return isOfHeart || kind == .keys ? sensor : DerivingSensor(sensor)
  }

  /// The sensor without derived beats.
  private func plainSensor() throws(SensorError) -> any Sensor {
    switch kind {
    case .simulated(let settings): return SimulatedSensor(settings, name: text, location: location)
    case .simulatedChannel(let settings): return SimulatedChannel(settings, name: text, location: location)
    case .simulatedWaveform(let settings): return SimulatedWaveform(settings, name: text, location: location)
    case .replay(let path, let source, let block):
      let (file, recorder) = Self.split(path)
      return try ReplaySensor(
        file, choosing: source, recorder: recorder, block: block, latency: latency, name: text, location: location)
    case .camera(let settings):
      return try CameraSensor(settings, latency: latency, name: text, location: location)
    case .bluetooth(let settings):
      return BluetoothSensor(settings, latency: latency, name: text, location: location)
    case .serial(let settings):
      return try SerialSensor(settings, latency: latency, name: text, location: location)
    case .microphone(let settings): return try MicrophoneSensor(settings, latency: latency, name: text)
    case .lsl(let settings):
      return try LSLSensor(settings, latency: latency, name: text, location: location)
    case .keys: return RatingSensor(name: text)
    case .lines(let target):
      try check(target)
      return LinesSensor(target, latency: latency, name: text, location: location)
    }
  }

  /// Rejects missing paths, folders, and ordinary files, which would deliver all samples with one arrival time.
  private func check(_ target: LineTarget) throws(SensorError) {
    let path: String
    switch target {
    case .path(let named): path = named
    // `lines:- < FILE` is an ordinary file as well.
    case .standardInput: path = "/dev/stdin"
    case .tcp, .unix, .exec: return
    }
    switch PathKind(path) {
    case nil:
      if target == .standardInput { return }
      throw SensorError("use the sensor", text, "there is no “\(path.visible)”")
    case .folder: throw SensorError("use the sensor", text, "“\(path.visible)” is a folder")
    case .file:
      throw SensorError(
        "use the sensor", text,
        "\(target == .standardInput ? "standard input" : "“\(path.visible)”") is an ordinary file, whose samples would all "
          + "arrive at once", advice: "use replay:\(target == .standardInput ? "FILE" : path), which keeps their pace")
    case .stream: return
    }
  }
}
