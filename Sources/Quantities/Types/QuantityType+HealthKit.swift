extension QuantityType {
  /// Creates the type of a name in HealthKit's spelling or ours (`bodyTemperature`): one of ``all``, or a user-defined
  /// type that represents another of HealthKit's.
  ///
  /// `nil` for a name that is neither in ``all`` nor in HealthKit's headers of iOS 18.
  package init?(healthKit name: String) {
    guard let type = Self.healthKit[name] else { return nil }
    self = type
  }

  /// The short names of HealthKit's types that are not in ``all``, in alphabetical order.
  package static let otherHealthKitNames = Set(healthKit.values).filter(\.isUserDefined).map(\.identifier).sorted()

  private static let healthKit: [String: QuantityType] = {
    var types = Dictionary(
      uniqueKeysWithValues: all.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
    for (style, unit, plausible, names) in others {
      for name in names.split(separator: " ").map(String.init) {
        let identifier = "HKQuantityTypeIdentifier\(name)"
        do throws(QuantityError) {
          let type = try QuantityType(
            userDefined: shortName(name), aggregationStyle: style, unit: Unit(unit), healthKitIdentifier: identifier,
            plausible: plausible)
          types[identifier] = type
          types[type.identifier] = type
        } catch {
          preconditionFailure("\(identifier): \(error)")
        }
      }
    }
    return types
  }()

  // `VO2Max` becomes `vo2Max`, `BodyTemperature` becomes `bodyTemperature`.
  private static func shortName(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    let isWhole = name[capitals.endIndex].isNumber
    let length = capitals.count == 1 || isWhole ? capitals.count : capitals.count - 1
    return name.prefix(length).lowercased() + name.dropFirst(length)
  }

  // The aggregation styles according to HealthKit's headers, with canonical units.
  private static let others: [(style: AggregationStyle, unit: String, plausible: ClosedRange<Double>?, names: String)] =
    [
      (
        .discreteArithmetic, "%", 0...1,
        "BodyFatPercentage WalkingDoubleSupportPercentage WalkingAsymmetryPercentage AppleWalkingSteadiness "
          + "BloodAlcoholContent PeripheralPerfusionIndex"
      ),
      (.discreteArithmetic, "kg", 0.2...300, "LeanBodyMass"),
      (
        .discreteArithmetic, "m", nil,
        "WaistCircumference SixMinuteWalkTestDistance WalkingStepLength RunningStrideLength UnderwaterDepth"
      ),
      (.discreteArithmetic, "cm", nil, "RunningVerticalOscillation"),
      (
        .discreteArithmetic, "degC", 10...45,
        "AppleSleepingWristTemperature BodyTemperature BasalBodyTemperature"
      ),
      (.discreteArithmetic, "degC", nil, "WaterTemperature"),
      (
        .cumulative, "m", nil,
        "DistanceWalkingRunning DistanceCycling DistanceWheelchair DistanceSwimming "
          + "DistanceDownhillSnowSports DistanceCrossCountrySkiing DistancePaddleSports DistanceRowing "
          + "DistanceSkatingSports"
      ),
      (
        .discreteArithmetic, "m/s", nil,
        "WalkingSpeed StairAscentSpeed StairDescentSpeed RunningSpeed CyclingSpeed CrossCountrySkiingSpeed "
          + "PaddleSportsSpeed RowingSpeed"
      ),
      (.discreteArithmetic, "ms", nil, "RunningGroundContactTime"),
      (.discreteArithmetic, "W", nil, "RunningPower CyclingPower CyclingFunctionalThresholdPower"),
      (.discreteArithmetic, "count/min", 0...300, "CyclingCadence"),
      (
        .cumulative, "count", nil,
        "NikeFuel PushCount SwimmingStrokeCount NumberOfTimesFallen InhalerUsage NumberOfAlcoholicBeverages"
      ),
      (.cumulative, "min", nil, "AppleExerciseTime AppleStandTime AppleMoveTime TimeInDaylight"),
      (.discreteArithmetic, "mL/min·kg", 5...110, "VO2Max"),
      (.discreteArithmetic, "kcal/hr·kg", nil, "PhysicalEffort"),
      (.discreteArithmetic, "appleEffortScore", nil, "WorkoutEffortScore EstimatedWorkoutEffortScore"),
      (.discreteArithmetic, "mmHg", 10...350, "BloodPressureSystolic BloodPressureDiastolic"),
      (.discreteArithmetic, "mg/dL", 5...2000, "BloodGlucose"),
      (.discreteArithmetic, "S", nil, "ElectrodermalActivity"),
      (.cumulative, "IU", nil, "InsulinDelivery"),
      (.discreteArithmetic, "L", nil, "ForcedVitalCapacity ForcedExpiratoryVolume1"),
      (.discreteArithmetic, "L/min", nil, "PeakExpiratoryFlowRate"),
      (.discreteEquivalentContinuousLevel, "dBASPL", nil, "EnvironmentalSoundReduction"),
      (.discreteArithmetic, "count", nil, "UVExposure AppleSleepingBreathingDisturbances"),
      (.cumulative, "mL", nil, "DietaryWater"),
      (
        .cumulative, "g", nil,
        "DietaryFatTotal DietaryFatPolyunsaturated DietaryFatMonounsaturated DietaryFatSaturated "
          + "DietaryCholesterol DietarySodium DietaryCarbohydrates DietaryFiber DietarySugar DietaryProtein "
          + "DietaryVitaminA DietaryVitaminB6 DietaryVitaminB12 DietaryVitaminC DietaryVitaminD DietaryVitaminE "
          + "DietaryVitaminK DietaryCalcium DietaryIron DietaryThiamin DietaryRiboflavin DietaryNiacin "
          + "DietaryFolate DietaryBiotin DietaryPantothenicAcid DietaryPhosphorus DietaryIodine DietaryMagnesium "
          + "DietaryZinc DietarySelenium DietaryCopper DietaryManganese DietaryChromium DietaryMolybdenum "
          + "DietaryChloride DietaryPotassium DietaryCaffeine"
      ),
    ]
}
