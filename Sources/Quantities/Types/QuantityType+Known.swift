extension QuantityType {
  /// Beats in a time, as a sensor reports them.
  public static let heartRate = QuantityType(
    "heartRate", .discreteTemporallyWeighted, .countPerSecond, defaultUnit: .countPerMinute)

  /// The heart rate at rest, one a day.
  public static let restingHeartRate = QuantityType("restingHeartRate", .discreteArithmetic, .countPerMinute)

  /// The mean heart rate while walking, one a day.
  public static let walkingHeartRateAverage = QuantityType(
    "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute)

  /// By how much the heart rate falls in the minute after exercise.
  public static let heartRateRecoveryOneMinute = QuantityType(
    "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute)

  /// The share of a time that was spent in atrial fibrillation.
  public static let atrialFibrillationBurden = QuantityType(
    "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent)

  /// The time from one beat to the next.
  public static let rrInterval = QuantityType(
    "rrInterval", .discreteArithmetic, .millisecond, healthKit: "StationQuantityTypeIdentifierRRInterval")

  /// The standard deviation of the times between normal beats.
  public static let heartRateVariabilitySDNN = QuantityType(
    "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond)

  /// The root mean square of the differences between successive times between beats.
  public static let heartRateVariabilityRMSSD = QuantityType(
    "heartRateVariabilityRMSSD", .discreteArithmetic, .millisecond)

  /// Breaths in a time.
  public static let respiratoryRate = QuantityType(
    "respiratoryRate", .discreteArithmetic, .countPerSecond, defaultUnit: .countPerMinute)

  /// The share of the blood's haemoglobin that carries oxygen, from 0.0 to 1.0.
  public static let oxygenSaturation = QuantityType("oxygenSaturation", .discreteArithmetic, .percent)

  /// Steps.
  public static let stepCount = QuantityType("stepCount", .cumulative, .count)

  /// Floors climbed.
  public static let flightsClimbed = QuantityType("flightsClimbed", .cumulative, .count)

  /// Energy spent by moving, above what resting takes.
  public static let activeEnergyBurned = QuantityType("activeEnergyBurned", .cumulative, .kilocalorie)

  /// Energy spent at rest.
  public static let basalEnergyBurned = QuantityType("basalEnergyBurned", .cumulative, .kilocalorie)

  /// Energy eaten and drunk.
  public static let dietaryEnergyConsumed = QuantityType("dietaryEnergyConsumed", .cumulative, .kilocalorie)

  /// What a person weighs.
  public static let bodyMass = QuantityType("bodyMass", .discreteArithmetic, .kilogram)

  /// How tall a person is.
  public static let height = QuantityType("height", .discreteArithmetic, .meter)

  /// Body mass in kilograms over the square of the height in metres.
  public static let bodyMassIndex = QuantityType("bodyMassIndex", .discreteArithmetic, .count)

  /// The level of sound around a person.
  public static let environmentalAudioExposure = QuantityType(
    "environmentalAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel)

  /// The level of sound in a person's headphones.
  public static let headphoneAudioExposure = QuantityType(
    "headphoneAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel)

  /// Every type that is not user-defined, in the order in which messages list them.
  public static let all = [
    heartRate, rrInterval, restingHeartRate, walkingHeartRateAverage, heartRateRecoveryOneMinute,
    heartRateVariabilitySDNN, heartRateVariabilityRMSSD, atrialFibrillationBurden, respiratoryRate, oxygenSaturation,
    stepCount, flightsClimbed, activeEnergyBurned, basalEnergyBurned, dietaryEnergyConsumed, bodyMass, height,
    bodyMassIndex, environmentalAudioExposure, headphoneAudioExposure,
  ]

  /// The types that a recorder records, which are those that sensors deliver.
  public static let recordable = [heartRate, rrInterval]

  /// The type of that name, in our spelling or in HealthKit's; `nil` for user-defined ones.
  public init?(_ name: String) {
    guard let type = Self.known[name] else { return nil }
    self = type
  }

  private static let known = Dictionary(
    uniqueKeysWithValues: all.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
}
