import Basics

/// A step that waits until every recorder's sensor has sent a plausible sample.
package struct SensorCheckStep: StepReading {
  package static let kind = "sensorCheck"
  static let summary = "waits until every sensor has sent a plausible sample"

  /// How long it waits before the operator is asked.
  package var limit: Duration

  /// How long it waits unless the protocol says otherwise; the check before a trial waits as long.
  static let defaultLimit = Duration.seconds(10)

  private static let limits = 1.0...3600
  static let keys: [StepKey] = [
    .number(
      "limit_s", limits, default: defaultLimit.seconds,
      "How many seconds it waits before the operator is asked.")
  ]

  package var effort: StepEffort { .check(.seconds(3)) }
  package var waitsForReturn: Bool { false }

  init(limit: Duration = defaultLimit) { self.limit = limit }

  static func read(_ object: LocatedObject) -> Self? {
    SensorCheckStep(limit: object["limit_s"]?.seconds(in: limits) ?? defaultLimit)
  }
}
