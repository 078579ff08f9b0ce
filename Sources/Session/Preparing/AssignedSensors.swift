import Basics
import Bundles
import Quantities
package import Sensors
package import Study

/// The sensor behind each recorder of a protocol.
package struct AssignedSensors: Sendable {
  /// Every recorder in the protocol's order, with its sensor.
  let recorders: [TrialRecorder]
  /// The sensors, each once.
  let sensors: [any Sensor]
  /// The names of those that are simulated, in their order.
  let simulated: [String]

  /// Finds a sensor for every recorder: by the recorder's identifier, else by its quantity type.
  ///
  /// - Parameters:
  ///   - assignments: the operator's assignments, each of which must have a recorder.
  ///   - settings: the assignments of settings files, the one that wins first; they may name other recorders too.
  ///   - studyProtocol: the protocol.
  ///   - isUnattended: whether standard input is free for samples.
  /// - Throws: ``SensorAssignmentError``, or why a sensor cannot be made.
  package init(
    _ assignments: [SensorAssignment], settings: [[SensorAssignment]] = [], for studyProtocol: StudyProtocol,
    isUnattended: Bool
  ) throws {
    let wanted =
      studyProtocol.recorderConfigurations.map { (step: $0.scope.rawValue, configuration: $0) }
      + studyProtocol.allSteps.flatMap { step, _ in
        (step.active?.recorderConfigurations ?? []).map { (step: step.identifier, configuration: $0) }
      }
    let names = wanted.flatMap { [$0.configuration.identifier] + $0.configuration.quantityType.names }
    for assignment in assignments where !names.contains(assignment.name) {
      throw SensorAssignmentError.noRecorder(assignment.name, known: Set(names).sorted())
    }
    var recorders: [TrialRecorder] = []
    var sensors: [SensorAddress: any Sensor] = [:]
    var unused = Set(assignments.map(\.name))
    for (step, configuration) in wanted {
      let keys = configuration.quantityType == .continuousRating ? [try SensorAssignment.keys.get()] : []
      guard
        let assignment = try ([assignments] + settings + [keys]).lazy.compactMap({ level in
          try Self.only(of: level.filter { $0.name == configuration.identifier })
            ?? Self.only(of: level.filter { configuration.quantityType.names.contains($0.name) })
        }).first
      else {
        throw SensorAssignmentError.noSensor(
          recorder: configuration.identifier, quantity: configuration.quantityType.channelName)
      }
      unused.remove(assignment.name)
      if assignment.address.kind as? LineTarget == .standardInput, !isUnattended {
        throw SensorAssignmentError.standardInputIsTaken
      }
      let address = assignment.address.simulating(configuration.quantityType)
      let sensor = try sensors[address] ?? address.sensor()
      sensors[address] = sensor
      let rate = sensor.channels.first { $0.type == configuration.quantityType }?.rate
      recorders.append(
        TrialRecorder(step: step, configuration: configuration, sensor: sensor.source, nominalRate: rate))
    }
    if let name = unused.min() { throw SensorAssignmentError.notUsed(name) }
    self.recorders = recorders
    self.sensors = sensors.sorted { $0.key.text < $1.key.text }.map(\.value)
    simulated = self.sensors.map(\.source.name).filter(\.namesSimulation)
  }

  /// The only one of the assignments of one place that fit a recorder equally well; `nil` if there is none.
  private static func only(of assignments: [SensorAssignment]) throws(SensorAssignmentError) -> SensorAssignment? {
    guard assignments.count > 1 else { return assignments.first }
    throw .twice(assignments[0], assignments[1])
  }

  /// The name of the sensor behind each recorder, by the recorder's identifier.
  var names: [String: String] {
    Dictionary(recorders.map { ($0.identifier, $0.sensor.name) }) { first, _ in first }
  }
}

/// Why sensors cannot be assigned to recorders.
package enum SensorAssignmentError: Error, CustomStringConvertible {
  /// No recorder has that name, and none records that quantity.
  case noRecorder(String, known: [String])
  case noSensor(recorder: String, quantity: String)
  /// Two sensors are assigned to the same recorder or quantity type.
  case twice(SensorAssignment, SensorAssignment)
  /// Each recorder that an assignment of the operator fits has another sensor.
  case notUsed(String)
  /// Samples would come from the standard input that keys come from.
  case standardInputIsTaken

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .noRecorder(let name, let known):
      "no recorder is called “\(name)”, and none records it; the protocol has "
        + (known.isEmpty ? "no recorder" : known.map { "“\($0)”" }.joined(separator: ", "))
    case .noSensor(let recorder, let quantity):
      "cannot record “\(recorder)”: no sensor is assigned to it; add --sensor \(quantity)=SENSOR, or name the sensor in station.json; "
        + SensorAddress.advice
    case .twice(let first, let second):
      "“\(first.name.visible)” has the sensor “\(first.address.text.visible)”, and "
        + (first.name == second.name ? "" : "“\(second.name.visible)” has ")
        + "the sensor “\(second.address.text.visible)” too; leave one of them out"
    case .notUsed(let name):
      "--sensor \(name.visible)=… is not used: every recorder of it has a sensor under its own name; leave it out"
    case .standardInputIsTaken: "cannot read both samples and Return from standard input; add --unattended"
    }
  }
}
