import Basics
import Quantities

/// Text that repeats from sample to sample, and the number that represents it in rows.
enum Name {
  /// The number of a text, never 0: 48 bits of its SHA-256 digest.
  ///
  /// Every process derives the same number without coordination. If two texts collide, adding the second one fails.
  static func number(of text: String) -> Int64 {
    let bytes = SHA256.digest(of: Array(text.utf8)).bytes
    return max(1, bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) })
  }

  static func text(_ type: QuantityType) -> String {
    JSONValue.object([
      "identifier": .string(type.identifier), "healthKitIdentifier": .string(type.healthKitIdentifier),
      "aggregationStyle": .string(type.aggregationStyle.rawValue), "unit": .string("\(type.canonicalUnit)"),
    ]).text()
  }

  static func text(_ revision: SourceRevision) -> String {
    object([
      "name": revision.source.name, "bundleIdentifier": revision.source.bundleIdentifier, "version": revision.version,
      "productType": revision.productType, "operatingSystemVersion": revision.operatingSystemVersion,
    ])
  }

  static func text(_ device: Device) -> String {
    object([
      "name": device.name, "manufacturer": device.manufacturer, "model": device.model,
      "hardwareVersion": device.hardwareVersion, "firmwareVersion": device.firmwareVersion,
      "softwareVersion": device.softwareVersion, "localIdentifier": device.localIdentifier,
      "udiDeviceIdentifier": device.udiDeviceIdentifier,
    ])
  }

  static func type(_ text: String) throws -> QuantityType {
    let values = try read(text)
    let identifier = values["identifier"] ?? ""
    guard let style = AggregationStyle(rawValue: values["aggregationStyle"] ?? "") else { throw damaged(text) }
    let unit = try Unit(values["unit"] ?? "")
    if let type = QuantityType(identifier) {
      guard type.aggregationStyle == style, type.canonicalUnit == unit else {
        throw StoreError(
          .databaseInaccessible,
          "the store keeps \(identifier) in \(unit) as \(style.rawValue), and this station has it in "
            + "\(type.canonicalUnit) as \(type.aggregationStyle.rawValue); use the station that wrote it, or make the "
            + "store again")
      }
      return type
    }
    let type = try QuantityType(
      userDefined: identifier, aggregationStyle: style, unit: unit,
      healthKitIdentifier: values["healthKitIdentifier"].flatMap { $0.hasPrefix("Station") ? nil : $0 })
    // The station's own definition also has a unit for display and plausible values.
    return QuantityType(healthKit: identifier).flatMap { $0 == type ? $0 : nil } ?? type
  }

  static func source(_ text: String) throws -> SourceRevision {
    let values = try read(text)
    guard let name = values["name"], let bundle = values["bundleIdentifier"] else { throw damaged(text) }
    return SourceRevision(
      source: Source(name: name, bundleIdentifier: bundle), version: values["version"],
      productType: values["productType"], operatingSystemVersion: values["operatingSystemVersion"])
  }

  static func device(_ text: String) throws -> Device {
    let values = try read(text)
    return Device(
      name: values["name"], manufacturer: values["manufacturer"], model: values["model"],
      hardwareVersion: values["hardwareVersion"], firmwareVersion: values["firmwareVersion"],
      softwareVersion: values["softwareVersion"], localIdentifier: values["localIdentifier"],
      udiDeviceIdentifier: values["udiDeviceIdentifier"])
  }

  private static func object(_ values: [String: String?]) -> String {
    JSONValue.object(values.compactMapValues { $0.map { .string($0) } }).text()
  }

  private static func read(_ text: String) throws -> [String: String] {
    guard let object = try? JSONReader.read(Array(text.utf8)).value.object else { throw damaged(text) }
    return object.compactMapValues(\.string)
  }

  private static func damaged(_ text: String) -> StoreError {
    StoreError(.databaseInaccessible, "the store holds a name that it never wrote, “\(text)”; rebuild it")
  }
}
