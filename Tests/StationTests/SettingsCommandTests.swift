import Basics
import TestSupport
import Testing

@Suite("Settings in a results folder and of a user")
struct SettingsCommandTests {
  private static let user = ".config/station/station.json"

  let bench: Bench

  init() throws {
    bench = try Bench()
    try Folder.ensure(bench.scratch["results"])
    try Folder.ensure(bench.scratch[".config/station"])
  }

  @Test("station settings shows what applies, and from which file")
  func shown() async throws {
    try write(#""sensors":{"heartRate":"simulated"},"language":"fr""#, to: "results/station.json")
    try write(#""sensors":{"heartRate":"lines:-"},"speaker":"silent","language":"de""#, to: Self.user)
    let (status, output, complaints) = try await bench.run(["settings", "--json"])
    #expect(status == 0 && complaints.isEmpty, "\(complaints)")
    let rows = try #require(try JSONReader.read(Array(output.utf8)).value["settings"]?.array)
    let shown = rows.map { "\($0["name"]?.string ?? "") \($0["value"]?.text() ?? "") \($0["from"]?.string ?? "")" }
    #expect(
      shown == [
        #"sensors.heartRate "simulated" results"#, #"speaker "silent" user"#, "outputLatency_ms 0 default",
        #"language "fr" results"#, #"participants "results/participants.sqlite" default"#,
      ])
  }

  @Test("Settings are changed one by one, what would not be valid changes nothing, and other members stay")
  func changed() async throws {
    try write(#""speaker":"silent","x-note":"ours""#, to: "results/station.json")
    let words = [
      "--set", "sensors.chest=simulated:seed=3", "--set", #"labels=["moved","left"]"#, "--set", "outputLatency_ms=12.5",
      "--remove", "speaker",
    ]
    let changed = try await bench.run(["settings", "--json"] + words)
    #expect(changed.status == 0, "\(changed.complaints)")
    try AnswersTests.check([("settings", try JSONReader.read(Array(changed.output.utf8)).value)])
    func file() throws -> JSONValue {
      try JSONReader.read(File.contents(of: bench.scratch["results/station.json"])).value
    }
    let expected: JSONValue = [
      "format": "station.settings/1", "x-note": "ours", "labels": ["moved", "left"], "outputLatency_ms": 12.5,
      "sensors": ["chest": "simulated:seed=3"],
    ]
    #expect(try file() == expected)
    for (words, status) in [
      (["--set", "speeker=silent"], Int32(3)), (["--set", "outputLatency_ms=soon"], 3),
      (["--set", "sensors.chest=nonsense:"], 3), (["--remove", "speaker"], 3), (["--set", "speaker"], 2),
      (["--user"], 2),
    ] {
      let refused = try await bench.run(["settings"] + words)
      #expect(refused.status == status && !refused.complaints.isEmpty, "\(words): \(refused)")
      #expect(try file() == expected)
    }
    _ = try await bench.run(["settings", "--user", "--set", "language=de"])
    #expect(try File.contents(of: bench.scratch[Self.user]).count > 20)
  }

  @Test("A mistake stops a run before anything is recorded, and a misspelt key is found")
  func mistake() async throws {
    try write(#""speeker":"silent""#, to: "results/station.json")
    let (status, output, complaints) = try await bench.run(bench.trial())
    #expect(status == 3 && output.isEmpty)
    #expect(complaints.contains("results/station.json:1:"), "\(complaints)")
    #expect(bench.names(in: "results") == ["station.json"])
  }

  @Test("Another of the station's files in the place of settings or of a protocol is one problem, with what to do")
  func otherFile() async throws {
    try bench.write(Bench.music(seconds: 1), to: "results/station.json")
    let settings = try await bench.run(["settings"])
    #expect(settings.status == 3 && settings.complaints.contains("“station validate”"), "\(settings.complaints)")
    #expect(settings.complaints.split(separator: "\n").count == 1)
    try write(#""speaker":"silent""#, to: "results/station.json")
    let validated = try await bench.run(["validate", "results/station.json"])
    #expect(validated.status == 3 && validated.complaints.contains("“station settings”"), "\(validated.complaints)")
    #expect(validated.complaints.split(separator: "\n").count == 1)
  }

  @Test("A run takes sensor and speaker from the settings, and a sensor without a recorder is not an error")
  func run() async throws {
    try write(
      #""sensors":{"heartRate":"simulated:seed=7","spare":"simulated"},"speaker":"silent""#, to: Self.user)
    let run = try await Turns.trials.take {
      try await bench.run(bench.trial(["--unattended"], sensors: []))
    }
    #expect([0, 4].contains(run.status), "\(run.complaints)")
    let result = try bench.result(try #require(bench.bundles().first))
    #expect(result.text().contains("simulated:seed=7"))
  }

  private func write(_ members: String, to name: String) throws {
    try bench.write(#"{"format":"station.settings/1",\#(members)}"#, to: name)
  }
}
