/// A row of the table of quantity types besides the predefined ones: its names share everything else.
///
/// A row is all that a new quantity needs: with it, sensors can deliver it, recorders record it, and bundles, stores,
/// analyses and charts take it.
struct FurtherType: Sendable {
  let style: AggregationStyle
  /// The canonical unit.
  let unit: String
  /// The unit for display, and the default unit of recorders, if different.
  let shown: String?
  /// The physiologically plausible values, in the display unit.
  let plausible: ClosedRange<Double>?
  /// The values of a resting adult, in the display unit.
  let typical: ClosedRange<Double>?
  /// The field's word for a channel of it, if it is not the short name.
  let channel: String?
  /// Whether it is the station's own, because HealthKit does not have it.
  let isOwn: Bool
  /// Whether it is a waveform, which is sampled at a rate of its own.
  let isWaveform: Bool
  /// The names behind `QuantityTypeIdentifier`, separated by spaces.
  let names: String

  init(
    _ style: AggregationStyle, _ unit: String, shown: String? = nil, plausible: ClosedRange<Double>? = nil,
    typical: ClosedRange<Double>? = nil, channel: String? = nil, isOwn: Bool = false, isWaveform: Bool = false,
    _ names: String
  ) {
    self.style = style
    self.unit = unit
    self.shown = shown
    self.plausible = plausible
    self.typical = typical
    self.channel = channel
    self.isOwn = isOwn
    self.isWaveform = isWaveform
    self.names = names
  }

  /// The short name: `VO2Max` becomes `vo2Max`, `BodyTemperature` becomes `bodyTemperature`.
  static func shortName(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    let isWhole = name[capitals.endIndex].isNumber
    let length = capitals.count == 1 || isWhole ? capitals.count : capitals.count - 1
    return name.prefix(length).lowercased() + name.dropFirst(length)
  }

