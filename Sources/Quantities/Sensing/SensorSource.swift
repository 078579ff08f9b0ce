/// Where readings come from: the sensor as the operator named it, and the thing behind it.
package struct SensorSource: Hashable, Sendable, Codable {
  /// The sensor as it was given: `simulated`, `lines:tcp://localhost:9000`.
  package var name: String

  /// How long the sensor takes from the heart's beat to the delivery; zero where it is unknown.
  package var latency: Duration

  /// The device, as far as the sensor says.
  package var device: Device?

  /// Where on the body the sensor sits, as far as the operator says.
  package var location: Metadata.SensorLocation?

  /// A source.
  package init(
    name: String, latency: Duration = .zero, device: Device? = nil, location: Metadata.SensorLocation? = nil
  ) {
    self.name = name
    self.latency = latency
    self.device = device
    self.location = location
  }
}
