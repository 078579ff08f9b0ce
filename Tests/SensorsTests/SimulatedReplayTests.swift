import Basics
import Quantities
import TestSupport
import Testing

@testable import Sensors

@Suite("Simulated data that are replayed")
struct SimulatedReplayTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func isSimulated(_ bytes: [UInt8], _ options: String = "") throws -> Bool {
    try File.replaceWhole(scratch["file"], bytes)
    return try SensorAddress("replay:\(scratch["file"])\(options)").sensor().source.name.namesSimulation
  }

  private static let names = [
    ("simulated", true), ("simulated:seed=7", true), ("simulated data: replay:heart.json", true), ("strap", false),
    ("simulated annealing laboratory", false),
  ]

  @Test("keep their mark in a heart file, whole or one item a line", arguments: names)
  func heart(name: String, expected: Bool) throws {
    var trial = MadeTrial()
    trial.changes = { _ in ["source": .string(name)] }
    #expect(try isSimulated(trial.heart) == expected)
    #expect(try isSimulated(JSONValue.array(trial.items).encoded()) == expected)
  }

  @Test("keep it in a table with sources, of which one is chosen", arguments: names)
  func table(name: String, expected: Bool) throws {
    let rows = (0..<20).map { "\($0),72,\(name)" }
    #expect(try isSimulated(Array((["t,hr,source"] + rows).joined(separator: "\n").utf8)) == expected)
    let other = (20..<40).map { "\($0),72,watch" }
    let both = Array((["t,hr,source"] + rows + other).joined(separator: "\n").utf8)
    #expect(try isSimulated(both, "?source=\(name)") == expected)
    #expect(try !isSimulated(both, "?source=watch"))
  }

  @Test(
    "keep it in the header of an EDF file",
    arguments: [
      ("Startdate X X station simulated_data", true), ("Startdate X X X simulated_database", false),
      ("Startdate X X X X", false),
    ])
  func header(recording: String, expected: Bool) throws {
    func field(_ text: String, _ width: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0x20, count: width - text.utf8.count)
    }
    var bytes = field("0", 8) + field("X X X X", 80) + field(recording, 80) + field("01.01.26", 8)
    bytes += field("00.00.00", 8) + field("512", 8) + field("", 44) + field("1", 8) + field("1", 8) + field("1", 4)
    bytes += field("ECG", 16) + field("", 80) + field("mV", 8) + field("-1", 8) + field("1", 8) + field("-32768", 8)
    bytes += field("32767", 8) + field("", 80) + field("4", 8) + field("", 32) + [UInt8](repeating: 1, count: 8)
    #expect(try isSimulated(bytes) == expected)
  }
}
