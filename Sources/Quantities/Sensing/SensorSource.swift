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

  /// Creates a source.
  package init(
    name: String, latency: Duration = .zero, device: Device? = nil, location: Metadata.SensorLocation? = nil
  ) {
    self.name = name
    self.latency = latency
    self.device = device
    self.location = location
  }
}
