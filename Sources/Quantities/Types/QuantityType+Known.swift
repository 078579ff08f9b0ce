extension QuantityType {
  /// Beats in a time, as a sensor reports them.
  package static let heartRate = QuantityType(
    "heartRate", .discreteTemporallyWeighted, .countPerSecond, defaultUnit: .countPerMinute, plausible: 15...350)

  /// The heart rate at rest, one a day.
  package static let restingHeartRate = QuantityType(
    "restingHeartRate", .discreteArithmetic, .countPerMinute, plausible: 15...200)

  /// The mean heart rate while walking, one a day.
  package static let walkingHeartRateAverage = QuantityType(
    "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute, plausible: 20...250)

  /// By how much the heart rate falls in the minute after exercise.
  package static let heartRateRecoveryOneMinute = QuantityType(
    "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute, plausible: 0...150)

  /// The share of a time that was spent in atrial fibrillation.
  package static let atrialFibrillationBurden = QuantityType(
    "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent, plausible: 0...1)

  /// The time from one beat to the next.
  package static let rrInterval = QuantityType(
    "rrInterval", .discreteArithmetic, .millisecond, healthKit: "StationQuantityTypeIdentifierRRInterval",
    plausible: 150...4000)

  /// The standard deviation of the times between normal beats.
  package static let heartRateVariabilitySDNN = QuantityType(
    "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond, plausible: 0...500)

  /// The root mean square of the differences between successive times between beats.
  package static let heartRateVariabilityRMSSD = QuantityType(
    "heartRateVariabilityRMSSD", .discreteArithmetic, .millisecond, plausible: 0...500)

  /// Breaths in a time.
  package static let respiratoryRate = QuantityType(
    "respiratoryRate", .discreteArithmetic, .countPerSecond, defaultUnit: .countPerMinute, plausible: 1...100)

  /// The share of the blood's haemoglobin that carries oxygen, from 0.0 to 1.0.
  package static let oxygenSaturation = QuantityType(
    "oxygenSaturation", .discreteArithmetic, .percent, plausible: 0.3...1)

  /// Steps.
  package static let stepCount = QuantityType("stepCount", .cumulative, .count, plausible: 0...200_000)

  /// Floors climbed.
  package static let flightsClimbed = QuantityType("flightsClimbed", .cumulative, .count, plausible: 0...2000)

  /// Energy spent by moving, above what resting takes.
  package static let activeEnergyBurned = QuantityType(
    "activeEnergyBurned", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// Energy spent at rest.
  package static let basalEnergyBurned = QuantityType(
    "basalEnergyBurned", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// Energy eaten and drunk.
  package static let dietaryEnergyConsumed = QuantityType(
    "dietaryEnergyConsumed", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// What a person weighs.
  package static let bodyMass = QuantityType("bodyMass", .discreteArithmetic, .kilogram, plausible: 0.3...650)

  /// How tall a person is.
  package static let height = QuantityType("height", .discreteArithmetic, .meter, plausible: 0.2...2.8)

  /// Body mass in kilograms over the square of the height in metres.
  package static let bodyMassIndex = QuantityType("bodyMassIndex", .discreteArithmetic, .count, plausible: 5...150)

  /// The level of sound around a person.
  package static let environmentalAudioExposure = QuantityType(
    "environmentalAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel,
    plausible: 0...200)

  /// The level of sound in a person's headphones.
  package static let headphoneAudioExposure = QuantityType(
    "headphoneAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel,
    plausible: 0...200)

  /// Every type that is not user-defined, in the order in which messages list them.
  package static let all = [
    heartRate, rrInterval, restingHeartRate, walkingHeartRateAverage, heartRateRecoveryOneMinute,
    heartRateVariabilitySDNN, heartRateVariabilityRMSSD, atrialFibrillationBurden, respiratoryRate, oxygenSaturation,
    stepCount, flightsClimbed, activeEnergyBurned, basalEnergyBurned, dietaryEnergyConsumed, bodyMass, height,
    bodyMassIndex, environmentalAudioExposure, headphoneAudioExposure,
  ]

  /// The types that a recorder records, which are those that sensors deliver.
  package static let recordable = [heartRate, rrInterval]

  /// The type of that name, in our spelling or in HealthKit's; `nil` for user-defined ones.
  package init?(_ name: String) {
    guard let type = Self.known[name] else { return nil }
    self = type
  }

  private static let known = Dictionary(
    uniqueKeysWithValues: all.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
}
