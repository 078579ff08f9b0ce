package import Basics
package import Quantities

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
