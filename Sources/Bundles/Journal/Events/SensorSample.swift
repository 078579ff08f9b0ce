import Basics
package import Quantities

/// A sample of a channel that carries no beat, as the journal keeps it; its time since the trial's zero is the record's.
package struct SensorSample: Hashable, Sendable, Codable, CheckedInJSON {
  /// The sensor's name.
  package var sensor: String
  package var channel: QuantityType
  /// The value, in ``unit``.
  package var value: Double
  /// The unit that the sensor gave it in.
  package var unit: Unit
  /// Whether the sensor touched the skin; `nil` if it cannot tell.
  var contact: Bool?
  /// When it arrived, since the trial's zero.
  package var arrived: Duration
  /// The sender's own time of it, in seconds of its clock; `nil` if not reported.
  var senderTime: Double?

  private enum CodingKeys: String, CodingKey {
    case sensor, channel, value, unit, contact, arrived
    case senderTime = "sender_s"
  }

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    Plausible.problem(of: "value", value, in: Plausible.values)
      ?? Plausible.problem(of: "sender_s", senderTime, in: Plausible.senderTimes)
  }

  /// A sample.
  package init(
    sensor: String, channel: QuantityType, value: Double, unit: Unit, contact: Bool? = nil, arrived: Duration,
    senderTime: Double? = nil
  ) {
    self.sensor = sensor
    self.channel = channel
    self.value = value
    self.unit = unit
    self.contact = contact
    self.arrived = arrived
    self.senderTime = senderTime
  }

  /// Decodes a sample from a journal.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let name = try members.decode(String.self, forKey: .channel)
    guard let channel = QuantityType(healthKit: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .channel, in: members, debugDescription: "there is no quantity type “\(name)”")
    }
    let symbol = try members.decode(String.self, forKey: .unit)
    guard let unit = try? Unit(symbol), unit.isCompatible(with: channel.canonicalUnit) else {
      throw DecodingError.dataCorruptedError(
        forKey: .unit, in: members, debugDescription: "“\(symbol)” is not a unit of \(channel)")
    }
    self.init(
      sensor: try members.decode(String.self, forKey: .sensor), channel: channel,
      value: try members.decode(Double.self, forKey: .value), unit: unit,
      contact: try members.decodeIfPresent(Bool.self, forKey: .contact),
      arrived: try members.decode(Duration.self, forKey: .arrived),
      senderTime: try members.decodeIfPresent(Double.self, forKey: .senderTime))
  }

  /// Encodes the sample.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(sensor, forKey: .sensor)
    try members.encode(channel.identifier, forKey: .channel)
    try members.encode(value, forKey: .value)
    try members.encode(unit.symbol, forKey: .unit)
    try members.encodeIfPresent(contact, forKey: .contact)
    try members.encode(arrived, forKey: .arrived)
    try members.encodeIfPresent(senderTime, forKey: .senderTime)
  }
}

extension JournalEvent {
  /// The sensor that delivered it, and when it arrived; `nil` for what is no delivery of a sensor.
  var delivery: (sensor: String, arrived: Duration)? {
    switch self {
    case .reading(let reading): (reading.sensor, reading.arrived)
    case .sample(let sample): (sample.sensor, sample.arrived)
    default: nil
    }
  }
}
