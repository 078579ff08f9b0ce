/// The origin of a sample: an application, a station or manual entry.
package struct Source: Hashable, Sendable {
  /// The display name.
  package var name: String

  /// The unique identifier: `com.apple.health.1234`, `station.simulated`.
  package var bundleIdentifier: String

  /// Whether it is a simulated sensor of the station, whose samples are of no person.
  package var isSimulated: Bool {
    bundleIdentifier == "station.simulated" || bundleIdentifier.hasPrefix("station.simulated:")
  }

  /// Creates a source.
  package init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }
}

/// A source in one version, on one product; unknown properties are `nil`.
package struct SourceRevision: Hashable, Sendable {
  /// The source.
  package var source: Source

  /// The version of the program.
  package var version: String?

  /// The product that it ran on: `Watch6,2`.
  package var productType: String?

  /// The version of the operating system: `10.3.1`.
  package var operatingSystemVersion: String?

  /// Creates a source revision.
  package init(
    source: Source, version: String? = nil, productType: String? = nil, operatingSystemVersion: String? = nil
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
  }
}
