/// Who wrote a sample: an application, a station or a person's hand.
package struct Source: Hashable, Sendable {
  /// What people call it.
  package var name: String

  /// What tells it from others of that name: `com.apple.health.1234`, `station.simulated`.
  package var bundleIdentifier: String

  /// A source.
  package init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }
}

/// A source at one version, on one product; what is not known is `nil`.
package struct SourceRevision: Hashable, Sendable {
  /// Who wrote the sample.
  package var source: Source

  /// The version of the program that wrote it.
  package var version: String?

  /// What the program ran on: `Watch6,2`.
  package var productType: String?

  /// The version of that product's operating system: `10.3.1`.
  package var operatingSystemVersion: String?

  /// A revision.
  package init(
    source: Source, version: String? = nil, productType: String? = nil, operatingSystemVersion: String? = nil
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
  }
}
