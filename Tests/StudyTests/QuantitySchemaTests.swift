import Basics
import Foundation
import Quantities
import Study
import TestSupport
import Testing

/// The schema's lists of quantity types and units follow from the types; `STATION_RECORD=1` rewrites them.
@Suite("Quantity types in the schema of protocols")
struct QuantitySchemaTests {
  private static let path = "protocols/protocol.schema.json"

  @Test("The schema lists every type that a recorder can record, with its units")
  func lists() throws {
    var lines = try String(contentsOfFile: "\(Repository.root)/\(Self.path)", encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (name, body) in [("quantityType", Self.types), ("recordedUnit", Self.units)] {
      let start = try #require(lines.firstIndex(of: "    \"\(name)\": {"))
      let end = try #require(lines[start...].firstIndex { $0 == "    }," || $0 == "    }" })
      lines.replaceSubrange(start + 1..<end, with: body)
    }
    try Golden.compare(lines.joined(separator: "\n"), with: Self.path)
  }

  @Test(
    "A file that every bundle has is not a name for another quantity's recorder",
    arguments: [
      ("heart", "heartRate", 0), ("heart", "skinConductance", 1), ("Result", "bodyTemperature", 1),
      ("waveforms", "respiratoryRate", 1), ("hearts", "skinConductance", 0),
    ])
  func reserved(identifier: String, type: String, problems: Int) throws {
    let text = """
      {"format":"station.protocol/1","identifier":"p","version":"1","steps":[{"kind":"rest","identifier":"r",
      "stepDuration":1,"recorderConfigurations":[{"identifier":"\(identifier)","quantityType":"\(type)"}]}]}
      """
    var found: [JSONPointer] = []
    do throws(ProtocolProblems) {
      _ = try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json")
    } catch {
      found = error.problems.map(\.path)
    }
    #expect(
      found.map(\.description) == Array(repeating: "/steps/0/recorderConfigurations/0/identifier", count: problems))
  }

  @Test("A recorder's default unit is one of those that it can be recorded in", arguments: QuantityType.recordable)
  func units(type: QuantityType) {
    #expect(type.recordedUnits.first == type.defaultUnit)
    #expect(type.recordedUnits.allSatisfy { $0.isCompatible(with: type.canonicalUnit) })
    #expect(Set(type.recordedUnits).count == type.recordedUnits.count)
  }

  private static func names(_ type: QuantityType) -> [String] { type.names + [type.healthKitIdentifier] }

  private static var types: [String] {
    let names = QuantityType.recordable.flatMap(Self.names)
    return [
      "      \"description\": \"What is recorded, by the word for a sensor's channel, by the station's name or by HealthKit's.\",",
      "      \"enum\": [",
    ] + wrapped(names, indent: 8) + ["      ]"]
  }

  private static var units: [String] {
    var groups: [(units: [String], types: [QuantityType])] = []
    for type in QuantityType.recordable {
      var units = type.recordedUnits.map(\.symbol)
      if units.contains("count/min") { units += ["beats/min", "bpm"] }
      if let place = groups.firstIndex(where: { $0.units == units }) {
        groups[place].types.append(type)
      } else {
        groups.append((units, [type]))
      }
    }
    let rules = groups.map { group in
      ["        {", "          \"if\": {", "            \"properties\": {", "              \"quantityType\": {"]
        + ["                \"enum\": ["] + wrapped(group.types.flatMap(names), indent: 18) + ["                ]"]
        + ["              }", "            },", "            \"required\": [\"quantityType\"]", "          },"]
        + ["          \"then\": {", "            \"properties\": {", "              \"unit\": {"]
        + ["                \"enum\": ["] + wrapped(group.units, indent: 18) + ["                ]"]
        + ["              }", "            }", "          }", "        }"]
    }
    let text = rules.map { $0.joined(separator: "\n") }.joined(separator: ",\n")
    return [
      "      \"description\": \"The units in which each quantity can be written.\",", "      \"allOf\": [",
    ] + text.split(separator: "\n").map(String.init) + ["      ]"]
  }

  private static func wrapped(_ names: [String], indent: Int) -> [String] {
    var lines = [""]
    for (index, name) in names.enumerated() {
      let word = "\"\(name)\"" + (index + 1 < names.count ? "," : "")
      if lines[lines.count - 1].count + word.count + 1 + indent > 118 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }
}
