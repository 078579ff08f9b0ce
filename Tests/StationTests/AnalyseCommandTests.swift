import Basics
import TestSupport
import Testing

@Suite("station analyse")
struct AnalyseCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let series = "\(Repository.root)/Tests/AnalysisTests/Series/nsrdb-short.txt"

  @Test("A text of intervals gives the reference values, raw and with definitions beside them")
  func text() async throws {
    let output = try await bench.analyse(Self.series, "--artefacts", "none", "--definitions")
    // NumPy's and SciPy's, see Tests/AnalysisTests/Series.
    for line in [
      "mean HR                  68.2  /min    337    299.6", "SDNN                     95.7  ms",
      "RMSSD                   101.3  ms",
      "SDSD                    101.5  ms", "pNN50                    48.5  %", "sample entropy           1.71",
      "LF                       1679  ms²", "HF                       5476  ms²",
      "LF/HF                    0.31",
      "LF                      power of NN from 0.04 to 0.15 Hz (method Welch",
      "warning: DFA α2: 337 intervals are fewer than 640",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    let document = try await bench.analyseJSON(Self.series, "--artefacts", "none", "--json")
    let measurements = document["recordings"]?.array?.first?["measurements"]?.array ?? []
    func value(_ measure: String) -> Double? {
      measurements.first { $0["measure"]?.string == measure }?["value"]?.number
    }
    for (measure, expected) in [
      ("rmssd", 101.300634017665), ("sdnn", 95.6903539877496), ("lf", 1678.88640609676), ("hf", 5476.11961373191),
      ("sampleEntropy", 1.71223876396758), ("sd2", 114.747821491532),
    ] { #expect((try #require(value(measure)) / expected - 1).magnitude < 1e-9, "\(measure)") }
  }

  @Test("Standard input, a pipe and a file give the same numbers")
  func standardInput() throws {
    let station = Bench.station
    let words = "--artefacts none --measure rmssd"
    for command in [
      "cat '\(Self.series)' | '\(station)' analyse - \(words)",
      "'\(station)' analyse <(cat '\(Self.series)') \(words)",
      "'\(station)' analyse /dev/stdin \(words) < '\(Self.series)'",
      "(echo rr_ms; cat '\(Self.series)') | '\(station)' analyse - \(words) --csv",
    ] {
      let (status, output, error) = try Program.run("bash", ["-c", command])
      #expect(status == 0, "\(error)")
      #expect(output.contains("101.3"), "\(command): \(output)")
    }
    let (status, _, error) = try Program.run("bash", ["-c", "'\(station)' analyse - < /dev/null"])
    #expect(status == 1)
    #expect(error.contains("“-” cannot be read: there is nothing in it"), "\(error)")
  }

  @Test("Artefacts are corrected unless told otherwise, and listed")
  func artefacts() async throws {
    let document = try await bench.analyseJSON(Self.series, "--json", "--measure", "rmssd")
    let artefacts = try #require(document["recordings"]?.array?.first?["artefacts"])
    #expect(artefacts["method"]?.string?.hasPrefix("Lipponen and Tarvainen 2019") == true)
    #expect(artefacts["found"]?.array?.isEmpty == false)
    let (altered, share) = (try #require(artefacts["altered"]?.number), try #require(artefacts["share"]?.number))
    #expect(altered > 0 && share == altered / 337)
    let output = try await bench.analyse(Self.series, "--artefacts", "range")
    #expect(output.contains("artefacts: none found; range filter: 300 to 2000 ms"))
    let narrow = try await bench.analyse(Self.series, "--artefacts", "range:700-1000,20%")
    #expect(narrow.contains("; range filter: 700 to 1000 ms, at most 20 % away from the median of 11"))
    let found = try #require(narrow.split(separator: "\n").first { $0.hasPrefix("artefacts: ") })
    // What is left out alters nothing beside it, so that the two numbers are one.
    let words = found.split(separator: " ")
    #expect(words[1] == words[3] && words[5] == "337", "\(found)")
  }

  @Test("A bundle is measured in its stimulus, with rest and recovery beside it and the response to the onset")
  func bundle() async throws {
    try MadeTrial().write(to: bench.scratch["trial"])
    let output = try await bench.analyse(
      "trial", "--measure", "meanHeartRate,RMSSD", "--response", "-10:10", "--bin", "5")
    for line in [
      "trial, heartRate, sensor “strap”", "trial: trial, P01, 1, MusicTask, clip “rain”, calm",
      "window: the stimulus, 19.990 to 40.010 s, 20.0 s",
      "mean HR   75.0  /min", "measure  unit  rest  stimulus  after  reactivity  recovery",
      "mean HR  /min  60.0      75.0   60.0        15.0     -15.0",
      "response to the onset at 19.990 s, baseline 60.0 /min from -10 to 0 s",
      "5.00  10.00      75.0              15.0       100",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    #expect(
      try await bench.analyse("trial", "--window", "step:rest").contains("window: the step “rest”, 0.000 to 19.000 s"))
    let bad = MadeTrial()
    var changed = bad
    changed.verdict = "bad"
    try changed.write(to: bench.scratch["bad"])
    #expect(
      try await bench.analyse("bad").contains("note: The trial's verdict is bad: playback failed: the sound was lost."))
  }

  @Test("One file that is broken does not keep the others from being measured")
  func several() async throws {
    try bench.write("0.8\n0.9\n0.85\n", to: "seconds.txt")
    let (status, output, complaints) = try await bench.run(["analyse", "seconds.txt", Self.series, "nothing"])
    #expect(status == 1)
    #expect(output.contains("RMSSD"))
    #expect(complaints.contains("“seconds.txt” cannot be read: its intervals are 0.85 in the middle"))
    #expect(complaints.contains("“nothing” cannot be read: there is no such file or folder"))
    #expect(
      try await bench.analyse("seconds.txt", "--interval-unit", "s", "--measure", "meanNN").contains(
        "mean NN  850.0  ms"))
  }

  @Test("Everything that is printed as JSON fits the published schema, by PyPI's jsonschema")
  func schema() async throws {
    let results = try bench.writeStudy()
    try bench.write("time,hr\n0,60\n1,61\n", to: "rates.csv")
    try MadeTrial().write(to: bench.scratch["trial"])
    let documents = [
      try await bench.analyse("trial", Self.series, "rates.csv", "--json", "--response", "-10:10"),
      try await bench.analyse("rates.csv", "--json", "--response", "-5:5"),
      try await bench.analyse(results, "--json", "--by", "mood", "--baseline", "preStimulus", "--response", "-5:5"),
      try await bench.analyse(results, "--json", "--by", "participant", "--measure", "lf"),
      try await bench.analyse(results, "--json", "--by", "verdict", "--measure", "meanNN"),
    ]
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open("\(Repository.root)/protocols/analysis.schema.json"))
      Draft202012Validator.check_schema(schema)
      for document in json.load(sys.stdin):
          for error in Draft202012Validator(schema).iter_errors(document):
              print(list(error.absolute_path), error.message[:300])
      """
    let run = try Program.run(
      Repository.python, ["-c", script], input: "[" + documents.joined(separator: ",") + "]")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
  }

  @Test("One sensor of several, one recorder, or one recorder of one sensor is measured")
  func chosen() async throws {
    var trial = MadeTrial()
    trial.recorder = { $0 <= 20.5 ? "rest" : "music" }
    trial.changes = { $0 % 2 == 0 ? ["source": "belt"] : [:] }
    try trial.write(to: bench.scratch["trial"])
    func recordings(_ words: String...) async throws -> [JSONValue] {
      let (_, output, complaints) = try await bench.run(["analyse", "trial", "--measure", "meanNN", "--json"] + words)
      #expect(complaints.isEmpty, "\(complaints)")
      return try #require(JSONReader.read(Array(output.utf8)).value["recordings"]?.array)
    }
    #expect(try await recordings().map { $0["sensor"]?.string } == ["strap", "belt"].sorted())
    #expect(try await recordings("--sensor", "belt").map { $0["sensor"]?.string } == ["belt"])
    #expect(try await recordings("--recorder", "music").map { $0["recorder"]?.string } == ["music"])
    let (status, _, complaints) = try await bench.run(["analyse", "trial", "--sensor", "bellt"])
    #expect(status == 1)
    #expect(complaints.contains("“trial” has no sensor “bellt”; did you mean “belt”? there are"))
  }
}
