/// A type of quantity that can be recorded and stored, with its HealthKit identifier.
package struct QuantityType: Hashable, Sendable, CustomStringConvertible {
  // Shared by reference, because samples by the million refer to a type.
  private final class Definition: Sendable {
    let identifier: String
    let healthKitIdentifier: String
    let aggregationStyle: AggregationStyle
    let canonicalUnit: Unit
    let defaultUnit: Unit
    let allowsNegative: Bool
    let isUserDefined: Bool
    let isWaveform: Bool
    let plausible: ClosedRange<Double>?
    let plausibleShown: ClosedRange<Double>?
    let typical: ClosedRange<Double>?
    let channelName: String

    init(
      _ identifier: String, _ healthKitIdentifier: String, _ aggregationStyle: AggregationStyle, canonicalUnit: Unit,
      defaultUnit: Unit, allowsNegative: Bool, isUserDefined: Bool, plausible: ClosedRange<Double>?,
      typical: ClosedRange<Double>? = nil, channelName: String? = nil, isWaveform: Bool = false
    ) {
      self.isWaveform = isWaveform
      self.identifier = identifier
      self.healthKitIdentifier = healthKitIdentifier
      self.aggregationStyle = aggregationStyle
      self.canonicalUnit = canonicalUnit
      self.defaultUnit = defaultUnit
      self.allowsNegative = allowsNegative
      self.isUserDefined = isUserDefined
      self.typical = typical
      self.channelName = channelName ?? identifier
      plausibleShown = plausible
      self.plausible = plausible.map {
        defaultUnit.convert($0.lowerBound, to: canonicalUnit)...defaultUnit.convert($0.upperBound, to: canonicalUnit)
      }
    }
  }

  private let definition: Definition

  /// The name in protocols and commands: `heartRate`.
  package var identifier: String { definition.identifier }

  /// HealthKit's identifier: `HKQuantityTypeIdentifierHeartRate`; for types unknown to HealthKit, ours in the same
  /// form.
  package var healthKitIdentifier: String { definition.healthKitIdentifier }

  /// How its samples are aggregated.
  package var aggregationStyle: AggregationStyle { definition.aggregationStyle }

  /// The unit in which values are stored.
  package var canonicalUnit: Unit { definition.canonicalUnit }

  /// The unit for display, and the default unit of recorders.
  package var defaultUnit: Unit { definition.defaultUnit }

  /// Whether it is a waveform such as an electrocardiogram, whose samples follow each other at a rate of their own.
  package var isWaveform: Bool { definition.isWaveform }

  /// Whether it is a waveform in the sensor's arbitrary unit.
  package var isOfArbitraryUnit: Bool { isWaveform && canonicalUnit == .count }

  /// Whether values can be negative.
  var allowsNegative: Bool { definition.allowsNegative }

  /// The physiologically plausible values in the canonical unit; `nil` if unknown.
  ///
  /// Measured values outside are kept, and flagged.
  package var plausible: ClosedRange<Double>? { definition.plausible }

  /// The physiologically plausible values in the default unit, as they are declared; `nil` if unknown.
  package var plausibleInDefaultUnit: ClosedRange<Double>? { definition.plausibleShown }

  /// The names in protocols and commands: the channel's and the identifier.
  package var names: [String] { channelName == identifier ? [identifier] : [channelName, identifier] }

  /// The values of a resting adult, in the default unit; `nil` if unknown.
  package var typical: ClosedRange<Double>? { definition.typical }

  /// The name of a sensor's channel of this quantity: the identifier, unless the field has another word for it.
  package var channelName: String { definition.channelName }

  /// Whether a value in the canonical unit is physiologically plausible, as far as limits are known.
  func isPlausible(_ value: Double) -> Bool { definition.plausible?.contains(value) ?? true }

  /// Whether a value in some unit is physiologically plausible, as far as limits are known.
  package func isPlausible(_ value: Double, in unit: Unit) -> Bool {
    // Without rounding where the limits are declared.
    unit == defaultUnit
      ? definition.plausibleShown?.contains(value) ?? true : isPlausible(unit.convert(value, to: canonicalUnit))
  }

  /// Whether the type is not in ``all``.
  package var isUserDefined: Bool { definition.isUserDefined }

  /// Creates a predefined type.
  ///
  /// - Parameters:
  ///   - identifier: the short name.
  ///   - style: how its samples are aggregated.
  ///   - unit: the canonical unit.
  ///   - defaultUnit: the display unit, if different.
  ///   - healthKit: HealthKit's identifier, if it does not follow from the short name.
  ///   - plausible: the physiologically plausible values, in the display unit.
  ///   - typical: the values of a resting adult, in the display unit.
  init(
    _ identifier: String, _ style: AggregationStyle, _ unit: Unit, defaultUnit: Unit? = nil, healthKit: String? = nil,
    plausible: ClosedRange<Double>, typical: ClosedRange<Double>? = nil
  ) {
    definition = Definition(
      identifier, healthKit ?? Self.healthKitIdentifier("HK", identifier), style, canonicalUnit: unit,
      defaultUnit: defaultUnit ?? unit, allowsNegative: false, isUserDefined: false, plausible: plausible,
      typical: typical)
  }

  /// Creates the type of a row of the table of further types.
  init(_ row: FurtherType, named name: String) throws(QuantityError) {
    let unit = try Unit(row.unit)
    let shown = try row.shown.map { symbol throws(QuantityError) in try Unit(symbol) }
    definition = Definition(
      FurtherType.shortName(name), "\(row.isOwn ? "Station" : "HK")QuantityTypeIdentifier\(name)", row.style,
      canonicalUnit: unit, defaultUnit: shown ?? unit, allowsNegative: true, isUserDefined: true,
      plausible: row.plausible, typical: row.typical, channelName: row.channel, isWaveform: row.isWaveform)
  }

  /// Creates a user-defined type.
  ///
  /// - Parameters:
  ///   - identifier: the short name: a lower-case letter, then letters and digits, at most 64; not a name in ``all``.
  ///   - aggregationStyle: how its samples are aggregated.
  ///   - unit: the canonical unit.
  ///   - healthKitIdentifier: a name in HealthKit's form, such as `HKQuantityTypeIdentifierBloodGlucose`; by default
  ///     `StationQuantityTypeIdentifier` and the short name.
  ///   - plausible: the physiologically plausible values, in that unit.
  /// - Throws: ``QuantityError/quantityType(_:reason:)`` if a name breaks these rules or is taken, and if the unit's
  ///   dimension does not suit the aggregation style.
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

  /// Whether both have the same definition.
  package static func == (left: QuantityType, right: QuantityType) -> Bool {
    left.definition === right.definition
      || left.identifier == right.identifier && left.healthKitIdentifier == right.healthKitIdentifier
        && left.aggregationStyle == right.aggregationStyle && left.canonicalUnit == right.canonicalUnit
  }

  /// Hashes the identifier, which distinguishes nearly all types.
  package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  package var description: String { identifier }
}

/// How the samples of a quantity type are aggregated, as in HealthKit.
package enum AggregationStyle: String, Hashable, Sendable, CaseIterable {
  /// Sum: steps, energy.
  case cumulative
  /// Arithmetic mean: body mass.
  case discreteArithmetic
  /// Time-weighted mean: heart rate.
  case discreteTemporallyWeighted
  /// Equivalent continuous sound level, which has the same energy: sound exposure.
  case discreteEquivalentContinuousLevel

  /// Whether samples have a sum, rather than a mean, minimum and maximum.
  package var isCumulative: Bool { self == .cumulative }
}
