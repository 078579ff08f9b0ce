/// A device, with HealthKit's properties; unknown ones are `nil`.
package struct Device: Hashable, Sendable, Codable {
  /// Its display name: `Polar H10`.
  package var name: String?
  /// The manufacturer.
  package var manufacturer: String?
  /// The manufacturer's model designation.
  package var model: String?
  /// The hardware revision.
  package var hardwareVersion: String?
  /// The firmware version.
  package var firmwareVersion: String?
  /// The version of the software that communicates with it.
  package var softwareVersion: String?
  /// An identifier that is unique on this machine, such as a Bluetooth address.
  package var localIdentifier: String?
  /// The device identifier of its UDI, the FDA's unique device identification.
  package var udiDeviceIdentifier: String?

  /// Creates a device.
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
