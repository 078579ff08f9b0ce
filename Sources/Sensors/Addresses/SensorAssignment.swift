/// Which recorder or quantity type gets which sensor: `heartRate=lines:tcp://localhost:9000`.
public struct SensorAssignment: Hashable, Sendable {
  /// A recorder's identifier or a quantity type.
  public let name: String

  /// The sensor.
  public let address: SensorAddress

  /// An assignment.
  public init(name: String, address: SensorAddress) {
    self.name = name
    self.address = address
  }

  /// Reads `NAME=SENSOR`; the first `=` divides.
  ///
  /// - Throws: ``SensorError`` with a suggestion.
  public init(_ text: String) throws(SensorError) {
    let name = text.prefix { $0 != "=" }
    let isWhole = name.endIndex < text.endIndex
    // In `simulated:seed=7` the name is what is missing.
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
