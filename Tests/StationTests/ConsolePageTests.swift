import Basics
import Foundation
import TestSupport
import Testing

@Suite("The operator's console, in a browser", .serialized)
struct ConsolePageTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Long", "version": "1", "clips": { "folder": "clips" },
      "steps": [
        { "kind": "rest", "identifier": "rest", "title": "Rest", "text": "Sit still.", "stepDuration": 600,
          "shouldStartTimerAutomatically": true,
          "recorderConfigurations": [{ "identifier": "hr", "quantityType": "heartRate" }] } ] }
    """

  @Test("A session is watched and steered, and goes on without the console; what was asked for is recorded")
  func operates() async throws {
    try bench.write(Self.study, to: "p.json")
    let (session, walk) = try await Turns.trials.take {
      let session = try bench.start(
        [
          "run", "p.json", "--participant", "p1", "--sensor", "hr=simulated", "--speaker", "silent",
          "--no-sensor-check",
        ],
        input: .pipe, patience: 300)
      try await session.output.wait(for: "rest: started") {}
      let console = try bench.start(["console"], input: .nothing, patience: 300)
      try await console.output.wait(for: "console.html") {}
      let door = try #require(console.output.text.firstMatch(of: /open (\S+console\.html)/)?.output.1)
      let walk = try Child(
        "/usr/bin/nice",
        ["-n", "19", Repository.python, "\(Repository.root)/Tests/StationTests/Page/console.py", String(door)],
        in: bench.path, patience: 300)
      #expect(await walk.end() == 0, "\(walk.complaints.text)\(session.output.text)\(session.complaints.text)")
      _ = await session.end()
      console.send(SIGINT)
      #expect(await console.end() == 0, "\(console.complaints.text)")
      return (session, walk)
    }
    let report = try JSONReader.read(Array(walk.output.text.utf8)).value
    #expect(report["wrong"] == [], "\(walk.output.text)")
    #expect(report["who"] == "participant p1 · session 1" && report["kept"] == true, "\(walk.output.text)")
    #expect(report["screen"]?.string?.contains("Sit still.") == true, "\(walk.output.text)")
    let result = try bench.result(try #require(bench.bundles().first, "\(session.complaints.text)"))
    let remarks = result["annotations"]?.array?.map { $0["text"]?.string }
    #expect(remarks == ["opened the door", "coughed"], "\(result["annotations"]?.text() ?? "")")
    #expect(result["outcome"] == "stopped")
    #expect(result.caveats().contains("paused"), "\(result.caveats())")
    #expect(bench.names(in: "results/sessions").filter { $0.hasSuffix(".socket") } == [])
  }

  private static let pieces = """
    { "format": "station.protocol/1", "identifier": "Pieces", "version": "1", "title": "Two pieces",
      "clips": { "folder": "clips" },
      "steps": [
        { "kind": "instruction", "identifier": "welcome", "title": "Welcome", "text": "Press Next." },
        { "kind": "trials", "identifier": "pieces",
          "design": { "conditions": [
              { "name": "First", "clips": { "from": ["high"] } }, { "name": "Second", "clips": { "from": ["low"] } } ],
            "order": "fixed" },
          "steps": [
            { "kind": "music", "identifier": "piece", "title": "Listen", "stepDuration": 1,
              "clip": { "choose": "condition" }, "shouldStartTimerAutomatically": true,
              "recorderConfigurations": [{ "identifier": "hr", "quantityType": "heartRate" }] } ] } ] }
    """

  @Test(
    "A session is opened and left without a trace, opened again, and started; a code that exists is asked for again")
  func starts() async throws {
    try bench.write(Self.pieces, to: "pieces.json")
    try bench.write(#"{ "format": "station.protocol/1", "identifier": "#, to: "broken.json")
    let walk = try await Turns.trials.take { try await self.walk("start.py", console: ["--studies", "."]) }
    let report = try JSONReader.read(Array(walk.output.text.utf8)).value
    #expect(report["wrong"] == [], "\(walk.output.text)")
    #expect(report["studies"]?.string?.contains("broken.json") == true, "\(walk.output.text)")
    #expect(report["started"] == false && report["afterBack"] == 0, "\(walk.output.text)")
    #expect(report["again"] == true, "\(walk.output.text)")
    let results = try bench.bundles().map(bench.result)
    #expect(results.count == 3)
    #expect(results.allSatisfy { $0["participant"] == "p01" && $0["session"] == "1" })
    #expect(bench.names(in: "results/sessions").count == 1)
    #expect(bench.names(in: "results/open") == [])
  }

  @Test(
    "Beats are deleted, put in, moved, marked and signed with the keyboard, and nothing but the file beside changes")
  func correctsBeats() async throws {
    let recorders = [
      Bench.recorder("ecg", "electrocardiogram", "mV", settle: 1), Bench.recorder("rr", "rrInterval", "ms", settle: 1),
    ]
    try bench.write(Bench.music(seconds: 9, recorders: recorders, more: Bench.looped), to: "long.json")
    let sensor = "simulated:quantity=electrocardiogram,sampling_hz=250"
    let walk = try await Turns.trials.take {
      let trial = try await bench.run(bench.trial(of: "long.json", sensors: ["ecg=\(sensor)", "rr=\(sensor)"]))
      #expect(trial.status == 0, "\(trial.complaints)")
      return try await self.walk("beats.py")
    }
    let report = try JSONReader.read(Array(walk.output.text.utf8)).value
    #expect(report["wrong"] == [], "\(walk.output.text)")
    #expect(report["states"] == ["applies", "applies", "applies", "undone", "applies"], "\(walk.output.text)")
    let bundle = try #require(bench.bundles().first)
    let listed = try await bench.run(["corrections", bundle, "--json"])
    let entries = try JSONReader.read(Array(listed.output.utf8)).value.array?.first?["entries"]?.array ?? []
    #expect(
      entries.compactMap { $0["edit"]?.string } == [
        "deleteBeat", "insertBeat", "moveBeat", "unusable", "undo", "reviewed", "deleteBeat", "deleteBeat",
      ])
    #expect(entries.compactMap { $0["author"]?.string } == Array(repeating: "AB", count: 6) + ["CD", "CD"])
    #expect(entries.last?["recorder"] == "ecg")
    let moved = (entries[2]["to_ns"]?.integer ?? 0) - (entries[2]["from_ns"]?.integer ?? 0)
    #expect((moved - 50_000_000).magnitude < 1_000_000)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("Settings are changed with the checks of the file, and a participant is withdrawn when the code is typed again")
  func keepsHouse() async throws {
    try bench.write(Self.pieces, to: "pieces.json")
    let simulated = try await bench.run(["simulate", "pieces.json", "--participants=2", "--results=results"])
    #expect(simulated.status == 0, "\(simulated.complaints)")
    let walk = try await Turns.trials.take { try await self.walk("house.py", "sim1") }
    let report = try JSONReader.read(Array(walk.output.text.utf8)).value
    #expect(report["wrong"] == [] && report["rows"] == 2, "\(walk.output.text)")
    let settings = try JSONReader.read(File.contents(of: bench.scratch["results/station.json"])).value
    #expect(settings == ["format": "station.settings/1", "labels": ["moved", "left the room"]])
    let left = try bench.bundles().map { try bench.result($0)["participant"]?.string }
    #expect(!left.isEmpty && left.allSatisfy { $0 == "sim2" })
  }

  /// Opens a console, and walks through it in a browser.
  private func walk(_ script: String, _ words: String..., console more: [String] = []) async throws -> Child {
    let console = try bench.start(["console"] + more, input: .nothing, patience: 300)
    try await console.output.wait(for: "console.html") {}
    let door = try #require(console.output.text.firstMatch(of: /open (\S+console\.html)/)?.output.1)
    let walk = try Child(
      "/usr/bin/nice",
      ["-n", "19", Repository.python, "\(Repository.root)/Tests/StationTests/Page/\(script)", String(door)] + words,
      in: bench.path, patience: 300)
    #expect(await walk.end() == 0, "\(walk.complaints.text)\(console.complaints.text)")
    console.send(SIGINT)
    #expect(await console.end() == 0, "\(console.complaints.text)")
    return walk
  }
}
