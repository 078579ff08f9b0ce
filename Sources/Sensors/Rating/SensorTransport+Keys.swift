package import Quantities

extension SensorTransport {
  /// The station's own keys, with which the participant rates.
  static let keys = SensorTransport(
    scheme: "keys", rest: .none, forms: [.init(text: "keys")],
    nicknames: [.init(address: "keys", words: ["keyboard", "key", "rating", "slider"])]
  ) { _, _ throws(SensorError) in (RatingKeys(), .zero, nil) }
}

/// The station's own keys.
package struct RatingKeys: SensorKind {
  /// Creates the sensor.
  package func sensor(named name: String, latency: Duration, location: Metadata.SensorLocation?) -> any Sensor {
    RatingSensor(name: name)
  }
}
