import Basics
package import Quantities

/// A sensor's address, as the operator writes it: a scheme, and what the transport with that scheme reads.
///
/// Most addresses may end with options, as in a URL, joined by `&`: `?latency_ms=2300` is the delay from a beat to its
/// delivery, and `location=chest` the sensor's place on the body. A question mark that is not followed by a known option is
/// part of the path or command. Relative paths start at the current folder.
package struct SensorAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as written; it names the sensor in results.
  package let text: String

  /// The kind of sensor and its options.
  package let kind: any SensorKind

  /// The sensor's delay from a beat to its delivery.
  package let latency: Duration

  /// The sensor's place on the body; `nil` if unknown.
  package let location: Metadata.SensorLocation?

  /// All forms and what they mean, for the list in the help.
  package static var forms: [(text: String, meaning: String)] {
    SensorTransport.all.flatMap(\.forms).map { ($0.text, $0.meaning) }
  }

  /// Parses an address.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  package init(_ text: String) throws(SensorError) {
    self.text = text
    let reader = AddressReader(text: text)
    let scheme = text.prefix { $0 != ":" }
    let rest = scheme.endIndex < text.endIndex ? String(text[text.index(after: scheme.endIndex)...]) : nil
    guard let transport = SensorTransport.all.first(where: { $0.scheme == scheme }) else {
      throw reader.unknown(String(scheme))
    }
    switch (transport.rest, rest) {
    case (.none, .some): throw reader.unknown(String(scheme))
    case (.required(let reason, let advice), nil): throw reader.error(reason, advice)
    default: (kind, latency, location) = try transport.read(reader, rest)
    }
  }

  /// Whether both were written alike.
  package static func == (one: SensorAddress, other: SensorAddress) -> Bool { one.text == other.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The address of a sensor that delivers a quantity: a simulated strap becomes a channel of any other quantity.
  ///
  /// What can be set of a strap alone is left out.
  package func simulating(_ type: QuantityType) -> SensorAddress {
    guard let settings = kind as? SimulatedSensor.Settings, !QuantityType.ofHeartbeats.contains(type) else {
      return self
    }
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

  /// Creates the sensor, after the checks that need no waiting: that the file exists and is a recording.
  ///
  /// - Throws: ``SensorError`` for a file that is missing or holds no recording.
  package func sensor() throws(SensorError) -> any Sensor {
    let sensor = try kind.sensor(named: text, latency: latency, location: location)
    // One that is known to send beats keeps them.
    let isOfHeart = sensor.channels.contains { QuantityType.ofHeartbeats.contains($0.type) }
    return isOfHeart || kind is RatingKeys ? sensor : DerivingSensor(sensor)
  }
}

extension SensorTransport {
  /// The table of addresses.
  static let all = [simulated, replay, lines, bluetooth, camera, video, serial, microphone, lsl, keys]
}

extension AddressReader {
  /// The error for a scheme that no transport has.
  fileprivate func unknown(_ scheme: String) -> SensorError {
    let reason = "there is no such kind of sensor"
    if let near = Spelling.nearest(to: scheme, among: SensorTransport.all.map(\.scheme)) {
      return error(reason, "did you mean “\(near)”?")
    }
    if scheme == "-" || text.hasPrefix("tcp:") || text.hasPrefix("unix:") || text.hasPrefix("exec:")
      || scheme.contains("/")
    {
      return error(reason, "did you mean “lines:\(text)”?")
    }
    if let meant = SensorAddress.meant(by: scheme) { return error(reason, "did you mean “\(meant)”?") }
    return error(reason, SensorAddress.advice)
  }
}

/// What people are told who cannot name their sensor, or whose sensor does not answer.
extension SensorAddress {
  /// Where the addresses are found.
  package static let advice =
    "“station sensors” lists the sensors in reach and what to type for each; others are lines:exec:COMMAND, "
    + "lines:tcp://HOST:PORT, replay:FILE, and “simulated” for a rehearsal"

  /// What to do about a sensor that does not answer.
  ///
  /// - Parameter text: its address as written.
  /// - Returns: what comes after “cannot record …; ”.
  package static func remedy(of text: String) -> String {
    ((try? SensorAddress(text))?.kind ?? RatingKeys()).remedy
  }

  /// Whether it sends lines of text.
  package var sendsLines: Bool { kind.sendsLines }

  /// The kind of address for the name of a device, a maker or a program; `nil` for other words.
  static func meant(by words: String) -> String? {
    let named = Set(words.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let fitting = SensorTransport.all.flatMap(\.nicknames).filter { !named.isDisjoint(with: $0.words) }
    return (fitting.first { !$0.isVague } ?? fitting.first)?.address
  }
}

/// The assignment of a sensor to a recorder or quantity type: `heartRate=lines:tcp://localhost:9000`.
package struct SensorAssignment: Hashable, Sendable {
  /// The identifier of a recorder, or a quantity type.
  package let name: String

  package let address: SensorAddress

  package init(name: String, address: SensorAddress) {
    self.name = name
    self.address = address
  }

  /// The station's own keys for what is rated with them, unless something else is assigned.
  package static let keys: Result<SensorAssignment, SensorError> = Result { () throws(SensorError) in
    SensorAssignment(name: QuantityType.continuousRating.channelName, address: try SensorAddress("keys"))
  }

  /// Parses `NAME=SENSOR`, split at the first `=`.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  package init(_ text: String) throws(SensorError) {
    let name = text.prefix { $0 != "=" }
    let isWhole = name.endIndex < text.endIndex
    // In `simulated:seed=7` the `NAME=` is missing.
    if !isWhole || name.contains(":") {
      let meant = (try? SensorAddress(text)) != nil
      throw SensorError(
        "read", text, "expected NAME=SENSOR",
        advice: meant ? "did you mean “heartRate=\(text)”?" : "as in heartRate=simulated")
    }
    guard !name.isEmpty else {
      throw SensorError("read", text, "the name before the = is missing", advice: "as in heartRate=simulated")
    }
    self.name = String(name)
    address = try SensorAddress(String(text[text.index(after: name.endIndex)...]))
  }
}
