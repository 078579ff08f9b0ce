import Basics
import Foundation
import TestSupport
import Testing

@Suite("Simulated data")
struct SimulatedDataTests {
  let bench: Bench
  private static let mark = "simulated data"

  init() throws { bench = try Bench() }

  /// A study of a session of two conditions, simulated for three people.
  private func simulate(_ results: String = "made") async throws {
    try bench.write(Self.study, to: "study.json")
    let made = try await bench.run(["simulate", "study.json", "--participants", "3", "--results", results])
    try #require(made.status == 0, "\(made.complaints)")
  }

  /// A trial of a person's, and one of a rehearsal.
  private func runBoth() async throws {
    // Long enough for a beat of the simulated heart, also where its first ones come late.
    try bench.write(Bench.music(seconds: 4, more: Bench.looped), to: "music.json")
    for (participant, sensor) in [("p1", Bench.steady), ("demo", "simulated:seed=3")] {
      let run = try await bench.run([
        "run", "music.json", "--participant", participant, "--sensor", "heartRate=\(sensor)", "--speaker", "silent",
        "--unattended",
      ])
      try #require(run.status == 0 || run.status == 4, "\(run.complaints)")
    }
  }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Study", "version": "1", "clips": { "folder": "clips" },
      "steps": [
        { "kind": "trials", "identifier": "trials",
          "design": { "order": "balancedLatinSquare",
            "conditions": [ { "name": "tone", "clips": { "from": ["high"] } }, { "name": "silence", "clips": "silence" } ] },
          "steps": [
            { "kind": "rest", "identifier": "rest", "stepDuration": 20, "shouldStartTimerAutomatically": true,
              "shouldContinueOnFinish": true, "recorderConfigurations": [\(Bench.recorder("hr", "heartRate", "count/min"))] },
            { "kind": "music", "identifier": "music", "clip": { "choose": "condition" }, "stepDuration": 20,\(Bench.looped)
              "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
              "recorderConfigurations": [\(Bench.recorder("hr2", "heartRate", "count/min"))] } ] },
        { "kind": "completion", "identifier": "end" } ] }
    """

  @Test("Rows of statistics are marked as simulated by themselves, with and without sources", arguments: [false, true])
  func statistics(isBySource: Bool) async throws {
    try await Turns.trials.take { try await runBoth() }
    let words = ["stats", "heartRate", "--include", "simulated", "--by", "participant", "--csv"]
    let answer = try await bench.run(words + (isBySource ? ["--by-source"] : []))
    #expect(answer.status == 0, "\(answer.complaints)")
    let rows = answer.output.split(separator: "\n").dropFirst()
    for (participant, isSimulated) in [("p1", false), ("demo", true)] {
      let own = rows.filter { $0.hasPrefix("\(participant),") }
      #expect(own.count == (isBySource ? 2 : 1))
      #expect(own.allSatisfy { $0.contains(",\(isSimulated),") && !$0.contains(",\(!isSimulated),") }, "\(own)")
    }
  }

  @Test(
    "Every text of a simulated study says so",
    arguments: [
      ["analyse", "made", "--by", "condition", "--measure", "meanHeartRate"], ["analyse", "BUNDLE"],
      ["report", "made", "--output", "-"], ["report", "BUNDLE", "--output", "-"], ["show", "BUNDLE"],
      ["chart", "pie", "made"], ["chart", "response", "made", "--rows", "5", "--columns", "20"],
      ["chart", "range", "made"], ["chart", "heartRate", "BUNDLE"], ["chart", "tachogram", "BUNDLE"],
      ["chart", "poincare", "BUNDLE"], ["chart", "spectrum", "BUNDLE"],
    ])
  func texts(words: [String]) async throws {
    try await simulate()
    let bundle = try #require(bench.bundles(in: "made").last)
    let told = try await bench.run(words.map { $0 == "BUNDLE" ? bundle : $0 })
    // The samples themselves, which programs read, have it beside them.
    #expect(
      (told.output + (words[0] == "show" ? told.complaints : "")).lowercased().contains(Self.mark), "\(words)\n\(told)")
  }

  @Test("Every picture has the mark as text, however small it is", arguments: ["svg", "png", "pdf"])
  func pictures(ending: String) async throws {
    try await simulate()
    for (kind, operand) in [("pie", "made"), ("response", "made"), ("heartRate", bench.bundles(in: "made").last ?? "")]
    {
      let call = ["chart", kind, operand, "--output", "\(kind).\(ending)", "--size", "120x120"]
      let drawn = try await bench.run(call)
      try #require(drawn.status == 0, "\(drawn)")
      let file = bench.scratch["\(kind).\(ending)"]
      switch ending {
      case "svg": #expect(try String(contentsOfFile: file, encoding: .utf8).contains(">\(Self.mark)</text>"), "\(kind)")
      case "pdf": #expect(try Program.run("pdftotext", [file, "-"]).output.contains(Self.mark), "\(kind)")
      default: continue
      }
    }
  }

  @Test(
    "Every export of a simulated study says so in its files",
    arguments: [
      ("table", "trials.csv", "simulated"), ("table", "beats.csv", "simulated"),
      ("table", "datapackage.json", "simulated data: all"),
      ("bids", "dataset_description.json", "simulated data"), ("bids", "README.md", "simulated data"),
      ("fhir", ".json", "HTEST"), ("omh", ".jsonl", "simulated data"), ("researchkit", ".json", "simulated data"),
      ("jsonl", ".jsonl", #""simulated":true"#),
    ])
  func exports(form: String, file: String, words: String) async throws {
    try await simulate()
    let exported = try await bench.run(["export", form, "made", "--to", "out"])
    #expect(exported.status == 0 && exported.output.contains(Self.mark), "\(exported)")
    let root = bench.scratch["out"]
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    let path = try #require(files.first { $0.hasSuffix(file) && !$0.contains("station-") }, "\(files)")
    #expect(try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).contains(words))
  }

  @Test("A session refuses a folder of simulated trials, and leaves it as it was")
  func folder() async throws {
    try await simulate("results")
    let before = bench.names(in: "results")
    let run = try await bench.run(bench.trial())
    #expect(run.status == 1 && run.output.isEmpty && run.complaints.contains("station simulate"))
    #expect(bench.names(in: "results") == before)
  }

  @Test("The store takes no trial of a simulation, whatever the path")
  func store() async throws {
    try await simulate()
    let copy = bench.scratch["copied"]
    try FileManager.default.copyItem(atPath: try #require(bench.bundles(in: "made").first), toPath: copy)
    try Folder.create(bench.scratch["other"])
    for words in [["--results", "made"], ["copied", "--results", "other"]] {
      let added = try await bench.run(["store", "add", "--json"] + words)
      let answer = try JSONReader.read(Array(added.output.utf8)).value
      try AnswersTests.check([("store add", answer)])
      #expect(added.status == 1 && answer["addedBundles"]?.integer == 0)
      #expect(answer["simulatedBundles"]?.integer == answer["bundles"]?.integer)
    }
    let rebuilt = try await bench.run(["store", "rebuild", "--results", "made", "--json"])
    let answer = try JSONReader.read(Array(rebuilt.output.utf8)).value
    try AnswersTests.check([("store rebuild", answer)])
    #expect(answer["addedSamples"]?.integer == 0 && answer["simulatedBundles"]?.integer != 0)
  }

  @Test("A rehearsal's trial is marked by its sensor, and left out beside people's unless it is asked for")
  func rehearsal() async throws {
    try await runBoth()
    let results = try bench.bundles().map { try bench.result($0) }
    #expect(results.map { $0["simulated"]?.bool } == [false, true])
    #expect(results.map { $0["simulatedSensors"]?.array } == [nil, ["simulated:seed=3"]])
    let call = [
      "analyse", "results", "--by", "participant", "--measure", "meanHeartRate", "--window", "whole", "--json",
    ]
    for (more, trials, simulated, leftOut) in [([], 1, 0, 1), (["--include", "simulated"], 2, 1, 0)] {
      let analysed = try await bench.run(call + more)
      let answer = try JSONReader.read(Array(analysed.output.utf8)).value
      #expect(answer["trials"]?.integer == trials && answer["simulatedTrials"]?.integer == simulated)
      #expect(answer["simulatedLeftOut"]?.integer == leftOut)
      #expect(analysed.complaints.contains("--include simulated") == (leftOut > 0))
      let exported = try await bench.run(["export", "table", "results", "--to", "t\(trials)", "--json"] + more)
      #expect(try JSONReader.read(Array(exported.output.utf8)).value["trials"]?.integer == trials)
      let dataset = try await bench.run(["export", "bids", "results", "--to", "b\(trials)", "--json"] + more)
      #expect(try JSONReader.read(Array(dataset.output.utf8)).value["trials"]?.integer == trials)
      let stats = try await bench.run(["stats", "heartRate", "--by", "participant", "--json"] + more)
      let statistics = try JSONReader.read(Array(stats.output.utf8)).value
      #expect(statistics["statistics"]?.array?.count == trials)
      #expect((statistics["simulatedSamples"]?.integer ?? 0 > 0) == (simulated > 0))
      #expect(stats.complaints.contains("--include simulated") == (leftOut > 0))
      let page = try await bench.run(["report", "results", "--output", "-"] + more)
      #expect(page.output.contains("Simulated data") == (simulated > 0))
    }
  }

  @Test(
    "Where all trials are a rehearsal's, the answer says what to do",
    arguments: [
      ["analyse", "results"], ["report", "results"], ["chart", "pie", "results"],
      ["export", "table", "results", "--to", "t"], ["export", "bids", "results", "--to", "b"],
    ])
  func onlyRehearsal(words: [String]) async throws {
    let run = try await bench.run(bench.trial(sensors: ["heartRate=simulated"]))
    try #require(run.status == 0 || run.status == 4)
    let refused = try await bench.run(words)
    #expect(refused.status == 1 && refused.complaints.contains("--include simulated"), "\(refused)")
    let taken = try await bench.run(words + ["--include", "simulated"])
    #expect(taken.status == 0, "\(taken)")
  }

  @Test("People's trials and simulated ones that are named together are not put together")
  func together() async throws {
    try await simulate()
    try await runBoth()
    let call = ["analyse", "results", "made", "--measure", "meanHeartRate", "--window", "whole", "--json"]
    let analysed = try await bench.run(call)
    let answer = try JSONReader.read(Array(analysed.output.utf8)).value
    #expect(answer["trials"]?.integer == 1 && answer["simulatedLeftOut"]?.integer ?? 0 > 1)
  }

  @Test("A measurement of a simulated sensor is not saved")
  func measure() async throws {
    try await simulate()
    let heart = try #require(bench.bundles(in: "made").last) + "/data/heart.json"
    for sensor in ["simulated", "replay:\(heart)"] {
      let refused = try await bench.run(["measure", "--sensor", sensor, "--for", "10s"])
      #expect(refused.status == 2 && refused.complaints.contains("--no-save"), "\(refused)")
    }
  }

  @Test(
    "A heart file of simulated data keeps its mark",
    arguments: [
      ["chart", "heartRate", "FILE"], ["chart", "range", "FILE"], ["analyse", "FILE"],
      ["report", "FILE", "--output", "-"],
      ["analyse", "FILE", "--csv"], ["analyse", "FILE", "--json"],
    ])
  func files(words: [String]) async throws {
    try await simulate()
    let heart = try #require(bench.bundles(in: "made").last) + "/data/heart.json"
    let told = try await bench.run(words.map { $0 == "FILE" ? heart : $0 })
    #expect(told.status == 0, "\(told)")
    let marks = [Self.mark, "Simulated data", ",true,", #""simulated": true"#]
    #expect(marks.contains { told.output.contains($0) }, "\(told)")
  }

  @Test("A trial that replays simulated data is a rehearsal's, and so is one that replays that")
  func replayed() async throws {
    try await simulate()
    var heart = try #require(bench.bundles(in: "made").last) + "/data/heart.json"
    try bench.write(Bench.music(seconds: 4, more: Bench.looped), to: "music.json")
    for number in 1...2 {
      // A short recording may be over before a sensor check begins.
      let run = try await bench.run([
        "run", "music.json", "--participant", "r\(number)", "--sensor", "heartRate=replay:\(heart)", "--speaker",
        "silent", "--unattended", "--no-sensor-check",
      ])
      try #require(run.status == 0 || run.status == 4, "\(run)")
      let bundle = try #require(bench.bundles().last)
      let result = try bench.result(bundle)
      #expect(result["simulated"]?.bool == true && result["simulatedSensors"]?.array?.count == 1)
      heart = bundle + "/data/heart.json"
    }
    let stats = try await bench.run(["stats", "heartRate", "--json"])
    #expect(stats.complaints.contains("--include simulated"), "\(stats)")
  }

  @Test("Documents of simulated data that are imported are left out of statistics")
  func imported() async throws {
    try await simulate()
    let exported = try await bench.run(["export", "omh", "made", "--to", "omh"])
    try #require(exported.status == 0, "\(exported)")
    let document = try #require(bench.names(in: "omh").first { $0.hasSuffix(".jsonl") })
    let imported = try await bench.run([
      "store", "import", "omh/\(document)", "--store", "i.sqlite", "--participant", "x1",
    ])
    try #require(imported.status == 0, "\(imported)")
    let all = ["stats", "heartRate", "--store", "i.sqlite", "--json"]
    let left = try await bench.run(all)
    #expect(left.complaints.contains("--include simulated"), "\(left)")
    let taken = try await bench.run(all + ["--include", "simulated"])
    let answer = try JSONReader.read(Array(taken.output.utf8)).value
    #expect(answer["simulatedSamples"]?.integer ?? 0 > 0, "\(taken)")
  }
}
