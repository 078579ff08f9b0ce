import Basics
import Foundation
import TestSupport
import Testing

@Suite("What station says, and how it takes wrong words")
struct WordsTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "Every help screen is as it is kept",
    arguments: [
      "", "run", "validate", "simulate", "play", "measure", "clips", "settings", "participants", "list", "show",
      "analyse", "chart",
      "chart heartRate", "chart tachogram", "chart poincare", "chart spectrum", "chart range",
      "chart response", "chart daily", "chart pie", "report", "export", "export bids", "export bundle", "export edf",
      "export fhir", "export jsonl", "export kubios", "export omh", "export researchkit", "export table", "send",
      "outbox", "keys", "verify", "recover", "corrections", "sensors",
      "check", "check onset", "check level", "check loopback", "check screen", "query", "stats", "energy", "log",
      "store", "store add",
      "store rebuild",
      "store import",
      "store types", "store profile", "store priority", "store delete", "store authorize", "store audit",
    ])
  func help(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let (status, output, complaints) = try await bench.run(words + ["--help"])
    #expect(status == 0)
    #expect(complaints.isEmpty)
    let name = command.isEmpty ? "station" : "station-" + command.replacing(" ", with: "-")
    try Golden.compare(output, with: "Tests/StationTests/Golden/\(name).txt")
  }

  @Test("What analyse, charts and reports all take is reported in the same words")
  func sharedOptions() async throws {
    func options(_ command: [String]) async throws -> [String: String] {
      let help = try await bench.run(command + ["--help"]).output
      // What an option does may take several lines, in a column of its own.
      let joined = help.replacing(/\n {4,}/, with: " ")
      let found = joined.matches(of: /(?m)^  --([a-z-]+)( \S+)?  ?(.+)$/)
      return Dictionary(
        uniqueKeysWithValues: found.map { match in
          let words = match.3.split(separator: " ").joined(separator: " ")
          return (String(match.1), "\(match.2 ?? ""): \(words)")
        })
    }
    let analyse = try await options(["analyse"])
    let read: Set = [
      "sensor", "recorder", "event", "artefacts", "corrections", "interval-unit", "time-unit", "sampling-rate",
    ]
    let found: Set = ["detect", "channel"]
    let counted: Set = ["by", "participant", "session", "verdict"]
    let chosen = counted.union(["include"])
    let response: Set = ["response", "bin", "baseline", "change"]
    for (command, expected) in [
      (["chart", "heartRate"], read.union(found).union(["window", "results"])),
      (["chart", "spectrum"], read.union(found).union(["window", "preset", "results"])),
      (["chart", "range"], read.union(chosen).union(["window", "results"])),
      (["chart", "pie"], counted.union(["results", "include"])),
      (["chart", "response"], read.union(chosen).union(response).union(["results"])),
    ] {
      let others = try await options(command)
      #expect(Set(analyse.keys).intersection(others.keys) == expected, "\(command)")
      // A chart of numbers of trials has those that were stopped in any case.
      for name in expected where (command.last, name) != ("pie", "include") {
        #expect(analyse[name] == others[name], "\(command) --\(name)")
      }
    }
  }

  @Test(
    "Wrong words end with status 2, say what is wrong and where to read more",
    arguments: [
      ([], "missing command"),
      (["rnu"], "unknown command “rnu”; did you mean “run”?"),
      (["run"], "missing PROTOCOL"),
      (["run", "short.json"], "missing --participant ID, for example"),
      (["run", "short.json", "--participant"], "missing ID after --participant"),
      (["run", "short.json", "other.json", "--participant", "p1"], "unexpected argument “other.json”"),
      (["run", "short.json", "--participnt", "p1"], "unknown option “--participnt”; did you mean “--participant”?"),
      (["run", "short.json", "-p", "p1"], "unknown option “-p”; options begin with --"),
      (["run", "short.json", "--participant", "Jo_N"], "invalid value “Jo_N” for --participant: it contains “_”"),
      (
        ["run", "short.json", "--participant", "p1", "--seed", "-1"],
        "invalid value “-1” for --seed: expected an integer"
      ),
      (
        ["run", "short.json", "--participant", "p1", "--seed", "9007199254740993"],
        "invalid value “9007199254740993” for --seed: expected an integer from 0 to 9007199254740991"
      ),
      (
        ["run", "short.json", "--participant", "p1", "--output-latency", "-2"],
        "invalid value “-2” for --output-latency: expected a number of milliseconds from 0 to 10000"
      ),
      (["run", "short.json", "--participant", "p1", "--seed", "1", "--seed", "2"], "--seed is given twice"),
      (["run", "short.json", "--participant", "p1", "--unattended=yes"], "--unattended takes no value"),
      (["run", "short.json", "--participant", "p1", "--sensor", "simulated"], "expected NAME=SENSOR"),
      (["run", "short.json", "--participant", "p1", "--sensor", "hr=simulatd"], "did you mean “simulated”?"),
      (["run", "short.json", "--participant", "p1", "--sensor", "x=simulated"], "no recorder is called “x”"),
      (["show"], "missing BUNDLE or TRIAL"),
      (["show", "x", "--json", "--replay"], "--json and --replay cannot be combined"),
      (["verify"], "missing BUNDLE|RESULTS|ARCHIVE…"),
      (["list", "one", "extra"], "unexpected argument “extra”"),
      (["validate"], "missing PROTOCOL…"),
      (["participants", "--replace", "p01", "--study", "Calm"], "needs the new participant, for example --by p20"),
      (["participants", "--by", "p20"], "needs the participant to replace, for example --replace p07"),
      (["participants", "--replace", "p01", "--by", "p20"], "needs the study, for example --study MusicTask"),
      (["participants", "--replace", "p01", "--by", "Jo_N"], "invalid value “Jo_N” for --by: it contains “_”"),
      (["participants", "r", "--results", "s"], "RESULTS and --results cannot be combined"),
      (["analyse"], "missing FILE…"),
      (["analyse", "x", "--preset", "kubios"], "invalid value “kubios” for --preset; there are “station”"),
      (["analyse", "x", "--measure", "rmsd"], "there is no measure “rmsd”; did you mean “rmssd”?"),
      (["analyse", "x", "--artefacts", "lipponen"], "did you mean “lipponen-tarvainen”?"),
      (["analyse", "x", "--artefacts", "range:2000-300"], "invalid value “range:2000-300” for --artefacts"),
      (["analyse", "x", "--artefacts", "range:300-2000,20"], "did you mean “range:300-2000,20%”?"),
      (["analyse", "x", "--window", "stimulos"], "invalid value “stimulos” for --window; did you mean “stimulus”?"),
      (["analyse", "x", "--interval-unit", "min"], "invalid value “min” for --interval-unit; there are “s”, “ms”"),
      (["analyse", "x", "--intervalunit", "s"], "unknown option “--intervalunit”; did you mean “--interval-unit”?"),
      (["analyse", "x", "--unit", "s"], "unknown option “--unit”"),
      (["analyse", "x", "--by", "clips"], "did you mean “clip”?"),
      (["analyse", "x", "--response", "5:-5"], "“5:-5” is not a range around the onset"),
      (["analyse", "x", "--response", "1e19:2e19"], "“1e19:2e19” is not a range around the onset"),
      (
        ["analyse", "x", "--response", "-5:5", "--bin", "0"],
        "invalid value “0” for --bin: expected a number of seconds from 0.001 to 86400"
      ),
      (
        ["analyse", "x", "--response", "-5:5", "--bin", "20"],
        "no whole bin of 20 s, counted from the onset, lies in -5:5"
      ),
      (["analyse", "x", "--response", "-0.5:0.5"], "no whole bin of 1 s, counted from the onset, lies in -0.5:0.5"),
      (
        ["analyse", "x", "--response", "-500:500", "--bin", "0.001"], "1000000 bins of 0.001 s, and 20000 are the most"
      ),
      (["analyse", "x", "--response", "-10000:30000"], "seconds such as -10:30 are meant, not milliseconds"),
      (["analyse", "x", "--event", "stimulos"], "invalid value “stimulos” for --event; did you mean “stimulus”?"),
      (["chart", "heartRate", "x", "--event", "stimulus,"], "invalid value “” for --event"),
      (["analyse", "x", "--response", "-5:5", "--baseline", "whole"], "be none, preStimulus or FROM:TO, not whole"),
      (
        ["analyse", "x", "--baseline", "percent"],
        "invalid value “percent” for --baseline; there are “none”, “stimulus”"
      ),
      (
        ["analyse", "x", "--response", "-5:5", "--baseline", "none", "--change", "percent"],
        "cannot be combined with --baseline none"
      ),
      (["analyse", "x", "--bin", "1"], "--bin needs --response FROM:TO"),
      (["analyse", "x", "--response", "0:5"], "has no baseline of its own"),
      (["analyse", "x", "--baseline", "preStimulus"], "--baseline is for --response and for many trials"),
      (["analyse", "x", "--change", "percent"], "--change needs a baseline"),
      (["analyse", "x", "--seed", "-1"], "invalid value “-1” for --seed: expected an integer of at least 0"),
      (["analyse", "x", "--json", "--csv"], "--json and --csv cannot be combined"),
      (
        ["play", "x", "--duration", "soon"],
        "invalid value “soon” for --duration: expected a number of seconds from 0.001 to 86400"
      ),
    ] as [([String], String)])
  func wrongWords(words: [String], text: String) async throws {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 2)
    #expect(output.isEmpty)
    #expect(complaints.hasPrefix("station: "))
    #expect(complaints.contains(text))
    #expect(complaints.contains("--help”\n"))
  }

  @Test(
    "What is right but cannot be done ends with status 1 and the remedy",
    arguments: [
      (["run", "short.json", "--participant", "p1"], "no sensor is assigned to it; add --sensor heartRate=SENSOR"),
      (["run", "short.json", "--participant", "p1", "--sensor", "hr=lines:-"], "add --unattended"),
      (["show", "nowhere"], "cannot read the bundle “nowhere”"),
      (["verify", "nowhere"], "nowhere: there is no bundle “nowhere”"),
      (["list", "--results", "nowhere"], "there is no results folder “nowhere”"),
      (["recover", "--results", "nowhere"], "there is no results folder “nowhere”"),
      (["play", "nowhere.mp3", "--speaker", "silent"], "nowhere.mp3"),
    ] as [([String], String)])
  func impossible(words: [String], text: String) async throws {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(complaints.contains(text))
  }

  @Test("Good protocols are valid; bad ones end with status 3, each problem with file, line and column")
  func validate() async throws {
    try bench.write(Bench.music(seconds: 1, choice: #"{ "name": "hihg" }"#), to: "misspelt.json")
    try bench.write(#"{"format":"station.protocol/1" "steps":[]}"#, to: "comma.json")
    let (status, output, complaints) = try await bench.run(["validate", "short.json", "misspelt.json", "comma.json"])
    #expect(status == 3)
    #expect(output.hasPrefix("short.json: valid (3 steps, 1 s of active steps, about 13 s in all, 2 clips)\n"))
    #expect(complaints.contains("misspelt.json:5:"))
    #expect(complaints.contains("did you mean “high”"))
    #expect(complaints.contains("comma.json:1:32: "))
    let run = try await bench.run(["run", "comma.json", "--participant", "p1"])
    #expect(run.status == 3)
    #expect(run.complaints.contains("comma.json:1:32: "))
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results"]))
    let published = try await bench.run(
      ["validate"]
        + ["music-heart-rate", "one-clip", "rest-music-rest", "silent-control"].map {
          "\(Repository.root)/protocols/\($0).json"
        })
    #expect(published.status == 0)
  }

  @Test("Control characters in names and texts are shown, and not obeyed")
  func controlCharacters() async throws {
    let name = "evil\u{1B}[2J\u{7}\nname"
    let shown = #"evil\u{1B}[2J\u{7}\nname"#
    try bench.clip(name)
    try bench.write("no sound", to: "clips/bad\u{1B}[31m\n.mp3")
    try bench.write(
      Bench.music(seconds: 1, recorders: [], choice: #"{ "choose": "random", "from": ["evil\u001b[2J\u0007\nname"] }"#)
        .replacing(#""title": "Listen""#, with: #""title": "Lis\u001b[2Jten""#), to: "evil.json")
    try bench.write(
      Bench.music(seconds: 1, choice: #"{ "name": "evi\u001b[2J\u0007\nname" }"#), to: "near.json")
    var said = ""
    for words in [
      ["clips", "clips"], ["validate", "evil.json"], ["validate", "near.json"],
      bench.trial(of: "evil.json", sensors: []), ["list"],
    ] {
      let run = try await Turns.trials.take { try await bench.run(words) }
      said += run.output + run.complaints
    }
    let bundle = try #require(bench.bundles().first)
    said += try await bench.run(["show", bundle]).output
    said += try await bench.run(["show", bundle, "--replay"]).output
    #expect(!said.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(said.contains("clip name: \(shown)\n"))
    #expect(said.contains("drawn: “\(shown)”"))
    #expect(said.contains(#"bad\u{1B}[31m\n"#))
    #expect(!said.contains("\nname"))
  }

  @Test("A loudness that is missed for the peak is reported by validate and run, and stands in the result")
  func loudness() async throws {
    try bench.write(
      Bench.music(
        seconds: 1, recorders: [], choice: #"{ "name": "high" }"#, more: #""loudness": { "target_LUFS": 0 },"#),
      to: "loud.json")
    let note = "the clip “high” reaches "
    let validate = try await bench.run(["validate", "loud.json"])
    #expect(validate.status == 0)
    #expect(validate.output.contains("loud.json: note: \(note)"))
    let run = try await Turns.trials.take { try await bench.run(bench.trial(of: "loud.json", sensors: [])) }
    #expect(run.output.hasPrefix("note: \(note)"))
    let result = try bench.result(try #require(bench.bundles().first))
    let missed = try #require(result["caveats"]?.array?.first { $0["caveat"]?.string == "loudnessMissed" })
    #expect(missed["target_LUFS"]?.number == 0 && missed["verdict"]?.string == "suspect")
    #expect(try #require(missed["reached_LUFS"]?.number) < -0.5)
  }

  @Test("Protocols of 50 MB and nested 100,000 deep are reported in a line")
  func monsters() async throws {
    try bench.write(String(repeating: "[", count: 100_000), to: "arrays.json")
    try bench.write(String(repeating: #"{"a":"#, count: 100_000), to: "objects.json")
    try bench.write(
      #"{"format":"\#(String(repeating: "x", count: 50_000_000))"}"#, to: "long.json")
    for (name, text) in [
      ("arrays", "nested more than 64 deep"), ("objects", "nested more than 64 deep"),
      ("long", "it has 50000013 bytes, and a protocol at most"),
    ] {
      let (status, _, complaints) = try await bench.run(["validate", "\(name).json"])
      #expect(status == 3)
      #expect(complaints.contains(text))
      #expect(complaints.utf8.count < 1000)
    }
  }
}