  /// The rows: HealthKit's with the aggregation styles and canonical units of its headers, then the station's own.
  static let all: [FurtherType] = [
    FurtherType(
      .discreteArithmetic, "%", plausible: 0...1,
      "BodyFatPercentage WalkingDoubleSupportPercentage WalkingAsymmetryPercentage AppleWalkingSteadiness "
        + "BloodAlcoholContent PeripheralPerfusionIndex"
    ),
    FurtherType(.discreteArithmetic, "kg", plausible: 0.2...300, "LeanBodyMass"),
    FurtherType(
      .discreteArithmetic, "m",
      "WaistCircumference SixMinuteWalkTestDistance WalkingStepLength RunningStrideLength UnderwaterDepth"
    ),
    FurtherType(.discreteArithmetic, "cm", "RunningVerticalOscillation"),
    FurtherType(
      .discreteArithmetic, "degC", plausible: 10...45, typical: 36...37,
      "AppleSleepingWristTemperature BodyTemperature BasalBodyTemperature"
    ),
    FurtherType(.discreteArithmetic, "degC", "WaterTemperature"),
    FurtherType(
      .cumulative, "m",
      "DistanceWalkingRunning DistanceCycling DistanceWheelchair DistanceSwimming "
        + "DistanceDownhillSnowSports DistanceCrossCountrySkiing DistancePaddleSports DistanceRowing "
        + "DistanceSkatingSports"
    ),
    FurtherType(
      .discreteArithmetic, "m/s",
      "WalkingSpeed StairAscentSpeed StairDescentSpeed RunningSpeed CyclingSpeed CrossCountrySkiingSpeed "
        + "PaddleSportsSpeed RowingSpeed"
    ),
    FurtherType(.discreteArithmetic, "ms", "RunningGroundContactTime"),
    FurtherType(.discreteArithmetic, "W", "RunningPower CyclingPower CyclingFunctionalThresholdPower"),
    FurtherType(.discreteArithmetic, "count/min", plausible: 0...300, "CyclingCadence"),
    FurtherType(
      .cumulative, "count",
      "NikeFuel PushCount SwimmingStrokeCount NumberOfTimesFallen InhalerUsage NumberOfAlcoholicBeverages"
    ),
    FurtherType(.cumulative, "min", "AppleExerciseTime AppleStandTime AppleMoveTime TimeInDaylight"),
    FurtherType(.discreteArithmetic, "mL/min·kg", plausible: 5...110, "VO2Max"),
    FurtherType(.discreteArithmetic, "kcal/hr·kg", "PhysicalEffort"),
    FurtherType(.discreteArithmetic, "appleEffortScore", "WorkoutEffortScore EstimatedWorkoutEffortScore"),
    FurtherType(.discreteArithmetic, "mmHg", plausible: 10...350, typical: 110...130, "BloodPressureSystolic"),
    FurtherType(.discreteArithmetic, "mmHg", plausible: 10...350, typical: 65...85, "BloodPressureDiastolic"),
    FurtherType(.discreteArithmetic, "mg/dL", plausible: 5...2000, "BloodGlucose"),
    FurtherType(
      .discreteArithmetic, "S", shown: "mcS", plausible: 0...100, typical: 2...8, channel: "skinConductance",
      "ElectrodermalActivity"),
    FurtherType(.cumulative, "IU", "InsulinDelivery"),
    FurtherType(.discreteArithmetic, "L", "ForcedVitalCapacity ForcedExpiratoryVolume1"),
    FurtherType(.discreteArithmetic, "L/min", "PeakExpiratoryFlowRate"),
    FurtherType(.discreteEquivalentContinuousLevel, "dBASPL", "EnvironmentalSoundReduction"),
    FurtherType(.discreteArithmetic, "count", "UVExposure AppleSleepingBreathingDisturbances"),
    FurtherType(.cumulative, "mL", "DietaryWater"),
    FurtherType(
      .cumulative, "g",
      "DietaryFatTotal DietaryFatPolyunsaturated DietaryFatMonounsaturated DietaryFatSaturated "
        + "DietaryCholesterol DietarySodium DietaryCarbohydrates DietaryFiber DietarySugar DietaryProtein "
        + "DietaryVitaminA DietaryVitaminB6 DietaryVitaminB12 DietaryVitaminC DietaryVitaminD DietaryVitaminE "
        + "DietaryVitaminK DietaryCalcium DietaryIron DietaryThiamin DietaryRiboflavin DietaryNiacin "
        + "DietaryFolate DietaryBiotin DietaryPantothenicAcid DietaryPhosphorus DietaryIodine DietaryMagnesium "
        + "DietaryZinc DietarySelenium DietaryCopper DietaryManganese DietaryChromium DietaryMolybdenum "
        + "DietaryChloride DietaryPotassium DietaryCaffeine"
    ),
    FurtherType(
      .discreteArithmetic, "degC", plausible: 10...45, typical: 32...34, isOwn: true, "SkinTemperature"),
    FurtherType(.discreteArithmetic, "L/min", plausible: 1...250, typical: 5...8, isOwn: true, "MinuteVentilation"),
    FurtherType(.discreteArithmetic, "mm", plausible: 1...10, typical: 3...5, isOwn: true, "PupilDiameter"),
    FurtherType(
      .discreteArithmetic, "V", shown: "mV", isOwn: true, isWaveform: true, "Electrocardiogram"),
    FurtherType(.discreteArithmetic, "%", plausible: 0...1, isOwn: true, "SignalQuality"),
    // In the sensor's arbitrary unit.
    FurtherType(.discreteArithmetic, "count", isOwn: true, isWaveform: true, "Photoplethysmogram"),
    // The circumference of the chest in the sensor's arbitrary unit.
    FurtherType(.discreteArithmetic, "count", isOwn: true, isWaveform: true, "Respiration"),
    FurtherType(.discreteArithmetic, "m/s^2", isOwn: true, isWaveform: true, "Acceleration"),
    // The pressure of sound, from −1.0 to 1.0 of what the recording can hold.
    FurtherType(.discreteArithmetic, "count", isOwn: true, isWaveform: true, "RoomSound"),
    FurtherType(.discreteArithmetic, "dBFS", plausible: -200...4, isOwn: true, "RoomSoundLevel"),
  ]
}
