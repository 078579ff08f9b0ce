/// A step that waits until every recorder's sensor has sent a plausible sample.
package struct SensorCheckStep: Hashable, Sendable {
  /// How long it waits before the operator is asked.
  package var limit: Duration

  /// Creates a step.
  package init(limit: Duration = StudyProtocol.sensorCheck) { self.limit = limit }
}

extension SensorCheckStep: StepContent {
  static let keys: [String] = ["limit_s"]

  static func readKind(_ object: LocatedObject) -> Step.Kind? {
    let limit = object["limit_s"]?.seconds(in: 1...3600)
    return .sensorCheck(SensorCheckStep(limit: limit ?? StudyProtocol.sensorCheck))
  }
}
