package import Basics
package import Quantities

/// A participant's characteristics, which do not change from sample to sample, as in HealthKit.
package struct Characteristics: Hashable, Sendable {
  /// The day of birth; `nil` if it is not set.
  package var dateOfBirth: CalendarDate?

  package var biologicalSex: BiologicalSex

  package init(dateOfBirth: CalendarDate? = nil, biologicalSex: BiologicalSex = .notSet) {
    self.dateOfBirth = dateOfBirth
    self.biologicalSex = biologicalSex
  }
}

extension SampleStore {
  /// A participant's characteristics; for the operator only.
  ///
  /// - Parameter person: the participant's code; empty for a store of one person.
  /// - Returns: the stored values; `nil` and `notSet` for the others.
  /// - Throws: ``StoreError``.
  func characteristics(of person: String = "") async throws -> Characteristics {
    try requireOperator()
    return try await core.characteristics(of: person)
  }

  /// Replaces a participant's characteristics; for the operator only.
  ///
  /// - Throws: ``StoreError`` for a code above 1024 bytes.
  package func setCharacteristics(_ characteristics: Characteristics, of person: String = "") async throws {
    try await changeCharacteristics(of: person) { $0 = characteristics }
  }

  /// Updates a participant's characteristics without losing concurrent changes of other processes; for the operator
  /// only.
  ///
  /// - Parameters:
  ///   - person: the participant's code; empty for a store of one person.
  ///   - change: modifies the stored characteristics; it may run several times.
  /// - Throws: ``StoreError`` for a code above 1024 bytes.
  package func changeCharacteristics(
    of person: String = "", _ change: @escaping @Sendable (inout Characteristics) -> Void
  ) async throws {
    try requireOperator()
    try SampleRules.check(person, "the person's code", mayBeEmpty: true)
    try await core.changeCharacteristics(of: person, change)
  }
}

extension StoreCore {
  private enum Key {
    static let dateOfBirth = "HKCharacteristicTypeIdentifierDateOfBirth"
    static let biologicalSex = "HKCharacteristicTypeIdentifierBiologicalSex"
  }

  func characteristics(of person: String) throws -> Characteristics {
    try reading { try known(of: person) }
  }

  private func known(of person: String) throws -> Characteristics {
    let values = try engine.characteristics(person)
    return Characteristics(
      dateOfBirth: values[Key.dateOfBirth].flatMap { CalendarDate($0) },
      biologicalSex: values[Key.biologicalSex].flatMap { BiologicalSex(rawValue: $0) } ?? .notSet)
  }

  func changeCharacteristics(of person: String, _ change: (inout Characteristics) -> Void) throws {
    try writing {
      var characteristics = try known(of: person)
      change(&characteristics)
      try engine.set(Key.dateOfBirth, of: person, to: characteristics.dateOfBirth.map { "\($0)" })
      let sex = characteristics.biologicalSex
      try engine.set(Key.biologicalSex, of: person, to: sex == .notSet ? nil : sex.rawValue)
    }
  }
}

/// What a store knows of a person: characteristics, and the latest height and body mass.
package struct StoredProfile: Sendable {
  private let participant: String?
  private let characteristics: Characteristics
  private let measured: [(words: String, type: QuantityType, sample: QuantitySample?)]

  /// The samples of simulated sensors among those of height and body mass.
  package let simulated: SimulatedSamples

  fileprivate init(
    _ participant: String?, _ characteristics: Characteristics,
    _ measured: [(words: String, type: QuantityType, sample: QuantitySample?)], _ simulated: SimulatedSamples
  ) {
    (self.participant, self.characteristics, self.measured) = (participant, characteristics, measured)
    self.simulated = simulated
  }

  private var dateOfBirth: String? { characteristics.dateOfBirth.map { "\($0)" } }

  private var sex: String? {
    characteristics.biologicalSex == .notSet ? nil : characteristics.biologicalSex.rawValue
  }

  /// The profile as JSON, with times in a zone.
  package func json(_ zone: TimeZone) throws -> JSONValue {
    var members: [String: JSONValue] = [
      "participant": .text(participant), "dateOfBirth": .text(dateOfBirth), "biologicalSex": .text(sex),
      "simulatedSamples": .integer(simulated.included),
    ]
    for (_, type, sample) in measured { members[type.identifier] = try sample?.json(zone) ?? .null }
    return .object(members)
  }

  /// The profile for people, with times in a zone.
  package func lines(_ zone: TimeZone) throws -> [String] {
    var lines = (participant.map { ["participant \($0)"] } ?? []) + [simulated.mark].compactMap(\.self)
    lines += ["date of birth: \(dateOfBirth ?? "not set")", "biological sex: \(sex ?? "not set")"]
    for (words, _, sample) in measured {
      let value = try sample.map { "\(try $0.valueText), \(zone.short($0.start))" }
      lines.append("\(words): \(value ?? "not logged")")
    }
    return lines
  }
}

extension SampleStore {
  /// The profile of a participant; for `nil` of the person whose data have no participant.
  ///
  /// - Parameters:
  ///   - participant: the participant.
  ///   - includesSimulated: whether samples of simulated sensors are taken.
  /// - Returns: the profile.
  /// - Throws: the store's errors.
  package func profile(of participant: String?, includesSimulated: Bool = false) async throws -> StoredProfile {
    var predicate = SamplePredicate(metadata: MetadataCondition.participant(participant))
    predicate.includesSimulated = includesSimulated
    let height = try await mostRecent(of: .height, matching: predicate)
    let bodyMass = try await mostRecent(of: .bodyMass, matching: predicate)
    return StoredProfile(
      participant, try await characteristics(of: participant ?? ""),
      [("height", .height, height), ("body mass", .bodyMass, bodyMass)],
      try await countSimulated([(.height, predicate), (.bodyMass, predicate)]))
  }
}

extension QuantitySample {
  /// The value in the type's default unit, for people: `170 cm`.
  package var valueText: String {
    get throws { "\(try value(in: type.defaultUnit).brief) \(type.defaultUnit)" }
  }

  /// The value in the type's default unit and the time, as JSON.
  func json(_ zone: TimeZone) throws -> JSONValue {
    [
      "value": .number(try value(in: type.defaultUnit)), "unit": .string("\(type.defaultUnit)"),
      "startDate": .string(zone.precise(start)),
    ]
  }
}
