extension QuantityType {
  /// The type of that name, in HealthKit's spelling or in ours (`bodyTemperature`): one of ``all``, or a user-defined one
  /// that stands for another of HealthKit's.
  ///
  /// `nil` for what neither ``all`` nor HealthKit's headers of iOS 18 have.
  public init?(healthKit name: String) {
    guard let type = Self.healthKit[name] else { return nil }
    self = type
  }

  /// The short names of HealthKit's types that are none of ``all``, in the order of the alphabet.
  public static let otherHealthKitNames = Set(healthKit.values).filter(\.isUserDefined).map(\.identifier).sorted()

  private static let healthKit: [String: QuantityType] = {
    var types = Dictionary(
      uniqueKeysWithValues: all.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
    for (style, unit, names) in others {
      for name in names.split(separator: " ").map(String.init) {
        let identifier = "HKQuantityTypeIdentifier\(name)"
        do throws(QuantityError) {
          let type = try QuantityType(
            userDefined: shortName(name), aggregationStyle: style, unit: Unit(unit), healthKitIdentifier: identifier)
          types[identifier] = type
          types[type.identifier] = type
        } catch {
          preconditionFailure("\(identifier): \(error)")
        }
      }
    }
    return types
  }()

  // `VO2Max` is `vo2Max`, `BodyTemperature` is `bodyTemperature`.
  private static func shortName(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    let isWhole = name[capitals.endIndex].isNumber
    let length = capitals.count == 1 || isWhole ? capitals.count : capitals.count - 1
    return name.prefix(length).lowercased() + name.dropFirst(length)
  }

  // How HealthKit's headers say that each is summed up, with the unit in which it is kept.
  private static let others: [(style: AggregationStyle, unit: String, names: String)] = [
    (
      .discreteArithmetic, "%",
      "BodyFatPercentage WalkingDoubleSupportPercentage WalkingAsymmetryPercentage AppleWalkingSteadiness "
        + "BloodAlcoholContent PeripheralPerfusionIndex"
    ),
    (.discreteArithmetic, "kg", "LeanBodyMass"),
    (
      .discreteArithmetic, "m",
      "WaistCircumference SixMinuteWalkTestDistance WalkingStepLength RunningStrideLength UnderwaterDepth"
    ),
    (.discreteArithmetic, "cm", "RunningVerticalOscillation"),
    (
      .discreteArithmetic, "degC",
      "AppleSleepingWristTemperature BodyTemperature BasalBodyTemperature WaterTemperature"
    ),
    (
      .cumulative, "m",
      "DistanceWalkingRunning DistanceCycling DistanceWheelchair DistanceSwimming "
        + "DistanceDownhillSnowSports DistanceCrossCountrySkiing DistancePaddleSports DistanceRowing "
        + "DistanceSkatingSports"
    ),
    (
      .discreteArithmetic, "m/s",
      "WalkingSpeed StairAscentSpeed StairDescentSpeed RunningSpeed CyclingSpeed CrossCountrySkiingSpeed "
        + "PaddleSportsSpeed RowingSpeed"
    ),
    (.discreteArithmetic, "ms", "RunningGroundContactTime"),
    (.discreteArithmetic, "W", "RunningPower CyclingPower CyclingFunctionalThresholdPower"),
    (.discreteArithmetic, "count/min", "CyclingCadence"),
    (
      .cumulative, "count",
      "NikeFuel PushCount SwimmingStrokeCount NumberOfTimesFallen InhalerUsage NumberOfAlcoholicBeverages"
    ),
    (.cumulative, "min", "AppleExerciseTime AppleStandTime AppleMoveTime TimeInDaylight"),
    (.discreteArithmetic, "mL/min·kg", "VO2Max"),
    (.discreteArithmetic, "kcal/hr·kg", "PhysicalEffort"),
    (.discreteArithmetic, "appleEffortScore", "WorkoutEffortScore EstimatedWorkoutEffortScore"),
    (.discreteArithmetic, "mmHg", "BloodPressureSystolic BloodPressureDiastolic"),
    (.discreteArithmetic, "mg/dL", "BloodGlucose"),
    (.discreteArithmetic, "S", "ElectrodermalActivity"),
    (.cumulative, "IU", "InsulinDelivery"),
    (.discreteArithmetic, "L", "ForcedVitalCapacity ForcedExpiratoryVolume1"),
    (.discreteArithmetic, "L/min", "PeakExpiratoryFlowRate"),
    (.discreteEquivalentContinuousLevel, "dBASPL", "EnvironmentalSoundReduction"),
    (.discreteArithmetic, "count", "UVExposure AppleSleepingBreathingDisturbances"),
    (.cumulative, "mL", "DietaryWater"),
    (
      .cumulative, "g",
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
