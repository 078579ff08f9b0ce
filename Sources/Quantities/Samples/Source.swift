/// Who wrote a sample: an application, a station or a person's hand.
public struct Source: Hashable, Sendable {
  /// What people call it.
  public var name: String

  /// What tells it from others of that name: `com.apple.health.1234`, `station.simulated`.
  public var bundleIdentifier: String

  /// A source.
  public init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
  }
}

/// A source at one version, on one product; what is not known is `nil`.
public struct SourceRevision: Hashable, Sendable {
  /// Who wrote the sample.
  public var source: Source

  /// The version of the program that wrote it.
  public var version: String?

  /// What the program ran on: `Watch6,2`.
  public var productType: String?

  /// The version of that product's operating system: `10.3.1`.
  public var operatingSystemVersion: String?

  /// A revision.
  public init(
    source: Source, version: String? = nil, productType: String? = nil, operatingSystemVersion: String? = nil
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
  }
}
