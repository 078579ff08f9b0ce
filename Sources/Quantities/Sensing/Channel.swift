/// One quantity of one sensor: what it measures, in which unit, and how often.
package struct Channel: Hashable, Sendable {
  /// The quantity that it delivers.
  package let type: QuantityType

  /// The unit of its values.
  package let unit: Unit

  /// The nominal number of samples per second; `nil` if it has none, as the beats of a heart.
  package let rate: Double?

  /// Creates a channel, by default in the quantity's unit for display.
  package init(_ type: QuantityType, unit: Unit? = nil, rate: Double? = nil) {
    self.type = type
    self.unit = unit ?? type.defaultUnit
    self.rate = rate
  }

  /// The channels of a heart strap.
  package static let ofHeartbeats = QuantityType.ofHeartbeats.map { Channel($0) }

  /// Reads the name of a channel in a line: the quantity (`skinConductance`), optionally with the unit after an
  /// underscore (`skinConductance_uS`).
  ///
  /// `nil` if there is no such quantity, or it is not measured in that unit.
  package init?(named name: String) {
    let parts = name.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
    guard let type = QuantityType(channel: String(parts[0])) else { return nil }
    guard parts.count == 2 else {
      self.init(type)
      return
    }
    guard let unit = type.unit(written: String(parts[1])) else { return nil }
    self.init(type, unit: unit)
  }
}

/// A value of a channel that carries no beat.
package struct ChannelSample: Hashable, Sendable {
  package var type: QuantityType
  /// The unit of the value.
  package var unit: Unit
  /// The value.
  package var value: Double
  /// When it happened: at the sender's time, else at arrival minus the sensor's latency.
  package var happened: Moment

  /// Creates a sample.
  package init(_ type: QuantityType, _ value: Double, _ unit: Unit? = nil, happened: Moment) {
    self.type = type
    self.unit = unit ?? type.defaultUnit
    self.value = value
    self.happened = happened
  }

  /// Whether the value is physiologically plausible, as far as limits are known.
  package var isPlausible: Bool { type.isPlausible(value, in: unit) }
}

/// The source of readings: the sensor as the operator named it, and its device.
package struct SensorSource: Hashable, Sendable, Codable {
  /// The sensor's name as given: `simulated`, `lines:tcp://localhost:9000`.
  package var name: String

  /// The sensor's latency from heartbeat to delivery; zero if unknown.
  package var latency: Duration

  /// The device, as far as the sensor reports it.
  package var device: Device?

  /// The sensor's location on the body, if the operator specified it.
  package var location: Metadata.SensorLocation?

  package init(
    name: String, latency: Duration = .zero, device: Device? = nil, location: Metadata.SensorLocation? = nil
  ) {
    self.name = name
    self.latency = latency
    self.device = device
    self.location = location
  }
}
