import Basics
import Testing

@testable import Bundles

@Suite("What of a trial was simulated")
struct TrialSimulationTests {
  private struct Head: Codable, Hashable {
    var name = "x"
    var simulation: TrialSimulation
  }

  @Test(
    "is said by flat members, and read back",
    arguments: [
      (TrialSimulation.none, #"{"name":"x","simulated":false,"simulatedSensors":null}"#),
      (.everything, #"{"name":"x","simulated":true,"simulatedSensors":null}"#),
      (.sensors(["simulated"]), #"{"name":"x","simulated":true,"simulatedSensors":["simulated"]}"#),
    ])
  func members(simulation: TrialSimulation, text: String) throws {
    let value = try JSONValue(encoding: Head(simulation: simulation), writesNull: true)
    #expect(value.text() == text)
    #expect(try value.decoded(as: Head.self) == Head(simulation: simulation))
  }
}
