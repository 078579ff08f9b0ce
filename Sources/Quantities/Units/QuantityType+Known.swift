extension QuantityType {
  /// Beats per time, as reported by a sensor.
  package static let heartRate = QuantityType(
    "heartRate", .discreteTemporallyWeighted, .countPerSecond, defaultUnit: .countPerMinute, plausible: 15...350,
    typical: 55...85)

  /// The resting heart rate, one value per day.
  static let restingHeartRate = QuantityType(
    "restingHeartRate", .discreteArithmetic, .countPerMinute, plausible: 15...200)

  /// The mean heart rate while walking, one value per day.
  static let walkingHeartRateAverage = QuantityType(
    "walkingHeartRateAverage", .discreteArithmetic, .countPerMinute, plausible: 20...250)

  /// The decrease of the heart rate in the minute after exercise.
  static let heartRateRecoveryOneMinute = QuantityType(
    "heartRateRecoveryOneMinute", .discreteArithmetic, .countPerMinute, plausible: 0...150)

  /// The fraction of time spent in atrial fibrillation.
  static let atrialFibrillationBurden = QuantityType(
    "atrialFibrillationBurden", .discreteTemporallyWeighted, .percent, plausible: 0...1)

  /// The interval between two successive heartbeats.
  package static let rrInterval = QuantityType(
    "rrInterval", .discreteArithmetic, .millisecond, healthKit: "StationQuantityTypeIdentifierRRInterval",
    plausible: 150...4000, typical: 700...1100)

  /// The standard deviation of the intervals between normal beats.
  package static let heartRateVariabilitySDNN = QuantityType(
    "heartRateVariabilitySDNN", .discreteArithmetic, .millisecond, plausible: 0...500)

  /// The root mean square of the differences between successive intervals.
  package static let heartRateVariabilityRMSSD = QuantityType(
    "heartRateVariabilityRMSSD", .discreteArithmetic, .millisecond, plausible: 0...500)

  /// Breaths per time.
  package static let respiratoryRate = QuantityType(
    "respiratoryRate", .discreteArithmetic, .countPerSecond, defaultUnit: .countPerMinute, plausible: 1...100,
    typical: 12...18)

  /// The oxygen saturation of haemoglobin, from 0.0 to 1.0.
  package static let oxygenSaturation = QuantityType(
    "oxygenSaturation", .discreteArithmetic, .percent, plausible: 0.3...1, typical: 0.95...0.99)

  package static let stepCount = QuantityType("stepCount", .cumulative, .count, plausible: 0...200_000)

  /// Floors climbed.
  static let flightsClimbed = QuantityType("flightsClimbed", .cumulative, .count, plausible: 0...2000)

  /// The energy spent by activity, above resting energy.
  package static let activeEnergyBurned = QuantityType(
    "activeEnergyBurned", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// The energy spent at rest.
  static let basalEnergyBurned = QuantityType(
    "basalEnergyBurned", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// The energy of food and drink.
  package static let dietaryEnergyConsumed = QuantityType(
    "dietaryEnergyConsumed", .cumulative, .kilocalorie, plausible: 0...20_000)

  /// The body mass of a person.
  package static let bodyMass = QuantityType("bodyMass", .discreteArithmetic, .kilogram, plausible: 0.3...650)

  /// The body height of a person.
  package static let height = QuantityType("height", .discreteArithmetic, .meter, plausible: 0.2...2.8)

  /// Body mass in kilograms divided by the square of the height in metres.
  package static let bodyMassIndex = QuantityType("bodyMassIndex", .discreteArithmetic, .count, plausible: 5...150)

  /// The ambient sound level.
  static let environmentalAudioExposure = QuantityType(
    "environmentalAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel,
    plausible: 0...200)

  /// The sound level in headphones.
  static let headphoneAudioExposure = QuantityType(
    "headphoneAudioExposure", .discreteEquivalentContinuousLevel, .decibelAWeightedSoundPressureLevel,
    plausible: 0...200)

  /// What a participant rates while it happens, in percent of the way between two anchors.
  package static let continuousRating = QuantityType(
    "continuousRating", .discreteTemporallyWeighted, .count,
    healthKit: "StationQuantityTypeIdentifierContinuousRating", plausible: 0...100)

  /// Every predefined type, in the order of messages.
  package static let all = [
    heartRate, rrInterval, restingHeartRate, walkingHeartRateAverage, heartRateRecoveryOneMinute,
    heartRateVariabilitySDNN, heartRateVariabilityRMSSD, atrialFibrillationBurden, respiratoryRate, oxygenSaturation,
    stepCount, flightsClimbed, activeEnergyBurned, basalEnergyBurned, dietaryEnergyConsumed, bodyMass, height,
    bodyMassIndex, environmentalAudioExposure, headphoneAudioExposure, continuousRating,
  ]

  /// The types that a recorder can record: every one with a number.
  package static let recordable = all + further

  /// The types that sensors in an experiment usually deliver, for the lists of messages.
  package static let usual = recordable.filter { $0.typical != nil }

  /// The types of heartbeats, which sensors deliver together: the rate, and the intervals that it is made of.
  package static let ofHeartbeats = [heartRate, rrInterval]

  /// The units in which a recorder can write it, the default first; the JSON Schema of protocols lists the same.
  package var recordedUnits: [Unit] {
    switch self {
    case .heartRate: [.countPerMinute, .countPerSecond]
    case .rrInterval: [.millisecond, .second]
    default:
      [defaultUnit, canonicalUnit].reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        + Self.commonUnits.filter { $0.isCompatible(with: canonicalUnit) && $0 != defaultUnit && $0 != canonicalUnit }
    }
  }

  private static let commonUnits = [
    "count/min", "count/s", "ms", "s", "min", "hr", "S", "mS", "mcS", "degC", "degF", "K", "V", "mV", "mcV", "m", "cm",
    "mm", "m/s", "km/hr", "kg", "g", "mg", "mcg", "L", "mL", "L/min", "kcal", "kJ", "J", "W", "mmHg", "kPa",
  ].compactMap { try? Unit($0) }

  /// Creates the predefined type of a name in our spelling or HealthKit's; `nil` for user-defined types.
  package init?(_ name: String) {
    guard let type = Self.known[name] else { return nil }
    self = type
  }

  private static let known = Dictionary(
    uniqueKeysWithValues: all.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
}
