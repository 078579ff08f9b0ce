package import Basics

/// The limits that every sample store enforces.
///
/// Importers check them before creating samples, so that one invalid record does not affect others.
package enum Storable: Sendable {
  /// The maximum length of a name in bytes.
  static let maxNameLength = 1024

  /// The maximum duration of a sample: four days, as in HealthKit.
  package static let maxSample = Duration.seconds(345_600)

  /// The maximum number of beats in a series: five per second for four days.
  package static let maxBeats = 5 * 345_600

  /// The reason why a name cannot be stored.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - what: the thing that it names, as the first words of the message.
  ///   - mayBeEmpty: whether an empty name is valid.
  /// - Returns: the reason; `nil` for a valid name.
  package static func problem(with name: String, _ what: String, mayBeEmpty: Bool = false) -> String? {
    if name.isEmpty { return mayBeEmpty ? nil : "\(what) is empty; give one" }
    let count = name.utf8.count
    if count > maxNameLength { return "\(what) has \(count) bytes, more than \(maxNameLength): “\(name.prefix(32))…”" }
    return name.utf8.contains(0) ? "\(what) holds a zero character, which no database keeps" : nil
  }

  /// The reason why a source cannot be stored; `nil` for a valid one.
  package static func problem(with revision: SourceRevision) -> String? {
    if let reason = problem(with: revision.source.bundleIdentifier, "the source's bundle identifier") {
      return reason
    }
    return problem(
      with: [revision.source.name, revision.version, revision.productType, revision.operatingSystemVersion],
      "a text of the source")
  }

  /// The reason why a device cannot be stored; `nil` for a valid one.
  package static func problem(with device: Device?) -> String? {
    guard let device else { return nil }
    return problem(
      with: [
        device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
        device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
      ], "a text of the device")
  }

  /// The reason why metadata cannot be stored; `nil` if valid.
  package static func problem(with metadata: Metadata) -> String? {
    guard !metadata.isEmpty else { return nil }
    for key in metadata.values.keys {
      if let reason = problem(with: key, "a key of the metadata") { return reason }
    }
    return metadata.sync.flatMap { problem(with: $0.identifier, "the sync identifier") }
  }

  /// The reason why a sample of this type and period cannot be stored, with HealthKit's text; `nil` if valid.
  package static func problem(with type: QuantityType, from start: WallTime, to end: WallTime) -> String? {
    problem(withTimeOf: type.healthKitIdentifier, from: start, to: end)
  }

  /// The reason why a series cannot be stored; `nil` for a valid one.
  package static func problem(with series: HeartbeatSeries) -> String? {
    if let reason = problem(
      withTimeOf: HeartbeatSeries.healthKitIdentifier, from: series.start, to: series.end)
    {
      return reason
    }
    guard series.beats.count > maxBeats else { return nil }
    return "a heartbeat series of \(series.beats.count.counted("beat")) is too long; save it as several of \(maxBeats)"
  }

  private static func problem(withTimeOf type: String, from start: WallTime, to end: WallTime) -> String? {
    guard start.duration(to: end) > maxSample else { return nil }
    return "startDate (\(start.precise)) and endDate (\(end.precise)) exceed the maximum allowed duration for "
      + "this sample type. Maximum duration for type \(type) is 345600 s"
  }

  private static func problem(with texts: [String?], _ what: String) -> String? {
    for case let text? in texts {
      if let reason = problem(with: text, what, mayBeEmpty: true) { return reason }
    }
    return nil
  }
}
