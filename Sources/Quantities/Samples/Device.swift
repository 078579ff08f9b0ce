/// A device in HealthKit's words; what is not known is `nil`.
public struct Device: Hashable, Sendable {
  /// What people call it: `Polar H10`.
  public var name: String?
  /// Who makes it.
  public var manufacturer: String?
  /// The maker's word for its kind.
  public var model: String?
  /// The version of the thing itself.
  public var hardwareVersion: String?
  /// The version of the program inside it.
  public var firmwareVersion: String?
  /// The version of the program that talks to it.
  public var softwareVersion: String?
  /// What tells it from others on this machine: a Bluetooth address, say.
  public var localIdentifier: String?
  /// The device identifier of its UDI, the unique device identification of the FDA.
  public var udiDeviceIdentifier: String?

  /// A device.
  public init(
    name: String? = nil, manufacturer: String? = nil, model: String? = nil, hardwareVersion: String? = nil,
    firmwareVersion: String? = nil, softwareVersion: String? = nil, localIdentifier: String? = nil,
    udiDeviceIdentifier: String? = nil
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.hardwareVersion = hardwareVersion
    self.firmwareVersion = firmwareVersion
    self.softwareVersion = softwareVersion
    self.localIdentifier = localIdentifier
    self.udiDeviceIdentifier = udiDeviceIdentifier
  }
}
