package import Basics
package import Quantities

/// What a store knows of a person's energy on one day.
package struct EnergyRecords: Sendable {
  /// The energy of what was eaten; `nil` without records.
  package let consumed: Quantity?
  /// The active energy; `nil` without records.
  package let active: Quantity?
  /// The latest height.
  let height: QuantitySample?
  /// The latest body mass.
  let bodyMass: QuantitySample?
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

/// The energy of a participant on one day, with what it was computed from.
package struct EnergyReport: Sendable {
  private let balance: EnergyBalance
  private let known: [(key: String, words: String, sample: QuantitySample)]
  private let date: String
  private let zone: TimeZone
  private let formula: RestingEnergyFormula
  private let participant: String?
  private let isUnfinished: Bool
  private let simulated: SimulatedSamples

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - balance: the energy.
  ///   - records: what the store knows of the day.
  ///   - date: the day.
  ///   - zone: the zone of the day.
  ///   - formula: the formula of the resting energy.
  ///   - participant: the participant; `nil` for the whole store.
  ///   - isUnfinished: whether the day has not ended yet.
  package init(
    balance: EnergyBalance, records: EnergyRecords, date: String, zone: TimeZone, formula: RestingEnergyFormula,
    participant: String?, isUnfinished: Bool
  ) {
    self.balance = balance
    known = [("bodyMass", "body mass", records.bodyMass), ("height", "height", records.height)].compactMap {
      key, words, sample in sample.map { (key, words, $0) }
    }
    simulated = records.simulated
    (self.date, self.zone, self.formula) = (date, zone, formula)
    (self.participant, self.isUnfinished) = (participant, isUnfinished)
  }

  private var parts: [(name: String, energy: Quantity)] {
    [
      ("consumed", balance.consumed), ("active", balance.active), ("resting", balance.resting), ("net", balance.net),
    ]
  }

  /// The report as JSON.
  package func json(in unit: Unit) throws -> JSONValue {
    var members: [String: JSONValue] = [
      "date": .string(date), "timeZone": .string("\(zone)"), "formula": .string(formula.rawValue),
      "unit": .string("\(unit)"), "participant": .text(participant),
      "simulatedSamples": .integer(simulated.included),
    ]
    for part in parts { members[part.name] = .number(try part.energy.value(in: unit)) }
    for one in known { members[one.key] = try one.sample.json(zone) }
    return .object(members)
  }

  /// The report for people.
  package func lines(in style: EnergyStyle) throws -> [String] {
    let amounts = try parts.map { part in
      let text = try part.energy.energyText(in: style, isSigned: part.name == "net")
      return "\(part.name.padded(to: 10)) \(text.padded(to: 12, isRight: true))"
    }
    let basis = try known.map { "\($0.words) \(try $0.sample.valueText) of \(zone.text($0.sample.start).prefix(10))" }
    let heading = "energy of \(date), \(zone)" + (participant.map { ", participant \($0)" } ?? "")
    return [heading] + [simulated.mark].compactMap(\.self) + amounts + [
      "net = consumed − active − resting; resting by \(formula.rawValue)" + (isUnfinished ? ", up to now" : "")
        + ", with \(basis.joined(separator: " and "))"
    ]
  }
}
