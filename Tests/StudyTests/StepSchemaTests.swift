import Basics
import Foundation
import TestSupport
import Testing

@testable import Study

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

  @Test("The schema of results describes every note of a step, and its members")
  func notes() throws {
    let path = "protocols/result.schema.json"
    var schema = try Lines(String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8))
    let cases = StepKinds.notes.enumerated().flatMap { index, note in
      let members: JSONValue = [
        "type": "object", "description": .string("\(note.summary.prefix(1).uppercased())\(note.summary.dropFirst())."),
        "properties": .object(note.rows), "required": .array(note.rows.keys.sorted().map { .string($0) }),
        "additionalProperties": false,
      ]
      let rule: JSONValue = [
        "if": ["properties": ["note": ["const": .string(note.name)]]], "then": ["properties": ["members": members]],
      ]
      var lines = rule.text(pretty: true).split(separator: "\n").map { "        \($0)" }
      if index < StepKinds.notes.count - 1 { lines[lines.count - 1] += "," }
      return lines
    }
    try schema.replace(inside: ["    \"note\": {", "      \"allOf\": ["], with: cases)
    try Golden.compare(schema.lines.joined(separator: "\n"), with: path)
  }

  @Test("A note that says nothing of its members, or something else of them, is a problem of its result")
  func checkedNotes() throws {
    let good = NotedValue(ChosenVolume(gain: -3))
    #expect(good.jsonProblem == nil && good.value(as: ChosenVolume.self)?.gain == -3)
    let texts = [#"{ "note": "volume", "members": {} }"#, #"{ "note": "volume", "members": { "gain_dB": "loud" } }"#]
    for text in texts {
      #expect(throws: JSONCodingError.self) {
        try JSONReader.read(Array(text.utf8)).value.decoded(as: NotedValue.self)
      }
    }
    let unknown = #"{ "note": "ofAnotherStation", "members": { "what": [1] } }"#
    let value: NotedValue = try JSONReader.read(Array(unknown.utf8)).value.decoded()
    #expect(value.members == ["what": [1]] && value.objection == nil)
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
      let end = try #require(
        lines[start...].firstIndex { $0.hasPrefix(indent + (openings.last?.hasSuffix("[") == true ? "]" : "}")) })
      lines.replaceSubrange(start..<end, with: body)
    }
  }
}
