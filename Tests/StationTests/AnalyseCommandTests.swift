import Foundation
import JSON
import Quantities
import TestSupport
import Testing

@Suite("station analyse")
struct AnalyseCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func station(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await bench.run(["analyse"] + words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  private func json(_ words: String...) async throws -> JSONValue {
    let (_, output, complaints) = try await bench.run(["analyse"] + words)
    #expect(!output.isEmpty, "\(complaints)")
    return try JSONReader.read(Array(output.utf8)).value
  }

  private static let series = "\(Repository.root)/Tests/AnalysisTests/Series/nsrdb-short.txt"

  /// Three participants hear rain and drums, twice each; drums raise the rate by 20, 25 and 30 /min.
  private func study() throws -> String {
    var number = 0
    for (participant, faster) in [("P01", 600.0), ("P02", 60_000 / 85.0), ("P03", 60_000 / 90.0)] {
      for (clip, mood) in [("rain", "calm"), ("drums", "lively"), ("drums", "lively"), ("rain", "calm")] {
        var trial = MadeTrial()
        trial.participant = participant
        (trial.clip, trial.mood) = (clip, mood)
        // Later names come first, so that names do not tell the order.
        trial.start = WallTime(milliseconds: 1_763_636_911_250 - 100_000 * Int64(number))
        let rate = clip == "rain" ? 1000 : participant == "P01" ? 750 : faster
        trial.intervals = Array(repeating: 1000.0, count: 20) + Array(repeating: rate, count: Int(20_000 / rate))
        // Every participant sat in a booth with a sensor of its own.
        let sensor = "strap of \(participant)"
        trial.changes = { _ in ["source": .string(sensor)] }
        try trial.write(to: bench.scratch["results/bundles/trial-\(String(100 + number).dropFirst())"])
        number += 1
      }
    }
    return "results"
  }

  @Test("A text of intervals gives the reference values, raw and with definitions beside them")
  func text() async throws {
    let output = try await station(Self.series, "--artefacts", "none", "--definitions")
    // NumPy's and SciPy's, see Tests/AnalysisTests/Series.
    for line in [
      "mean HR                   68.215  /min    337    299.6", "SDNN                      95.690  ms",
      "RMSSD                    101.301  ms",
      "SDSD                     101.452  ms", "pNN50                     48.512  %", "sample entropy             1.712",
      "LF                      1678.886  ms²", "HF                      5476.120  ms²",
      "LF/HF                      0.307",
      "LF                      power of NN from 0.04 to 0.15 Hz (method Welch",
      "warning: DFA α2: 337 intervals are fewer than 640",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    let document = try await json(Self.series, "--artefacts", "none", "--json")
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
      #expect(output.contains("101.30"), "\(command): \(output)")
    }
    let (status, _, error) = try Program.run("bash", ["-c", "'\(station)' analyse - < /dev/null"])
    #expect(status == 1)
    #expect(error.contains("“-” cannot be read: there is nothing in it"), "\(error)")
  }

  @Test("Artefacts are corrected unless told otherwise, and listed")
  func artefacts() async throws {
    let document = try await json(Self.series, "--json", "--measure", "rmssd")
    let artefacts = try #require(document["recordings"]?.array?.first?["artefacts"])
    #expect(artefacts["method"]?.string?.hasPrefix("Lipponen and Tarvainen 2019") == true)
    #expect(artefacts["found"]?.array?.isEmpty == false)
    let (altered, share) = (try #require(artefacts["altered"]?.number), try #require(artefacts["share"]?.number))
    #expect(altered > 0 && share == altered / 337)
    let output = try await station(Self.series, "--artefacts", "range")
    #expect(output.contains("artefacts: none found; range filter: 300 to 2000 ms"))
    let narrow = try await station(Self.series, "--artefacts", "range:700-1000,20%")
    #expect(narrow.contains("; range filter: 700 to 1000 ms, at most 20 % away from the median of 11"))
    let found = try #require(narrow.split(separator: "\n").first { $0.hasPrefix("artefacts: ") })
    // What is left out alters nothing beside it, so that the two numbers are one.
    let words = found.split(separator: " ")
    #expect(words[1] == words[3] && words[5] == "337", "\(found)")
  }

  @Test("A bundle is measured in its stimulus, with rest and recovery beside it and the response to the onset")
  func bundle() async throws {
    try MadeTrial().write(to: bench.scratch["trial"])
    let output = try await station("trial", "--measure", "meanHeartRate,RMSSD", "--response", "-10:10", "--bin", "5")
    for line in [
      "trial, heartRate, sensor “strap”", "trial: trial, P01, 1, MusicTask, clip “rain”, calm",
      "window: the stimulus, 19.990 to 40.010 s, 20.0 s",
      "mean HR  75.000  /min", "measure  unit    rest  stimulus   after  reactivity  recovery",
      "mean HR  /min  60.000    75.000  60.000      15.000   -15.000",
      "response to the onset at 19.990 s, baseline 60.00 /min from -10 to 0 s",
      "5.00  10.00     75.00             15.00       100",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    #expect(try await station("trial", "--window", "step:rest").contains("window: the step “rest”, 0.000 to 19.000 s"))
    let bad = MadeTrial()
    var changed = bad
    changed.grade = "bad"
    try changed.write(to: bench.scratch["bad"])
    #expect(try await station("bad").contains("note: The trial's verdict is bad: the sound was lost."))
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
      try await station("seconds.txt", "--interval-unit", "s", "--measure", "meanNN").contains("mean NN  850.000  ms"))
  }

  @Test("Everything that is printed as JSON fits the published schema, by PyPI's jsonschema")
  func schema() async throws {
    let results = try study()
    try bench.write("time,hr\n0,60\n1,61\n", to: "rates.csv")
    try MadeTrial().write(to: bench.scratch["trial"])
    let documents = [
      try await station("trial", Self.series, "rates.csv", "--json", "--response", "-10:10"),
      try await station("rates.csv", "--json"),
      try await station(results, "--json", "--by", "mood", "--baseline", "preStimulus", "--response", "-5:5"),
      try await station(results, "--json", "--by", "participant", "--measure", "lf"),
      try await station(results, "--json", "--by", "verdict", "--measure", "meanNN"),
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

  @Test("The table of a study is read back by Python's csv with every number, period and predecessor")
  func table() async throws {
    let results = try study()
    let text = try await station(
      results, "--measure", "timeWeightedHeartRate, dfaAlpha2", "--baseline", "preStimulus", "--csv")
    let script = """
      import csv, json, sys
      rows = list(csv.DictReader(sys.stdin, strict=True))
      assert all(None not in row and None not in row.values() for row in rows)
      print(json.dumps(rows))
      """
    let run = try Program.run(Repository.python, ["-c", script], input: text)
    #expect(run.status == 0, "\(run.error)")
    let rows = try #require(JSONReader.read(Array(run.output.utf8)).value.array)
    #expect(rows.count == 24)
    let rates = rows.filter { $0["measure"]?.string == "timeWeightedHeartRate" }
    for row in rates {
      let number = try #require(row["trial"]?.string.flatMap { Int($0.dropFirst(6)) })
      // The latest name of each participant began first.
      #expect(row["period"]?.string == "\(4 - number % 4)")
      #expect(
        row["previousClip"]?.string == (number % 4 == 3 ? "" : ["rain", "drums", "drums", "rain"][number % 4 + 1]))
      #expect(row["previousCondition"]?.string == (number % 4 == 3 ? "" : "MusicTask"))
      let expected = row["clip"]?.string == "rain" ? 0.0 : [20.0, 25, 30][number / 4]
      let change = try #require(row["change"]?.string.flatMap(Double.init))
      #expect((change - expected).magnitude < 1e-6)
      #expect(row["unit"]?.string == "/min" && row["verdict"]?.string == "good" && row["window"]?.string == "stimulus")
    }
    for row in rows where row["measure"]?.string == "dfaAlpha2" {
      #expect(row["value"]?.string == "" && row["change"]?.string == "")
      #expect(row["reason"]?.string?.isEmpty == false)
    }
  }

  @Test("A study is summed up so that every participant counts once, with seeded intervals")
  func summary() async throws {
    let results = try study()
    let words = [results, "--by", "mood", "--measure", "timeWeightedHeartRate", "--baseline", "preStimulus"]
    let (status, output, complaints) = try await bench.run(["analyse"] + words)
    #expect(status == 0, "\(complaints)")
    for line in [
      "12 trials of 3 participants",
      "mean HR, time-weighted, difference from preStimulus, /min; window stimulus; preset station; artefacts lipponen",
      "note: Percentiles of samples of 3 observations", "SD and CI are over participants",
      "mood              participants  trials  mean  SD  95 % CI",
      "lively                       3       6    25   5  20 to 30",
      "lively less calm             3      12    25   5  20 to 30", "seed 1; nothing is tested for significance",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    let again = try await bench.run(["analyse"] + words)
    #expect(again.output == output)
    let percent = try await json(
      results, "--by", "clip", "--measure", "timeWeightedHeartRate", "--baseline", "preStimulus", "--change", "percent",
      "--json")
    let groups = try #require(percent["summaries"]?.array?.first?["groups"]?.array)
    #expect(groups.map { $0["name"]?.string } == ["drums", "rain"])
    #expect((try #require(groups[0]["mean"]?.number) - 100 * 25 / 60).magnitude < 1e-6)
    #expect(percent["rows"]?.array?.count == 12)
    #expect(percent["summaries"]?.array?.count == 1)
    #expect(percent["summaries"]?.array?.first?["sensor"] == .null)
    #expect(percent["bootstrap"]?["seed"]?.string == "1")
    #expect(percent["over"]?.string == "participants" && percent["baselineWindow"]?.string == "preStimulus")
    #expect(groups[0]["note"]?.string?.contains("3 observations") == true)
    #expect(percent["summaries"]?.array?.first?["window"]?.string == "stimulus")
  }

  @Test(
    "Groups are compared with one another unless there are too many, which is told",
    arguments: [(8, 28, 28), (9, 0, 36), (20, 0, 190), (21, 0, 0)])
  func manyGroups(clips: Int, printed: Int, inJSON: Int) async throws {
    for number in 0..<clips {
      var trial = MadeTrial()
      trial.clip = "clip\(number)"
      try trial.write(to: bench.scratch["results/bundles/trial-\(number)"])
    }
    let text = try await station("results", "--by", "clip", "--measure", "meanNN")
    #expect(text.split(separator: "\n").count { $0.contains(" less clip") } == printed)
    #expect(text.contains("differences between more than 8 groups are left out") == (clips > 8))
    let summary = try #require(
      try await json("results", "--by", "clip", "--measure", "meanNN", "--json")["summaries"]?.array?.first)
    #expect(summary["differences"]?.array?.count == inJSON)
    #expect(summary["differencesLeftOut"]?.bool == (clips > 20))
    #expect(summary["groups"]?.array?.count == clips)
  }

  @Test("Bad trials stand apart where trials are summed up by verdict, and sessions and outcomes are groups too")
  func verdicts() async throws {
    let results = try study()
    var bad = MadeTrial()
    bad.grade = "bad"
    try bad.write(to: bench.scratch["results/bundles/trial-99"])
    func groups(_ key: String) async throws -> [String: Int] {
      let document = try await json(results, "--by", key, "--measure", "meanNN", "--json")
      let groups = document["summaries"]?.array?.first?["groups"]?.array ?? []
      return Dictionary(uniqueKeysWithValues: groups.map { ($0["name"]?.string ?? "", $0["trials"]?.integer ?? 0) })
    }
    #expect(try await groups("verdict") == ["good": 12, "bad": 1])
    #expect(try await groups("session") == ["1": 12])
    #expect(try await groups("outcome") == ["completed": 12])
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

  @Test("Responses are averaged over the trials of a group")
  func responses() async throws {
    let results = try study()
    let document = try await json(
      results, "--by", "participant", "--measure", "meanNN", "--response", "-10:10", "--bin", "10", "--json")
    let responses = try #require(document["responses"]?.array)
    #expect(responses.map { $0["name"]?.string } == ["P01", "P02", "P03"])
    let bin = try #require(responses[0]["bins"]?.array?.last)
    #expect(bin["trials"]?.integer == 4)
    // Two of the four trials are 20 /min faster, after a beat that begins before the onset.
    #expect((try #require(bin["mean"]?.number) - 10).magnitude < 0.1)
    let table = try await station(results, "--response", "-10:10", "--bin", "10", "--csv")
    #expect(table.split(separator: "\n").count == 1 + 12 * 2)
  }

  @Test(
    "Groups are compared with one that is named, and a group or a step that there is not is told with those there are")
  func reference() async throws {
    let results = try study()
    let words = [results, "--by", "mood", "--measure", "timeWeightedHeartRate"]
    let text = try await bench.run(["analyse"] + words + ["--reference-group", "lively"]).output
    #expect(text.contains("calm less lively") && text.contains("differences: each group less lively"))
    let (status, _, complaints) = try await bench.run(["analyse"] + words + ["--reference-group", "lifely"])
    #expect(status == 1 && complaints.contains("there is no mood “lifely”; did you mean “lively”?"))
    for option in ["--window", "--baseline"] {
      let (status, _, complaints) = try await bench.run(["analyse"] + words + [option, "step:musik"])
      #expect(status == 1 && complaints.contains("no trial came to a step “musik”; did you mean “music”?"))
    }
  }

  @Test("Silence is left out of means over the stimulus, and told; a mood called none is another")
  func silence() async throws {
    let results = try study()
    var silence = MadeTrial()
    (silence.clip, silence.sound) = (nil, nil)
    try silence.write(to: bench.scratch["results/bundles/trial-20"])
    silence = MadeTrial()
    (silence.mood, silence.participant) = ("none", "P02")
    try silence.write(to: bench.scratch["results/bundles/trial-21"])
    let words = ["--by", "mood", "--measure", "meanHeartRate"]
    let text = try await bench.run(["analyse", results] + words).output
    #expect(text.contains("left out of mood –: 1 trial: No sound was measured"))
    #expect(!text.contains("\n–  ") && text.contains("\nnone  "))
    let document = try await json(results, "--by", "mood", "--measure", "meanHeartRate", "--json")
    #expect(document["leftOut"]?.array?.first?["group"] == .null)
    #expect(document["rows"]?.array?.count { $0["mood"] == .null } == 1)
    #expect(
      document["summaries"]?.array?.first?["groups"]?.array?.map { $0["name"]?.string } == ["calm", "lively", "none"])
  }

  @Test("Suspect trials are in and counted, and can be left out; trials can be chosen, and copies count once")
  func choice() async throws {
    let results = try study()
    var suspect = MadeTrial()
    suspect.grade = "suspect"
    try suspect.write(to: bench.scratch["results/bundles/trial-20"])
    try suspect.write(to: bench.scratch["backup/trial-20"])
    let words = ["--by", "clip", "--measure", "meanNN"]
    let all = try await bench.run(["analyse", results, "backup"] + words)
    #expect(all.output.contains("13 trials of 3 participants; 1 with the verdict suspect among them"))
    #expect(all.complaints.contains("“backup/trial-20” is the same trial as"))
    let good = try await bench.run(["analyse", results, "--verdict", "good"] + words).output
    #expect(good.contains("12 trials of 3 participants; 1 not chosen"))
    let one = try await bench.run(["analyse", results, "--participant", "P02", "--csv", "--measure", "meanNN"]).output
    #expect(one.split(separator: "\n").count == 1 + 4 && one.contains("P02,1,") && !one.contains("P01,1,"))
  }

  @Test("A trial's period is that of the whole folder, whichever trials are given")
  func neighbours() async throws {
    _ = try study()
    // Later names began first: trial-03 is the first of P01, trial-01 the third.
    let table = try await station("results/bundles/trial-01", "--csv", "--measure", "meanNN")
    let line = try #require(table.split(separator: "\n").last).split(separator: ",", omittingEmptySubsequences: false)
    #expect(line[4] == "3" && line[9] == "drums")
  }

  @Test(
    "Options that would change nothing are refused",
    arguments: [
      ["--csv", "--by", "clip"], ["--csv", "--seed", "2"], ["--csv", "--response", "-5:5", "--measure", "rmssd"],
      ["--by", "clip", "--baseline", "stimulus"], ["--by", "clip", "--window", "whole", "--baseline", "whole"],
      ["--csv", "--definitions"],
    ])
  func idle(words: [String]) async throws {
    let results = try study()
    let (status, output, complaints) = try await bench.run(["analyse", results] + words)
    #expect(status == 2 && output.isEmpty, "\(words): \(complaints)")
  }

  @Test("The long table is read by Python with numbers as numbers, and both its forms write them alike")
  func numbers() async throws {
    let results = try study()
    for words in [["--measure", "rmssd", "--baseline", "preStimulus"], ["--response", "-5:5"]] {
      let text = try await bench.run(["analyse", results, "--csv"] + words).output
      let script = """
        import csv, sys
        rows = list(csv.DictReader(sys.stdin, strict=True))
        assert rows
        for row in rows:
            for column in ["period", "from_s", "to_s", "coverage", "baseline"]:
                float(row[column])
        """
      let run = try Program.run(Repository.python, ["-c", script], input: text)
      #expect(run.status == 0, "\(run.error)")
    }
  }

  @Test("A broken bundle is told and does not stop the others; a bad trial is in the table and not in the summary")
  func broken() async throws {
    let results = try study()
    try bench.write("{", to: "results/bundles/trial-03/data/result.json")
    try bench.write("{\"items\":[{\"a\"", to: "results/bundles/trial-04/data/heart.json")
    var bad = MadeTrial()
    bad.grade = "bad"
    try bad.write(to: bench.scratch["results/bundles/trial-99"])
    let (status, output, complaints) = try await bench.run(["analyse", results, "--by", "clip", "--measure", "meanNN"])
    #expect(status == 1)
    #expect(
      complaints.contains("trial-03”") && complaints.contains("trial-04” cannot be read: line 1: the file ends"))
    #expect(output.contains("11 trials of 3 participants; 2 could not be read; 1 with the verdict bad left out"))
    let table = try await bench.run(["analyse", results, "--csv", "--measure", "meanNN"])
    #expect(table.output.split(separator: "\n").count == 1 + 11)
    #expect(table.output.contains(",bad,"))
  }

  @Test("An empty results folder has no trials, and what is no results folder is told")
  func empty() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["none/bundles"], withIntermediateDirectories: true)
    #expect(try await station("none", "--by", "clip").contains("0 trials of 0 participants"))
    #expect(try await json("none", "--json")["rows"]?.array == [])
    try FileManager.default.createDirectory(atPath: bench.scratch["other"], withIntermediateDirectories: true)
    let (status, _, complaints) = try await bench.run(["analyse", "other", "--by", "clip"])
    #expect(status == 1 && complaints.contains("“other” is neither a bundle nor a results folder"))
  }
}
