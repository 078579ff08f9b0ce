import Bundles
import Quantities
import Sensors
import Study

/// The sensor behind each recorder of a protocol.
struct AssignedSensors: Sendable {
  /// Every recorder in the protocol's order, with its sensor.
  let recorders: [TrialRecorder]
  /// The sensors, each once.
  let sensors: [any Sensor]

  /// Finds a sensor for every recorder: by the recorder's identifier, else by its quantity type.
  ///
  /// - Throws: ``Failure`` for a recorder without a sensor, and ``UsageError`` for a sensor without a recorder.
  init(_ assignments: [SensorAssignment], for studyProtocol: StudyProtocol, isUnattended: Bool) throws {
    let wanted = studyProtocol.steps.flatMap { step in
      (step.active?.recorderConfigurations ?? []).map { (step: step.identifier, configuration: $0) }
    }
    let names = wanted.flatMap { [$0.configuration.identifier, $0.configuration.quantityType.identifier] }
    for assignment in assignments where !names.contains(assignment.name) {
      throw UsageError(
        command: RunCommand.syntax,
        reason: "no recorder is called “\(assignment.name)”, and none records it; the protocol has "
          + (names.isEmpty ? "no recorder" : Set(names).sorted().map { "“\($0)”" }.joined(separator: ", ")))
    }
    var recorders: [TrialRecorder] = []
    var sensors: [SensorAddress: any Sensor] = [:]
    for (step, configuration) in wanted {
      guard
        let assignment = assignments.last(where: { $0.name == configuration.identifier })
          ?? assignments.last(where: { $0.name == configuration.quantityType.identifier })
      else {
        throw Failure(
          "cannot record “\(configuration.identifier)”: no sensor is assigned to it; add "
            + "--sensor \(configuration.quantityType)=SENSOR, where SENSOR is one of: "
            + SensorAddress.forms.joined(separator: ", "))
      }
      if assignment.address.kind == .lines(.standardInput), !isUnattended {
        throw Failure("cannot read both samples and Return from standard input; add --unattended")
      }
      let sensor = try sensors[assignment.address] ?? assignment.address.sensor()
      sensors[assignment.address] = sensor
      recorders.append(TrialRecorder(step: step, configuration: configuration, sensor: sensor.source))
    }
    self.recorders = recorders
    self.sensors = sensors.sorted { $0.key.text < $1.key.text }.map(\.value)
  }

  /// The name of the sensor behind each recorder, by the recorder's identifier.
  var names: [String: String] {
    Dictionary(recorders.map { ($0.identifier, $0.sensor.name) }) { first, _ in first }
  }
}
