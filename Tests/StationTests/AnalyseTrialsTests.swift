import Basics
import Foundation
import TestSupport
import Testing

@Suite("station analyse of a results folder")
struct AnalyseTrialsTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("The table of a study is read back by Python's csv with every number, period and predecessor")
  func table() async throws {
    let results = try bench.writeStudy()
    let text = try await bench.analyse(
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
    let results = try bench.writeStudy()
    let words = [results, "--by", "mood", "--measure", "timeWeightedHeartRate", "--baseline", "preStimulus"]
    let (status, output, complaints) = try await bench.run(["analyse"] + words)
    #expect(status == 0, "\(complaints)")
    for line in [
      "12 trials of 3 participants",
      "mean HR, time-weighted, difference from preStimulus, /min; window stimulus; preset station; artefacts lipponen",
      "note: With 3 observations", "SD and CI are over participants",
      "mood              participants  trials  mean   SD  95 % CI",
      "lively                       3       6  25.0  5.0  20.0 to 30.0",
      "lively less calm             3      12  25.0  5.0  20.0 to 30.0", "seed 1; no significance tests",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    let again = try await bench.run(["analyse"] + words)
    #expect(again.output == output)
    let percent = try await bench.analyseJSON(
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
    #expect(groups[0]["caveats"]?.array?.first?["caveat"] == "fewObservations")
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
    let text = try await bench.analyse("results", "--by", "clip", "--measure", "meanNN")
    #expect(text.split(separator: "\n").count { $0.contains(" less clip") } == printed)
    #expect(text.contains("differences between more than 8 groups are left out") == (clips > 8))
    let summary = try #require(
      try await bench.analyseJSON("results", "--by", "clip", "--measure", "meanNN", "--json")["summaries"]?.array?.first
    )
    #expect(summary["differences"]?.array?.count == inJSON)
    #expect(summary["differencesLeftOut"]?.bool == (clips > 20))
    #expect(summary["groups"]?.array?.count == clips)
  }

  @Test("Bad trials stand apart where trials are summed up by verdict, and sessions and outcomes are groups too")
  func verdicts() async throws {
    let results = try bench.writeStudy()
    var bad = MadeTrial()
    bad.verdict = "bad"
    try bad.write(to: bench.scratch["results/bundles/trial-99"])
    func groups(_ key: String) async throws -> [String: Int] {
      let document = try await bench.analyseJSON(results, "--by", key, "--measure", "meanNN", "--json")
      let groups = document["summaries"]?.array?.first?["groups"]?.array ?? []
      return Dictionary(uniqueKeysWithValues: groups.map { ($0["name"]?.string ?? "", $0["trials"]?.integer ?? 0) })
    }
    #expect(try await groups("verdict") == ["good": 12, "bad": 1])
    #expect(try await groups("session") == ["1": 12])
    #expect(try await groups("outcome") == ["completed": 12])
  }

  @Test("Responses are averaged over the trials of a group")
  func responses() async throws {
    let results = try bench.writeStudy()
    let document = try await bench.analyseJSON(
      results, "--by", "participant", "--measure", "meanNN", "--response", "-10:10", "--bin", "10", "--json")
    let responses = try #require(document["responses"]?.array)
    #expect(responses.map { $0["name"]?.string } == ["P01", "P02", "P03"])
    let bin = try #require(responses[0]["bins"]?.array?.last)
    #expect(bin["trials"]?.integer == 4)
    // Two of the four trials are 20 /min faster, after a beat that begins before the onset.
    #expect((try #require(bin["mean"]?.number) - 10).magnitude < 0.1)
    let table = try await bench.analyse(results, "--response", "-10:10", "--bin", "10", "--csv")
    #expect(table.split(separator: "\n").count == 1 + 12 * 2)
  }

  @Test(
    "Groups are compared with one that is named, and a group or a step that there is not is told with those there are")
  func reference() async throws {
    let results = try bench.writeStudy()
    let words = [results, "--by", "mood", "--measure", "timeWeightedHeartRate"]
    let text = try await bench.run(["analyse"] + words + ["--reference-group", "lively"]).output
    #expect(text.contains("calm less lively") && text.contains("differences: each group less lively"))
    let (status, _, complaints) = try await bench.run(["analyse"] + words + ["--reference-group", "lifely"])
    #expect(status == 1 && complaints.contains("there is no mood “lifely”; did you mean “lively”?"))
    for option in ["--window", "--baseline"] {
      let (status, _, complaints) = try await bench.run(["analyse"] + words + [option, "step:musik"])
      #expect(status == 1 && complaints.contains("no trial reached a step “musik”; did you mean “music”?"))
    }
  }

  @Test("Silence is left out of means over the stimulus, and reported; a mood called none is another")
  func silence() async throws {
    let results = try bench.writeStudy()
    var silence = MadeTrial()
    (silence.clip, silence.sound) = (nil, nil)
    try silence.write(to: bench.scratch["results/bundles/trial-20"])
    silence = MadeTrial()
    (silence.mood, silence.participant) = ("none", "P02")
    try silence.write(to: bench.scratch["results/bundles/trial-21"])
    let words = ["--by", "mood", "--measure", "meanHeartRate"]
    let text = try await bench.run(["analyse", results] + words).output
    #expect(text.contains("left out of mood –: 1 trial: The trial plays no clip; --event stimulus,step:music"))
    #expect(!text.contains("\n–  ") && text.contains("\nnone  "))
    let document = try await bench.analyseJSON(results, "--by", "mood", "--measure", "meanHeartRate", "--json")
    #expect(document["leftOut"]?.array?.first?["group"] == .null)
    #expect(document["rows"]?.array?.count { $0["mood"] == .null } == 1)
    #expect(
      document["summaries"]?.array?.first?["groups"]?.array?.map { $0["name"]?.string } == ["calm", "lively", "none"])
  }

  @Test("Suspect trials are in and counted, and can be left out; trials can be chosen, and copies count once")
  func choice() async throws {
    let results = try bench.writeStudy()
    var suspect = MadeTrial()
    suspect.verdict = "suspect"
    try suspect.write(to: bench.scratch["results/bundles/trial-20"])
    try suspect.write(to: bench.scratch["backup/trial-20"])
    let words = ["--by", "clip", "--measure", "meanNN"]
    let all = try await bench.run(["analyse", results, "backup"] + words)
    #expect(all.output.contains("13 trials of 3 participants; 1 of them with the verdict suspect"))
    #expect(all.complaints.contains("“backup/trial-20” is the same trial as"))
    let good = try await bench.run(["analyse", results, "--verdict", "good"] + words).output
    #expect(good.contains("12 trials of 3 participants; 1 not selected"))
    let one = try await bench.run(["analyse", results, "--participant", "P02", "--csv", "--measure", "meanNN"]).output
    #expect(one.split(separator: "\n").count == 1 + 4 && one.contains("P02,1,") && !one.contains("P01,1,"))
  }

  @Test("A trial's period is that of the whole folder, whichever trials are given")
  func neighbours() async throws {
    _ = try bench.writeStudy()
    // Later names began first: trial-03 is the first of P01, trial-01 the third.
    let table = try await bench.analyse("results/bundles/trial-01", "--csv", "--measure", "meanNN")
    let lines = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let cells = Dictionary(uniqueKeysWithValues: zip(try #require(lines.first), try #require(lines.last)))
    #expect(cells["period"] == "3" && cells["previousClip"] == "drums")
  }

  @Test(
    "Options that would change nothing are refused",
    arguments: [
      ["--csv", "--by", "clip"], ["--csv", "--seed", "2"], ["--csv", "--response", "-5:5", "--measure", "rmssd"],
      ["--by", "clip", "--baseline", "stimulus"], ["--by", "clip", "--window", "whole", "--baseline", "whole"],
      ["--csv", "--definitions"],
    ])
  func idle(words: [String]) async throws {
    let results = try bench.writeStudy()
    let (status, output, complaints) = try await bench.run(["analyse", results] + words)
    #expect(status == 2 && output.isEmpty, "\(words): \(complaints)")
  }

  @Test("The long table is read by Python with numbers as numbers, and both its forms write them alike")
  func numbers() async throws {
    let results = try bench.writeStudy()
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

  @Test("Names that a spreadsheet would take for formulas are texts in both long tables")
  func formulas() async throws {
    for (number, name) in ["=1+1", "@SUM(A1)", "+x", "-cmd|' /C calc'!A0", "a\r\n=2", "-5"].enumerated() {
      var trial = MadeTrial()
      (trial.participant, trial.clip, trial.condition) = (name, name, name)
      try trial.write(to: bench.scratch["results/bundles/trial-0\(number)"])
    }
    for words in [["--measure", "meanNN"], ["--response", "-5:5"]] {
      let text = try await bench.run(["analyse", "results", "--csv"] + words).output
      let script = """
        import csv, json, sys
        rows = list(csv.reader(sys.stdin, strict=True))
        for row in rows:
            for cell in row:
                number = cell.lstrip("-").replace(".", "", 1).replace("e-", "").isdigit()
                assert number or cell[:1] not in tuple("=+-@\\t\\r"), cell
                assert "\\n" not in cell and "\\r" not in cell, cell
        print(json.dumps(sorted({row[0] for row in rows[1:]})))
        """
      let run = try Program.run(Repository.python, ["-c", script], input: text)
      #expect(run.status == 0, "\(run.error)")
      #expect(
        try JSONReader.read(Array(run.output.utf8)).value
          == ["'+x", "'-cmd|' /C calc'!A0", "'=1+1", "'@SUM(A1)", "-5", "a\\u{D}\\n=2"], "\(run.output)")
    }
  }

  @Test("A broken bundle is reported and does not stop the others; a bad trial is in the table and not in the summary")
  func broken() async throws {
    let results = try bench.writeStudy()
    try bench.write("{", to: "results/bundles/trial-03/data/result.json")
    try bench.write("{\"items\":[{\"a\"", to: "results/bundles/trial-04/data/heart.json")
    var bad = MadeTrial()
    bad.verdict = "bad"
    try bad.write(to: bench.scratch["results/bundles/trial-99"])
    let (status, output, complaints) = try await bench.run(["analyse", results, "--by", "clip", "--measure", "meanNN"])
    #expect(status == 1)
    #expect(
      complaints.contains("trial-03”") && complaints.contains("trial-04” cannot be read: line 1: the file ends"))
    let told = "11 trials of 3 participants; 2 could not be read; left out of the summaries: 1 with the verdict bad"
    #expect(output.contains(told))
    let table = try await bench.run(["analyse", results, "--csv", "--measure", "meanNN"])
    #expect(table.output.split(separator: "\n").count == 1 + 11)
    #expect(table.output.contains(",bad,"))
  }

  @Test(
    "A choice that holds nobody fails alike wherever it is made",
    arguments: [
      ["analyse", "results"], ["analyse", "results", "--csv"], ["analyse", "results", "--json"],
      ["chart", "response", "results"],
      ["chart", "pie", "results"], ["analyse", "results/bundles/trial-00"],
    ])
  func nobody(words: [String]) async throws {
    _ = try bench.writeStudy()
    let (status, output, complaints) = try await bench.run(words + ["--participant", "P09"])
    #expect(status == 1 && output.isEmpty)
    #expect(complaints.contains("there is no trial of participant “P09”; there are those of P01 (1)"), "\(complaints)")
  }

  @Test("A step that no trial came to is reported, be it a window or an event", arguments: ["--window", "--event"])
  func steps(option: String) async throws {
    let results = try bench.writeStudy()
    let words = ["analyse", results, "--measure", "meanNN", option]
    let (status, _, complaints) = try await bench.run(words + ["step:musik"])
    #expect(status == 1 && complaints.contains("no trial reached a step “musik”"), "\(complaints)")
    #expect(try await bench.run(words + ["step:music"]).status == 0)
  }

  @Test("An empty results folder has no trials, and what is not a results folder is reported")
  func empty() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["none/bundles"], withIntermediateDirectories: true)
    #expect(try await bench.analyse("none", "--by", "clip").contains("0 trials of 0 participants"))
    #expect(try await bench.analyseJSON("none", "--json")["rows"]?.array == [])
    try FileManager.default.createDirectory(atPath: bench.scratch["other"], withIntermediateDirectories: true)
    let (status, _, complaints) = try await bench.run(["analyse", "other", "--by", "clip"])
    #expect(status == 1 && complaints.contains("“other” is neither a bundle nor a results folder"))
  }
}
