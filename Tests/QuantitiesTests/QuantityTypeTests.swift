import Testing

@testable import Quantities

@Suite("Quantity types")
struct QuantityTypeTests {
  @Test("Every quantity type is read by both its names, and only as they are written", arguments: QuantityType.all)
  func names(type: QuantityType) throws {
    #expect(QuantityType(type.identifier) == type)
    #expect(QuantityType(type.healthKitIdentifier) == type)
    #expect(type.description == type.identifier)
    #expect(QuantityType(type.identifier.uppercased()) == nil)
    #expect(type.canonicalUnit.isCompatible(with: type.defaultUnit))
    #expect(try Unit(type.canonicalUnit.symbol) == type.canonicalUnit)
    #expect(!type.isUserDefined && !type.allowsNegative)
  }

  @Test(
    "Types have HealthKit's identifiers, canonical units and ways of summing up",
    arguments: [
      ("heartRate", "HKQuantityTypeIdentifierHeartRate", "count/s", .discreteTemporallyWeighted),
      ("restingHeartRate", "HKQuantityTypeIdentifierRestingHeartRate", "count/min", .discreteArithmetic),
      ("rrInterval", "StationQuantityTypeIdentifierRRInterval", "ms", .discreteArithmetic),
      ("heartRateVariabilitySDNN", "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms", .discreteArithmetic),
      ("oxygenSaturation", "HKQuantityTypeIdentifierOxygenSaturation", "%", .discreteArithmetic),
      ("stepCount", "HKQuantityTypeIdentifierStepCount", "count", .cumulative),
      ("activeEnergyBurned", "HKQuantityTypeIdentifierActiveEnergyBurned", "kcal", .cumulative),
      ("basalEnergyBurned", "HKQuantityTypeIdentifierBasalEnergyBurned", "kcal", .cumulative),
      ("dietaryEnergyConsumed", "HKQuantityTypeIdentifierDietaryEnergyConsumed", "kcal", .cumulative),
      ("bodyMass", "HKQuantityTypeIdentifierBodyMass", "kg", .discreteArithmetic),
      ("height", "HKQuantityTypeIdentifierHeight", "m", .discreteArithmetic),
      (
        "environmentalAudioExposure", "HKQuantityTypeIdentifierEnvironmentalAudioExposure", "dBASPL",
        .discreteEquivalentContinuousLevel
      ),
    ] as [(String, String, String, AggregationStyle)])
  func known(name: String, healthKit: String, unit: String, style: AggregationStyle) throws {
    let type = try #require(QuantityType(healthKit))
    #expect(type.identifier == name)
    #expect(type.healthKitIdentifier == healthKit)
    #expect(type.canonicalUnit.symbol == unit)
    #expect(type.aggregationStyle == style)
    #expect(style.isCumulative == (style == .cumulative))
  }

  @Test("A user defines a type by its name, its unit and how it sums up")
  func userDefined() throws {
    let unit = try Unit("mcS")
    let type = try QuantityType(
      userDefined: "skinConductance", aggregationStyle: .discreteTemporallyWeighted, unit: unit)
    #expect(type.identifier == "skinConductance")
    #expect(type.healthKitIdentifier == "StationQuantityTypeIdentifierSkinConductance")
    #expect(type.canonicalUnit == unit && type.defaultUnit == unit && type.isUserDefined)
    #expect(
      try type
        == QuantityType(userDefined: "skinConductance", aggregationStyle: .discreteTemporallyWeighted, unit: unit))
    #expect(
      try type != QuantityType(userDefined: "skinConductance", aggregationStyle: .discreteArithmetic, unit: unit))
    let glucose = try QuantityType(
      userDefined: "bloodGlucose", aggregationStyle: .discreteArithmetic, unit: Unit("mg/dL"),
      healthKitIdentifier: "HKQuantityTypeIdentifierBloodGlucose")
    #expect(glucose.healthKitIdentifier == "HKQuantityTypeIdentifierBloodGlucose")
  }

  @Test(
    "A user-defined type whose name breaks the rules or is taken is refused",
    arguments: [
      ("", nil, "a name is a small letter"), ("SkinConductance", nil, "a name is a small letter"),
      ("skin-conductance", nil, "a name is a small letter"), ("hauť", nil, "a name is a small letter"),
      ("s'; DROP TABLE samples; --", nil, "a name is a small letter"), (String(repeating: "s", count: 65), nil, "64"),
      ("heartRate", nil, "taken by the station's heartRate"), ("rRInterval", nil, "taken by the station's rrInterval"),
      ("pulse", "HKQuantityTypeIdentifierHeartRate", "taken by the station's heartRate"),
      ("pulse", "HeartRate", "has the form of"), ("pulse", "HKQuantityTypeIdentifier", "has the form of"),
      ("pulse", "HKQuantityTypeIdentifierpulse", "has the form of"),
      ("pulse", "HKQuantityTypeIdentifierA b", "has the form of"),
    ] as [(String, String?, String)])
  func refused(name: String, healthKit: String?, reason: String) {
    let error = #expect(throws: QuantityError.self) {
      try QuantityType(
        userDefined: name, aggregationStyle: .discreteArithmetic, unit: .second, healthKitIdentifier: healthKit)
    }
    #expect(error?.description.hasPrefix("Invalid HKQuantityType identifier ") == true)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("An equivalent continuous level is one of sound")
  func level() throws {
    let style = AggregationStyle.discreteEquivalentContinuousLevel
    #expect(throws: QuantityError.self) {
      try QuantityType(userDefined: "noise", aggregationStyle: style, unit: .second)
    }
    let type = try QuantityType(
      userDefined: "noise", aggregationStyle: style, unit: .decibelAWeightedSoundPressureLevel)
    #expect(type.aggregationStyle == style)
  }
}
