import Basics
import Foundation
import Study
import TestSupport
import Testing

/// What the schema of protocols says of each kind of step follows from the kinds; `STATION_RECORD=1` rewrites it.
@Suite("Kinds of step in the schema of protocols")
struct StepSchemaTests {
  private static let path = "protocols/protocol.schema.json"

  @Test("The schema lists every kind with its sentence, its display and the rows of its keys")
  func kinds() throws {
    var schema = try Lines(String(contentsOfFile: "\(Repository.root)/\(Self.path)", encoding: .utf8))
    let names = StepKinds.names + ["fitnessCheck"]
    let sentences = StepKinds.schema.map { "\($0.name): \($0.summary)." }
    let fitness = "fitnessCheck: stands for ResearchKit's steps of a walk and a rest."
    let description = (["What the step does."] + sentences + [fitness]).joined(separator: " ")
    try schema.replace(
      inside: ["    \"step\": {", "        \"kind\": {"],
      with: ["          \"description\": \(JSONValue.string(description).text()),", "          \"enum\": ["]
        + Self.listed(names.map { "            \"\($0)\"" }) + ["          ]"])
    try schema.replace(
      inside: ["    \"displays\": {", "        \"kinds\": {", "          \"properties\": {"],
      with: Self.listed(StepKinds.names.map { "            \"\($0)\": { \"$ref\": \"#/$defs/display\" }" }))
    for kind in StepKinds.schema {
      guard let rows = kind.rows, !rows.isEmpty else { continue }
      try schema.replace(
        inside: ["    \"\(kind.name)Step\": {", "      \"properties\": {"],
        with: rows.keys.sorted().enumerated().flatMap { index, name in
          Self.row(name, rows[name] ?? .null, isLast: index == rows.count - 1)
        })
    }
    try Golden.compare(schema.lines.joined(separator: "\n"), with: Self.path)
  }

  @Test("The schema describes the keys of every kind that has some", arguments: StepKinds.schema.map(\.name))
  func branches(kind: String) throws {
    let schema = try JSONReader.read(Array(Data(contentsOf: URL(filePath: "\(Repository.root)/\(Self.path)")))).value
    let branches = try #require(schema["$defs"]?["step"]?["allOf"]?.array)
    let branch = branches.first { $0["if"]?["properties"]?["kind"]?["const"] == .string(kind) }
    let hasKeys = try #require(StepKinds.schema.first { $0.name == kind }).rows?.isEmpty != true
    #expect((branch?["then"]?["$ref"]?.string != nil) == hasKeys)
  }

  private static func row(_ name: String, _ row: JSONValue, isLast: Bool) -> [String] {
    let members = ["description", "type", "minimum", "maximum", "default"].compactMap { key in
      row[key].map { "          \"\(key)\": \($0.text())" }
    }
    return ["        \"\(name)\": {"] + listed(members) + ["        }" + (isLast ? "" : ",")]
  }

  private static func listed(_ lines: [String]) -> [String] { lines.dropLast().map { $0 + "," } + lines.suffix(1) }

  /// The lines of a JSON file whose objects begin and end on lines of their own.
  private struct Lines {
    var lines: [String]

    init(_ text: String) { lines = text.components(separatedBy: "\n") }

    /// Replaces what stands inside of the last of some objects, each within the one before.
    mutating func replace(inside openings: [String], with body: [String]) throws {
      var start = lines.startIndex
      for opening in openings {
        start = try #require(lines[start...].firstIndex(of: opening), "\(opening)") + 1
      }
      let indent = String(openings[openings.count - 1].prefix { $0 == " " })
      let end = try #require(lines[start...].firstIndex { $0.hasPrefix(indent + "}") })
      lines.replaceSubrange(start..<end, with: body)
    }
  }
}
