import Basics
import Foundation
import TestSupport
import Testing

@Suite("What commands print with --json")
struct AnswersTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  /// Runs a command with `--json`, and returns its status and the one document that it printed.
  private func answer(_ words: [String]) async throws -> (status: Int32, value: JSONValue, complaints: String) {
    let (status, output, complaints) = try await bench.run(words + ["--json"])
    return (status, try JSONReader.read(Array(output.utf8)).value, complaints)
  }

  /// Holds documents against the schema of their command, by PyPI's jsonschema.
  static func check(_ documents: [(command: String, value: JSONValue)]) throws {
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      schema = json.load(open("\(Repository.root)/protocols/answers.schema.json"))
      Validator.check_schema(schema)
      for command, document in json.load(sys.stdin):
          part = {"$ref": "#/$defs/" + command.replace(" ", "%20"), "$defs": schema["$defs"]}
          for error in Validator(part).iter_errors(document):
              print(command, error.json_path, error.message[:300])
          assert Validator(schema).is_valid(document), command
          assert not Validator(part).is_valid({"surprise": document}), command
      """
    let input = JSONValue.array(documents.map { [.string($0.command), $0.value] }).text()
    let run = try Program.run(Repository.python, ["-c", script], input: input)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }

  @Test("The problems of protocols have line, column and path, and nothing stands on standard error")
  func validate() async throws {
    try bench.write(Bench.music(seconds: 1, choice: #"{ "name": "hihg" }"#), to: "misspelt.json")
    let found = try await answer(["validate", "short.json", "misspelt.json", "nowhere.json"])
    #expect(found.status == 3 && found.complaints.isEmpty)
    let checks = try #require(found.value.array)
    #expect(checks.map { $0["isValid"]?.bool } == [true, false, false])
    #expect(checks[0]["activeSteps_s"]?.number == 1)
    #expect(checks[0]["clips"]?.integer == 2)
    let problem = try #require(checks[1]["problems"]?.array?.first)
    #expect(problem["line"]?.integer == 5)
    #expect(problem["path"]?.string == "/steps/1/clip/name")
    #expect(problem["reason"]?.string?.contains("did you mean “high”") == true)
    #expect(checks[2]["problems"]?.array?.first?["line"] == nil)
    try Self.check([("validate", found.value)])
  }

  @Test("Clips, files that are skipped and problems of the list are rows of one answer")
  func clips() async throws {
    try bench.write(
      #"{"format":"station.clips/1","clips":[{"name":"gone","file":"gone.mp3"}]}"#, to: "clips/clips.json")
    try bench.write("x", to: "clips/notes.txt")
    let found = try await answer(["clips", "clips"])
    let rows = try #require(found.value.array)
    #expect(found.status == 1)
    #expect(rows.map { $0["file"]?.string } == ["high.mp3", "low.mp3", "notes.txt", "clips.json"])
    #expect(rows.map { $0["problem"]?.string != nil } == [false, false, true, true])
    try Self.check([("clips", found.value)])
  }

  @Test("Settings are listed with their files")
  func settings() async throws {
    try bench.write(
      #"{"format":"station.settings/1","sensors":{"heartRate":"simulated"},"language":"fr"}"#,
      to: "results/station.json")
    let found = try await answer(["settings", "--results", "results"])
    let rows = try #require(found.value["settings"]?.array)
    #expect(rows.map { $0["from"]?.string } == ["results", "default", "default", "results", "default"])
    #expect(found.value["files"]?.array?.first?["found"]?.bool == true)
    try Self.check([("settings", found.value)])
  }

  @Test("Bundles and trials that were left open are told whole")
  func bundles() async throws {
    try MadeTrial().write(to: bench.scratch["results/bundles/made"])
    let open = bench.scratch["results/open/torn"]
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
    let verified = try await answer(["verify", "results/bundles/made", "nowhere"])
    #expect(verified.status == 1 && verified.complaints.isEmpty)
    #expect(verified.value.array?.map { $0["isWhole"]?.bool } == [false, false])
    #expect(verified.value.array?.last?["problems"]?.array == ["there is no bundle “nowhere”"])
    let recovered = try await answer(["recover"])
    #expect(recovered.value.array?.map { $0["trial"]?.string } == ["torn"])
    try Self.check([("verify", verified.value), ("recover", recovered.value)])
  }

  @Test("A file that was imported has its counts, its problems with their lines, and what is said of the person")
  func imported() async throws {
    try bench.write(
      "time,value,unit,type,mood\n2026-01-02T08:00:00Z,61,count/min,heartRate,calm\n"
        + "2026-01-02T08:00:01Z,NaN,count/min,heartRate,calm\n", to: "rates.csv")
    try bench.write(
      """
      <HealthData locale="en_GB">
       <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-02"/>
       <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" \
      startDate="2026-01-02 08:00:00 +0100" endDate="2026-01-02 08:00:00 +0100" value="70"/>
      </HealthData>

      """, to: "export.xml")
    let found = try await answer(["store", "import", "rates.csv", "export.xml", "nowhere.csv"])
    #expect(found.status == 1 && found.complaints.isEmpty)
    let files = try #require(found.value.array)
    #expect(files.map { $0["added"]?.integer } == [1, 1, 0])
    #expect(files[0]["problems"]?.array?.first?["line"]?.integer == 3)
    #expect(files[0]["columnsNotRead"]?.array == ["mood"])
    #expect(
      files[1]["characteristics"]?.array == [["name": "dateOfBirth", "value": "1990-01-02", "known": nil]])
    #expect(files[2]["error"]?.string?.contains("nowhere.csv") == true)
    let again = try await answer(["store", "import", "export.xml"])
    #expect(again.status == 0)
    #expect(again.value.array?.first?["characteristics"]?.array?.first?["known"]?.string == "1990-01-02")
    try Self.check([("store import", found.value), ("store import", again.value)])
  }

  @Test("What is written into the store and decided about it is told as it then stands")
  func writing() async throws {
    let sample = try await answer(["log", "bodyMass", "70kg", "--participant", "p1"])
    let sex = try await answer(["log", "biologicalSex", "female", "--participant", "p1"])
    #expect(sample.value["value"]?.number == 70)
    #expect(sex.value == ["participant": "p1", "biologicalSex": "female"])
    let listed = try await bench.run(["query", "bodyMass", "--json"]).output
    #expect(try JSONReader.read(Array(listed.utf8)).value == sample.value)
    let order = try await answer(["store", "priority", "station log"])
    #expect(order.value == [["bundleIdentifier": "station.log", "names": ["station log"]]])
    let decided = try await answer(["store", "authorize", "app", "bodyMass", "--read", "yes"])
    let all = try await answer(["store", "authorize"])
    #expect(decided.value.array?.first?["read"]?.string == "yes")
    #expect(decided.value == all.value)
    let added = try await answer(["store", "add", "nowhere"])
    #expect(added.status == 1 && added.value["problems"]?.array?.first?["path"]?.string == "nowhere")
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles"], withIntermediateDirectories: false)
    let rebuilt = try await answer(["store", "rebuild"])
    #expect(rebuilt.value["trialsWithoutBundle"]?.integer == 0)
    let removed = try await answer(["store", "rebuild", "--remove-missing"])
    #expect(removed.value["removed"] == ["trials": 0, "samples": 0])
    let anew = try await answer(["store", "rebuild", "--from-scratch"])
    #expect(anew.value["oldStore"]?.string?.contains("station.sqlite") == true)
    _ = try await bench.run(["log", "bodyMass", "71kg"])
    let deleted = try await answer(["store", "delete", "--type", "bodyMass"])
    #expect(deleted.value == ["deleted": 1, "types": ["HKQuantityTypeIdentifierBodyMass": 1]])
    try Self.check([
      ("log", sample.value), ("log", sex.value), ("store priority", order.value), ("store authorize", all.value),
      ("store add", added.value), ("store rebuild", rebuilt.value), ("store rebuild", removed.value),
      ("store rebuild", anew.value), ("store delete", deleted.value),
    ])
  }
}
