/// A device in HealthKit's words; what is not known is `nil`.
package struct Device: Hashable, Sendable, Codable {
  /// What people call it: `Polar H10`.
  package var name: String?
  /// Who makes it.
  package var manufacturer: String?
  /// The maker's word for its kind.
  package var model: String?
  /// The version of the thing itself.
  package var hardwareVersion: String?
  /// The version of the program inside it.
  package var firmwareVersion: String?
  /// The version of the program that talks to it.
  package var softwareVersion: String?
  /// What tells it from others on this machine: a Bluetooth address, say.
  package var localIdentifier: String?
  /// The device identifier of its UDI, the unique device identification of the FDA.
  package var udiDeviceIdentifier: String?

  /// A device.
  package init(
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
