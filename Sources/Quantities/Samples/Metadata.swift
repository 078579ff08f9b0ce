package import Basics

/// Additional information about a sample: values under HealthKit's keys or any others.
package struct Metadata: Hashable, Sendable {
  /// A value of one of the kinds that HealthKit supports.
  package enum Value: Hashable, Sendable {
    case string(String)
    /// A finite number.
    case number(Double)
    case bool(Bool)
    /// A wall-clock time.
    case date(WallTime)
    /// A quantity with its unit.
    case quantity(Quantity)
  }

  /// The values by key.
  package let values: [String: Value]

  package init() { values = [:] }

  /// Creates metadata with values.
  ///
  /// - Throws: an error if a number is not finite, if a time lies outside the years 1 to 9999, if a sync identifier or
  ///   version comes without the other, and if a key that HealthKit defines has a value of another kind.
  package init(_ values: [String: Value]) throws(QuantityError) {
    for key in values.keys.sorted() {
      guard let value = values[key] else { continue }
      if case .number(let number) = value, !number.isFinite { throw .notFinite(number, of: "“\(key)” in the metadata") }
      if case .date(let time) = value, !(WallTime.earliest...WallTime.latest).contains(time) {
        throw .metadata(key: key, reason: "“\(key)” in the metadata is \(time.precise), outside of the years 1 to 9999")
      }
      if let problem = Self.problem(with: value, under: key) { throw .metadata(key: key, reason: problem) }
    }
    let pair = [Key.syncIdentifier, Key.syncVersion]
    for (key, other) in [(pair[0], pair[1]), (pair[1], pair[0])] where values[key] != nil && values[other] == nil {
      throw .metadata(
        key: key,
        reason: "\(Self.constant(key)) may not be provided if \(Self.constant(other)) is not provided in the metadata")
    }
    self.values = values
  }

  /// The value under a key.
  package subscript(key: String) -> Value? { values[key] }

  /// Whether there are no values.
  package var isEmpty: Bool { values.isEmpty }
}

extension Metadata {
  /// HealthKit's metadata keys, as in samples and exports, and the station's key for the participant.
  package enum Key: Sendable {
    /// The motion context: `0`, `1` or `2`.
    package static let heartRateMotionContext = "HKMetadataKeyHeartRateMotionContext"
    /// The sensor's location on the body: `0` to `6`.
    package static let heartRateSensorLocation = "HKHeartRateSensorLocation"
    /// The identifier that all versions of a replaceable sample share.
    package static let syncIdentifier = "HKMetadataKeySyncIdentifier"
    /// The version of a sample with a sync identifier; a higher one replaces a lower one.
    package static let syncVersion = "HKMetadataKeySyncVersion"
    /// The time zone of the measurement: `Europe/Amsterdam`.
    package static let timeZone = "HKTimeZone"
    /// Whether a person entered the value manually.
    package static let wasUserEntered = "HKWasUserEntered"
    /// The sample's identifier in another system.
    package static let externalUUID = "HKExternalUUID"
    /// The version of the algorithm that computed it.
    package static let algorithmVersion = "HKAlgorithmVersion"
    /// The name of the food, which distinguishes simultaneous samples of equal energy.
    package static let foodType = "HKFoodType"
    /// The participant's code.
    package static let participant = "station.participant"
  }

  /// The person's activity during a heart rate measurement.
  package enum MotionContext: Int, Sendable, CaseIterable, NamedInJSON {
    case notSet = 0
    /// At rest for at least five minutes.
    case sedentary = 1
    case active = 2

    /// The name of the case, as used in files: `sedentary`.
    package var name: String { "\(self)" }

    package init?(name: String) {
      guard let context = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = context
    }
  }

  /// The location of a heart rate sensor, numbered like Bluetooth's body sensor locations.
  package enum SensorLocation: Int, Sendable, CaseIterable, NamedInJSON {
    case other = 0
    case chest = 1
    case wrist = 2
    case finger = 3
    case hand = 4
    case earLobe = 5
    case foot = 6

    /// The name of the case, as used in files: `earLobe`.
    package var name: String { "\(self)" }

    package init?(name: String) {
      guard let location = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = location
    }
  }

  /// The motion context; `notSet` by default, as in HealthKit.
  var motionContext: MotionContext {
    whole(Key.heartRateMotionContext).flatMap(MotionContext.init) ?? .notSet
  }

  /// The sensor's location on the body; `nil` if unknown.
  var sensorLocation: SensorLocation? { whole(Key.heartRateSensorLocation).flatMap(SensorLocation.init) }

  /// The sync identifier and version; `nil` for a sample that is never replaced.
  package var sync: (identifier: String, version: Double)? {
    guard case .string(let identifier) = self[Key.syncIdentifier], case .number(let version) = self[Key.syncVersion]
    else { return nil }
    return (identifier, version)
  }

  /// The time zone of the measurement; `nil` if unknown.
  var timeZone: String? {
    guard case .string(let name) = self[Key.timeZone] else { return nil }
    return name
  }

  /// The participant's code; `nil` if unknown.
  package var participant: String? {
    guard case .string(let code) = self[Key.participant] else { return nil }
    return code
  }

  /// Whether a person entered the value manually.
  var wasUserEntered: Bool { self[Key.wasUserEntered] == .bool(true) }

  private func whole(_ key: String) -> Int? {
    guard case .number(let number) = self[key] else { return nil }
    return Int(exactly: number)
  }

  /// The constant's name in HealthKit's headers, for messages.
  static func constant(_ key: String) -> String {
    key.hasPrefix("HKMetadataKey") ? key : "HKMetadataKey" + key.dropFirst(2)
  }

  /// The problem with a value under one of HealthKit's keys; `nil` if it is valid.
  static func problem(with value: Value, under key: String) -> String? {
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

/// The codes of participants and sessions in a study.
package enum StudyCode: Sendable {
  /// Whether a text is a valid code: letters, digits and `+`, at most 64.
  ///
  /// The restriction keeps names and addresses of people out of results, and makes codes valid BIDS labels.
  package static func isLegal(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "+")
      }
  }
}

extension StudyCode {
  /// Why a text is not a valid code, with one that could be used instead; `nil` for a valid code.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - option: what the code is of: `participant`, `session`.
  /// - Returns: the reason.
  package static func problem(with text: String, of option: String) -> String? {
    guard !isLegal(text) else { return nil }
    guard text.utf8.count <= 64 else { return "\(text.utf8.count) bytes; at most 64 characters are allowed" }
    let allowed = "ASCII letters, digits and + are allowed"
    guard let wrong = text.first(where: { !isLegal(String($0)) }) else { return allowed }
    let why = "-_".contains(wrong) ? ", which separates the parts of a BIDS file name (sub-01_ses-2_task-rest)" : ""
    let key = ["participant": "sub-", "session": "ses-"][option].flatMap { text.hasPrefix($0) ? $0 : nil } ?? ""
    let better = String(text.dropFirst(key.count).filter { isLegal(String($0)) })
    let advice = better.isEmpty ? "" : "; for example --\(option) \(better)"
    return "it contains “\(String(wrong).visible)”\(why); \(allowed)\(advice)"
  }
}
