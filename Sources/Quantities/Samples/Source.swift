/// The origin of a sample: an application, a station or manual entry.
package struct Source: Hashable, Sendable {
  /// The display name.
  package var name: String

  /// The unique identifier: `com.apple.health.1234`, `station.simulated`.
  package var bundleIdentifier: String

  /// Whether its samples are of no person, but of a simulated sensor of the station.
  package var isSimulated: Bool {
    name.namesSimulation || bundleIdentifier == "station.simulated" || bundleIdentifier.hasPrefix("station.simulated:")
  }

  /// The words that mark simulated data; with a colon after them they come before the name of the source.
  package static let simulationMark = "simulated data"

  package init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }
}

extension String {
  /// Whether a sensor or source of this name is simulated: `simulated:seed=7`, `simulated data: strap`.
  ///
  /// “simulated annealing laboratory” is the name of a real one.
  package var namesSimulation: Bool {
    ["simulated", Source.simulationMark].contains { self == $0 || hasPrefix("\($0):") }
  }
}

/// A source in one version, on one product; unknown properties are `nil`.
package struct SourceRevision: Hashable, Sendable {
  package var source: Source

  /// The version of the program.
  package var version: String?

  /// The product that it ran on: `Watch6,2`.
  package var productType: String?

  /// The version of the operating system: `10.3.1`.
  package var operatingSystemVersion: String?

  package init(
    source: Source, version: String? = nil, productType: String? = nil, operatingSystemVersion: String? = nil
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
  }
}

/// A device, with HealthKit's properties; unknown ones are `nil`.
package struct Device: Hashable, Sendable, Codable {
  /// Its display name: `Polar H10`.
  package var name: String?
  package var manufacturer: String?
  /// The manufacturer's model designation.
  package var model: String?
  /// The hardware revision.
  package var hardwareVersion: String?
  package var firmwareVersion: String?
  /// The version of the software that communicates with it.
  package var softwareVersion: String?
  /// An identifier that is unique on this machine, such as a Bluetooth address.
  package var localIdentifier: String?
  /// The device identifier of its UDI, the FDA's unique device identification.
  package var udiDeviceIdentifier: String?

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
