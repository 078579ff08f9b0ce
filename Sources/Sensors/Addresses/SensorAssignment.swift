import Quantities

/// The assignment of a sensor to a recorder or quantity type: `heartRate=lines:tcp://localhost:9000`.
package struct SensorAssignment: Hashable, Sendable {
  /// The identifier of a recorder, or a quantity type.
  package let name: String

  /// The address of the sensor.
  package let address: SensorAddress

  /// Creates an assignment.
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
