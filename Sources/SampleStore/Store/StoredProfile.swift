package import Basics
import Quantities

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
