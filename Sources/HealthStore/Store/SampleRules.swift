import Quantities

/// What every engine refuses, whatever its own limits are.
enum SampleRules {
  /// How many bytes a name may have.
  static let longestName = 1024

  /// How long a sample may last, in ticks: HealthKit's four days.
  static let longestSample: Int64 = 345_600 * Tick.perSecond

  /// How many beats a series may have: five a second for four days.
  static let mostBeats = 5 * 345_600

  static func check(_ name: String, _ what: String, mayBeEmpty: Bool = false) throws(StoreError) {
    guard mayBeEmpty || !name.isEmpty else { throw refuse("\(what) is empty; give one") }
    guard name.utf8.count <= longestName else {
      throw refuse("\(what) has \(name.utf8.count) bytes, more than \(longestName): “\(name.prefix(32))…”")
    }
    guard !name.utf8.contains(0) else { throw refuse("\(what) holds a zero character, which no database keeps") }
  }

  static func check(_ time: WallTime, _ what: String) throws(StoreError) {
    guard (WallTime.earliest...WallTime.latest).contains(time) else {
      throw refuse("\(what) is \(time.precise), outside of the years 1 to 9999")
    }
  }

  static func check(_ revision: SourceRevision) throws(StoreError) {
    try check(revision.source.bundleIdentifier, "the source's bundle identifier")
    let others = [
      revision.source.name, revision.version, revision.productType, revision.operatingSystemVersion,
    ]
    for case let text? in others { try check(text, "a text of the source", mayBeEmpty: true) }
  }

  static func check(_ device: Device?) throws(StoreError) {
    guard let device else { return }
    let texts = [
      device.name, device.manufacturer, device.model, device.hardwareVersion, device.firmwareVersion,
      device.softwareVersion, device.localIdentifier, device.udiDeviceIdentifier,
    ]
    for case let text? in texts { try check(text, "a text of the device", mayBeEmpty: true) }
  }

  static func check(_ metadata: Metadata) throws(StoreError) {
    guard !metadata.isEmpty else { return }
    for key in metadata.values.keys { try check(key, "a key of the metadata") }
    if let sync = metadata.sync { try check(sync.identifier, "the sync identifier") }
  }

  static func check(_ sample: QuantitySample) throws(StoreError) {
    guard sample.end.microseconds - sample.start.microseconds <= longestSample else {
      throw refuse(
        "startDate (\(sample.start.precise)) and endDate (\(sample.end.precise)) exceed the maximum allowed duration for "
          + "this sample type. Maximum duration for type \(sample.type.healthKitIdentifier) is 345600 s")
    }
  }

  static func check(_ series: HeartbeatSeries) throws(StoreError) {
    guard series.end.microseconds - series.start.microseconds <= longestSample else {
      throw refuse(
        "startDate (\(series.start.precise)) and endDate (\(series.end.precise)) exceed the maximum allowed duration for "
          + "this sample type. Maximum duration for type \(SampleType.heartbeatSeries.healthKitIdentifier) is 345600 s")
    }
    guard series.beats.count <= mostBeats else {
      throw refuse("a heartbeat series of \(series.beats.count) beats is too long; save it as several of \(mostBeats)")
    }
  }

  private static func refuse(_ reason: String) -> StoreError { StoreError(.invalidArgument, reason) }
}
