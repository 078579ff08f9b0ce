import Basics
import Quantities
import Sensors
import TestSupport
import Testing

@testable import Session
@testable import Study

@Suite("The sensor behind each recorder")
struct AssignedSensorsTests {
  /// A rest with a recorder of heart rates, and one of respiration.
  private static func study(heart: [String] = ["heart"]) -> StudyProtocol {
    func recorder(_ name: String, _ type: QuantityType) -> RecorderConfiguration {
      RecorderConfiguration(identifier: name, quantityType: type, unit: type.canonicalUnit)
    }
    var rest = ActiveStep()
    rest.recorderConfigurations = heart.map { recorder($0, .heartRate) } + [recorder("breath", .respiration)]
    return StudyProtocol(identifier: "Rest", version: "1", steps: [Step(identifier: "rest", kind: RestStep(rest))])
  }

  private static func assignments(_ texts: [String]) throws -> [SensorAssignment] {
    try texts.map { try SensorAssignment($0) }
  }

  private static let breath = "respiration=simulated:seed=9"

  @Test(
    "Two sensors for one recorder are refused, however they are named",
    arguments: [
      ["heartRate=simulated:seed=1", "heartRate=simulated:seed=2"],
      ["heartRate=simulated:seed=1", "heartRate=simulated:seed=1"],
      ["heart=simulated:seed=1", "heart=simulated:seed=2"],
      ["heartRate=simulated:seed=1", "\(QuantityType.heartRate.identifier)=simulated:seed=2"],
    ])
  func twice(sensors: [String]) throws {
    let given = try Self.assignments(sensors + [Self.breath])
    let error = try #require(throws: SensorAssignmentError.self) {
      try AssignedSensors(given, for: Self.study(), isUnattended: true)
    }
    guard case .twice = error else { return _ = Issue.record("\(error)") }
    // In a settings file too, where nothing else is said.
    #expect(throws: SensorAssignmentError.self) {
      try AssignedSensors([], settings: [given], for: Self.study(), isUnattended: true)
    }
  }

  @Test("A sensor that no recorder takes is refused", arguments: [["heart"], ["heart", "pulse"]])
  func notUsed(heart: [String]) throws {
    let own = heart.map { "\($0)=simulated:seed=1" }
    let given = try Self.assignments(own + ["heartRate=simulated:seed=2", Self.breath])
    let error = try #require(throws: SensorAssignmentError.self) {
      try AssignedSensors(given, for: Self.study(heart: heart), isUnattended: true)
    }
    guard case .notUsed("heartRate") = error else { return _ = Issue.record("\(error)") }
  }

  @Test("A recorder's own sensor goes before its quantity's, and the operator's before that of settings")
  func order() throws {
    let given = try Self.assignments(["pulse=simulated:seed=1", "heartRate=simulated:seed=2"])
    let settings = try Self.assignments(["heart=simulated:seed=3", Self.breath])
    let assigned = try AssignedSensors(
      given, settings: [settings], for: Self.study(heart: ["heart", "pulse"]), isUnattended: true)
    let names = assigned.names
    #expect(names["pulse"]?.contains("seed=1") == true && names["heart"]?.contains("seed=2") == true)
    #expect(names["breath"]?.contains("seed=9") == true)
  }

  @Test("Data that are replayed are simulated where they say so", arguments: ["simulated:seed=7", "strap"])
  func replayed(source: String) throws {
    let scratch = try ScratchFolder()
    let rows = (0..<20).map { "\($0),72,\(source)" }
    try File.create(scratch["heart.csv"], Array((["t,hr,source"] + rows).joined(separator: "\n").utf8))
    let given = try Self.assignments(["heartRate=replay:\(scratch["heart.csv"])", "respiration=lines:-"])
    let assigned = try AssignedSensors(given, for: Self.study(), isUnattended: true)
    #expect(assigned.simulated.count == (source == "strap" ? 0 : 1))
    #expect(assigned.simulated.allSatisfy { $0.hasSuffix("replay:\(scratch["heart.csv"])") })
  }
}
