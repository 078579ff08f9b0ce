import Basics

extension Metadata {
  /// HealthKit's keys, as samples and exports carry them, and the station's for whom they are of.
  package enum Key: Sendable {
    /// How active the person was: `0`, `1` or `2`.
    package static let heartRateMotionContext = "HKMetadataKeyHeartRateMotionContext"
    /// Where the sensor sat: `0` to `6`.
    package static let heartRateSensorLocation = "HKHeartRateSensorLocation"
    /// What stays the same when a sample is replaced by a newer version of it.
    package static let syncIdentifier = "HKMetadataKeySyncIdentifier"
    /// The version of a sample with a sync identifier; a greater one replaces a smaller one.
    package static let syncVersion = "HKMetadataKeySyncVersion"
    /// The time zone in which it was measured: `Europe/Amsterdam`.
    package static let timeZone = "HKTimeZone"
    /// Whether a person typed it in.
    package static let wasUserEntered = "HKWasUserEntered"
    /// The identifier that it has elsewhere.
    package static let externalUUID = "HKExternalUUID"
    /// The version of the algorithm that computed it.
    package static let algorithmVersion = "HKAlgorithmVersion"
    /// What was eaten: two foods of one energy at one time are two samples.
    package static let foodType = "HKFoodType"
    /// The code of the participant whose sample it is.
    package static let participant = "station.participant"
  }

  /// How active the person was when a heart rate was measured.
  package enum MotionContext: Int, Sendable, CaseIterable, NamedInJSON {
    /// It is not known.
    case notSet = 0
    /// Still for five minutes or longer.
    case sedentary = 1
    /// In motion.
    case active = 2

    /// The case's name, as files say it: `sedentary`.
    package var name: String { "\(self)" }

    /// The case of that name.
    package init?(name: String) {
      guard let context = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = context
    }
  }

  /// Where a heart-rate sensor sits, numbered as Bluetooth's body sensor locations are.
  package enum SensorLocation: Int, Sendable, CaseIterable, NamedInJSON {
    /// Elsewhere.
    case other = 0
    /// On the chest.
    case chest = 1
    /// On a wrist.
    case wrist = 2
    /// On a finger.
    case finger = 3
    /// On a hand.
    case hand = 4
    /// On an ear lobe.
    case earLobe = 5
    /// On a foot.
    case foot = 6

    /// The case's name, as files say it: `earLobe`.
    package var name: String { "\(self)" }

    /// The case of that name.
    package init?(name: String) {
      guard let location = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = location
    }
  }

  /// How active the person was; `notSet` where nothing is said, as in HealthKit.
  package var motionContext: MotionContext {
    whole(Key.heartRateMotionContext).flatMap(MotionContext.init) ?? .notSet
  }

  /// Where the sensor sat; `nil` where nothing is said.
  package var sensorLocation: SensorLocation? { whole(Key.heartRateSensorLocation).flatMap(SensorLocation.init) }

  /// What stays the same when the sample is replaced, with its version; `nil` for a sample that is never replaced.
  package var sync: (identifier: String, version: Double)? {
    guard case .string(let identifier) = self[Key.syncIdentifier], case .number(let version) = self[Key.syncVersion]
    else { return nil }
    return (identifier, version)
  }

  /// The time zone in which it was measured; `nil` where nothing is said.
  package var timeZone: String? {
    guard case .string(let name) = self[Key.timeZone] else { return nil }
    return name
  }

  /// The code of the participant whose sample it is; `nil` where nothing is said.
  package var participant: String? {
    guard case .string(let code) = self[Key.participant] else { return nil }
    return code
  }

  /// Whether a person typed it in.
  package var wasUserEntered: Bool { self[Key.wasUserEntered] == .bool(true) }

  private func whole(_ key: String) -> Int? {
    guard case .number(let number) = self[key] else { return nil }
    return Int(exactly: number)
  }

  /// The constant's name in HealthKit's header, which its messages use.
  static func constant(_ key: String) -> String {
    key.hasPrefix("HKMetadataKey") ? key : "HKMetadataKey" + key.dropFirst(2)
  }

  /// What is wrong with a value under one of HealthKit's keys; `nil` when nothing is.
  static func complaint(about value: Value, under key: String) -> String? {
    let wanted: String
    switch (key, value) {
    case (Key.syncIdentifier, .string(let text)), (Key.timeZone, .string(let text)),
      (Key.externalUUID, .string(let text)):
      guard text.isEmpty else { return nil }
      wanted = "a text that is not empty"
    case (Key.syncIdentifier, _), (Key.timeZone, _), (Key.externalUUID, _): wanted = "a text"
    case (Key.syncVersion, .number), (Key.algorithmVersion, _), (Key.wasUserEntered, .bool): return nil
    case (Key.syncVersion, _): wanted = "a number"
    case (Key.wasUserEntered, _): wanted = "true or false"
    case (Key.heartRateMotionContext, .number(0)), (Key.heartRateMotionContext, .number(1)),
      (Key.heartRateMotionContext, .number(2)):
      return nil
    case (Key.heartRateMotionContext, _): wanted = "0 (not set), 1 (sedentary) or 2 (active)"
    case (Key.heartRateSensorLocation, .number(let number))
    where Int(exactly: number).flatMap(SensorLocation.init) != nil:
      return nil
    case (Key.heartRateSensorLocation, _):
      wanted = "0 (other), 1 (chest), 2 (wrist), 3 (finger), 4 (hand), 5 (ear lobe) or 6 (foot)"
    default: return nil
    }
    return "\(constant(key)) must be \(wanted)"
  }
}
