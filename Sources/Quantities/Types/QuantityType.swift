/// A kind of quantity that can be recorded and kept, with HealthKit's identifier for it.
package struct QuantityType: Hashable, Sendable, CustomStringConvertible {
  // Samples by the million have one; they share what it says.
  private final class Definition: Sendable {
    let identifier: String
    let healthKitIdentifier: String
    let aggregationStyle: AggregationStyle
    let canonicalUnit: Unit
    let defaultUnit: Unit
    let allowsNegative: Bool
    let isUserDefined: Bool
    let plausible: ClosedRange<Double>?

    init(
      _ identifier: String, _ healthKitIdentifier: String, _ aggregationStyle: AggregationStyle, canonicalUnit: Unit,
      defaultUnit: Unit, allowsNegative: Bool, isUserDefined: Bool, plausible: ClosedRange<Double>?
    ) {
      self.identifier = identifier
      self.healthKitIdentifier = healthKitIdentifier
      self.aggregationStyle = aggregationStyle
      self.canonicalUnit = canonicalUnit
      self.defaultUnit = defaultUnit
      self.allowsNegative = allowsNegative
      self.isUserDefined = isUserDefined
      self.plausible = plausible.map {
        defaultUnit.convert($0.lowerBound, to: canonicalUnit)...defaultUnit.convert($0.upperBound, to: canonicalUnit)
      }
    }
  }

  private let definition: Definition

  /// The name that protocols and commands use: `heartRate`.
  package var identifier: String { definition.identifier }

  /// HealthKit's name: `HKQuantityTypeIdentifierHeartRate`; ours, in the same form, where HealthKit has none.
  package var healthKitIdentifier: String { definition.healthKitIdentifier }

  /// How its samples are summed up.
  package var aggregationStyle: AggregationStyle { definition.aggregationStyle }

  /// The unit in which samples hold their values.
  package var canonicalUnit: Unit { definition.canonicalUnit }

  /// The unit in which people are told values, and in which a recorder writes unless it is told another.
  package var defaultUnit: Unit { definition.defaultUnit }

  /// Whether a value can be below zero.
  package var allowsNegative: Bool { definition.allowsNegative }

  /// The values that people can have, in the canonical unit; `nil` where nothing is known.
  ///
  /// What lies outside is kept where it was measured, and pointed out.
  package var plausible: ClosedRange<Double>? { definition.plausible }

  /// Whether a value in the canonical unit is one that people can have, as far as is known.
  package func isPlausible(_ value: Double) -> Bool { definition.plausible?.contains(value) ?? true }

  /// Whether it is none of ``all``.
  package var isUserDefined: Bool { definition.isUserDefined }

  /// A type of HealthKit's or of ours.
  ///
  /// - Parameters:
  ///   - identifier: its short name.
  ///   - style: how its samples are summed up.
  ///   - unit: its canonical unit.
  ///   - defaultUnit: the unit for people, where it is another.
  ///   - healthKit: HealthKit's identifier where it is not made of the short name.
  ///   - plausible: the values that people can have, in the unit for people.
  init(
    _ identifier: String, _ style: AggregationStyle, _ unit: Unit, defaultUnit: Unit? = nil, healthKit: String? = nil,
    plausible: ClosedRange<Double>
  ) {
    definition = Definition(
      identifier, healthKit ?? Self.healthKitIdentifier("HK", identifier), style, canonicalUnit: unit,
      defaultUnit: defaultUnit ?? unit, allowsNegative: false, isUserDefined: false, plausible: plausible)
  }

  /// A type that a user defines.
  ///
  /// - Parameters:
  ///   - identifier: its short name: a small letter, then letters and digits, 64 at most; no name of ``all``.
  ///   - aggregationStyle: how its samples are summed up.
  ///   - unit: the unit in which samples hold their values.
  ///   - healthKitIdentifier: a name in HealthKit's form, such as `HKQuantityTypeIdentifierBloodGlucose`; without it,
  ///     `StationQuantityTypeIdentifier` and the short name.
  ///   - plausible: the values that people can have, in that unit.
  /// - Throws: ``QuantityError/quantityType(_:reason:)`` when a name breaks these rules or is taken, and when the unit
  ///   has no dimension that the style can sum up.
  package init(
    userDefined identifier: String, aggregationStyle: AggregationStyle, unit: Unit, healthKitIdentifier: String? = nil,
    plausible: ClosedRange<Double>? = nil
  ) throws(QuantityError) {
    guard Self.isName(identifier[...], startsWithCapital: false) else {
      throw .quantityType(identifier, reason: "a name is a small letter, then letters and digits, 64 at most")
    }
    let long = healthKitIdentifier ?? Self.healthKitIdentifier("Station", identifier)
    if let healthKitIdentifier {
      let parts = healthKitIdentifier.split(separator: "QuantityTypeIdentifier", maxSplits: 1)
      guard parts.count == 2, parts.allSatisfy({ Self.isName($0, startsWithCapital: true) }) else {
        throw .quantityType(
          healthKitIdentifier, reason: "such a name has the form of “HKQuantityTypeIdentifierBloodGlucose”")
      }
    }
    for name in [identifier, long] {
      if let type = Self(name) { throw .quantityType(name, reason: "that name is taken by the station's \(type)") }
    }
    if aggregationStyle == .discreteEquivalentContinuousLevel, unit.dimension != Self.soundLevel {
      throw .quantityType(
        identifier, reason: "an equivalent continuous level is one of sound, in dBASPL, not in \(unit)")
    }
    definition = Definition(
      identifier, long, aggregationStyle, canonicalUnit: unit, defaultUnit: unit, allowsNegative: true,
      isUserDefined: true, plausible: plausible)
  }

  private static let soundLevel = Unit.decibelAWeightedSoundPressureLevel.dimension

  private static func healthKitIdentifier(_ prefix: String, _ identifier: String) -> String {
    "\(prefix)QuantityTypeIdentifier\(identifier.prefix(1).uppercased())\(identifier.dropFirst())"
  }

  private static func isName(_ text: Substring, startsWithCapital: Bool) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    let letters = startsWithCapital ? UInt8(ascii: "A")...UInt8(ascii: "Z") : UInt8(ascii: "a")...UInt8(ascii: "z")
    return letters.contains(first)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: false
        }
      }
  }

  /// Whether both say the same.
  package static func == (left: QuantityType, right: QuantityType) -> Bool {
    left.definition === right.definition
      || left.identifier == right.identifier && left.healthKitIdentifier == right.healthKitIdentifier
        && left.aggregationStyle == right.aggregationStyle && left.canonicalUnit == right.canonicalUnit
  }

  /// Hashes what tells types apart nearly always.
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// The identifier.
  package var description: String { identifier }
}
