package import Basics

/// What no store of samples takes, whatever its own limits are.
///
/// Readers of files ask before they make samples, so that one record that cannot be kept costs no other.
package enum Storable: Sendable {
  /// How many bytes a name may have.
  package static let longestName = 1024

  /// How long a sample may last: HealthKit's four days.
  package static let longestSample = Duration.seconds(345_600)

  /// How many beats a series may have: five a second for four days.
  package static let mostBeats = 5 * 345_600

  /// Why a name is not kept.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - what: what it is the name of, as the answer begins.
  ///   - mayBeEmpty: whether nothing is a name too.
  /// - Returns: the reason; `nil` for a name that is kept.
  package static func complaint(about name: String, _ what: String, mayBeEmpty: Bool = false) -> String? {
    if name.isEmpty { return mayBeEmpty ? nil : "\(what) is empty; give one" }
    let count = name.utf8.count
    if count > longestName { return "\(what) has \(count) bytes, more than \(longestName): “\(name.prefix(32))…”" }
    return name.utf8.contains(0) ? "\(what) holds a zero character, which no database keeps" : nil
  }

  /// Why a source is not kept.
  package static func complaint(about revision: SourceRevision) -> String? {
    if let reason = complaint(about: revision.source.bundleIdentifier, "the source's bundle identifier") {
      return reason
    }
    return complaint(
      about: [revision.source.name, revision.version, revision.productType, revision.operatingSystemVersion],
      "a text of the source")
  }

  /// Why a device is not kept.
  package static func complaint(about device: Device?) -> String? {
    guard let device else { return nil }
    return complaint(
      about: [
        device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
        device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
      ], "a text of the device")
  }

  /// Why metadata are not kept.
  package static func complaint(about metadata: Metadata) -> String? {
    guard !metadata.isEmpty else { return nil }
    for key in metadata.values.keys {
      if let reason = complaint(about: key, "a key of the metadata") { return reason }
    }
    return metadata.sync.flatMap { complaint(about: $0.identifier, "the sync identifier") }
  }

  /// Why a sample of that type and those times is not kept, in HealthKit's words.
  package static func complaint(about type: QuantityType, from start: WallTime, to end: WallTime) -> String? {
    complaint(aboutTimeOf: type.healthKitIdentifier, from: start, to: end)
  }

  /// Why a series is not kept.
  package static func complaint(about series: HeartbeatSeries) -> String? {
    if let reason = complaint(
      aboutTimeOf: HeartbeatSeries.healthKitIdentifier, from: series.start, to: series.end)
    {
      return reason
    }
    guard series.beats.count > mostBeats else { return nil }
    return "a heartbeat series of \(series.beats.count.counted("beat")) is too long; save it as several of \(mostBeats)"
  }

  private static func complaint(aboutTimeOf type: String, from start: WallTime, to end: WallTime) -> String? {
    guard start.duration(to: end) > longestSample else { return nil }
    return "startDate (\(start.precise)) and endDate (\(end.precise)) exceed the maximum allowed duration for "
      + "this sample type. Maximum duration for type \(type) is 345600 s"
  }

  private static func complaint(about texts: [String?], _ what: String) -> String? {
    for case let text? in texts {
      if let reason = complaint(about: text, what, mayBeEmpty: true) { return reason }
    }
    return nil
  }
}
