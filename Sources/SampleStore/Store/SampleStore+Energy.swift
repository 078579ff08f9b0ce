package import Basics
package import Quantities

/// What a store knows of a person's energy on one day.
package struct EnergyRecords: Sendable {
  /// The energy of what was eaten; `nil` without records.
  package let consumed: Quantity?
  /// The active energy; `nil` without records.
  package let active: Quantity?
  /// The latest height.
  package let height: QuantitySample?
  /// The latest body mass.
  package let bodyMass: QuantitySample?
  /// What the resting energy depends on.
  package let profile: EnergyProfile
  /// The samples of simulated sensors among these records.
  package let simulated: SimulatedSamples
}

extension SampleStore {
  /// The energy records of a day.
  ///
  /// Sums are of the samples that start on the day, as with the tutorial's predicate.
  ///
  /// - Parameters:
  ///   - participant: the participant; `nil` for the whole store.
  ///   - start: the start of the day.
  ///   - end: its end.
  ///   - time: when height and body mass had to be known.
  ///   - includesSimulated: whether samples of simulated sensors are taken.
  /// - Returns: the records.
  /// - Throws: the store's errors.
  package func energyRecords(
    of participant: String?, from start: WallTime, to end: WallTime, knownBy time: WallTime,
    includesSimulated: Bool = false
  ) async throws -> EnergyRecords {
    let conditions = MetadataCondition.participant(participant)
    var day = SamplePredicate(start: start, end: end, options: .strictStartDate, metadata: conditions)
    var known = SamplePredicate(end: time.advanced(by: .microseconds(1)), metadata: conditions)
    (day.includesSimulated, known.includesSimulated) = (includesSimulated, includesSimulated)
    let (consumed, active) = (try await sum(.dietaryEnergyConsumed, day), try await sum(.activeEnergyBurned, day))
    let height = try await mostRecent(of: .height, matching: known)
    let bodyMass = try await mostRecent(of: .bodyMass, matching: known)
    let person = try await characteristics(of: participant ?? "")
    return EnergyRecords(
      consumed: consumed, active: active, height: height, bodyMass: bodyMass,
      profile: EnergyProfile(
        dateOfBirth: person.dateOfBirth, biologicalSex: person.biologicalSex, height: height?.quantity,
        bodyMass: bodyMass?.quantity),
      simulated: try await countSimulated([
        (.dietaryEnergyConsumed, day), (.activeEnergyBurned, day), (.height, known), (.bodyMass, known),
      ]))
  }

  private func sum(_ type: QuantityType, _ predicate: SamplePredicate) async throws -> Quantity? {
    do {
      return try await statistics(of: type, matching: predicate, options: .cumulativeSum).overall.sum
    } catch {
      guard (error as? StoreError)?.code == .noData else { throw error }
      return nil
    }
  }
}

extension MetadataCondition {
  /// The condition for samples of a participant; none for `nil`.
  package static func participant(_ code: String?) -> [MetadataCondition] {
    code.map { [.allowed(Metadata.Key.participant, [.string($0)])] } ?? []
  }
}
