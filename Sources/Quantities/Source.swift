/// Where readings come from: the sensor as the operator named it, and the thing behind it.
public struct Source: Hashable, Sendable {
  /// The sensor as it was given: `simulated`, `lines:tcp://localhost:9000`.
  public var name: String

  /// How long the sensor takes from the heart's beat to the delivery; zero where it is unknown.
  public var latency: Duration

  /// The device, as far as the sensor says.
  public var device: Device?

  /// A source.
  public init(name: String, latency: Duration = .zero, device: Device? = nil) {
    self.name = name
    self.latency = latency
    self.device = device
  }
}

/// A device in HealthKit's words; what is not known is `nil`.
public struct Device: Hashable, Sendable {
  /// What people call it: `Polar H10`.
  public var name: String?
  /// Who makes it.
  public var manufacturer: String?
  /// The maker's word for its kind.
  public var model: String?
  /// The version of the program inside it.
  public var firmwareVersion: String?

  /// A device.
  public init(
    name: String? = nil, manufacturer: String? = nil, model: String? = nil, firmwareVersion: String? = nil
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.firmwareVersion = firmwareVersion
  }
}
