import Basics
import Foundation
import TestSupport
import Testing

@Suite("Whole trials, from the command line to their bundles")
struct TrialTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test(
    "A trial ends with status 0, says in plain lines what happens, and its bundle is whole for us, bagit and sha256sum")
  func whole() async throws {
    let words = bench.trial(["--seed", "7", "--speaker", "silent", "--unattended"])
    let (run, lateness) = try await Lateness.during { try await Turns.trials.take { try await bench.run(words) } }
    let (status, output, complaints) = run
    let expected = [
      "step 1 of 3, intro: Hello — Sit still.", "step 2 of 3, music: Listen", "music: started",
      "music: the clip sounds",
      "step 3 of 3, end: Thanks", "outcome: completed",
    ]
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.filter { expected.contains($0) } == expected)
    #expect(!output.contains("\u{1B}"))
    let bundle = try #require(bench.bundles().last)
    let last = try #require(lines.last)
    #expect(last == "bundle: results/bundles/\(URL(filePath: bundle).lastPathComponent)")
    #expect(bench.names(in: "results/open").isEmpty)
    #expect(bench.names(in: ".").filter { $0.hasPrefix("station-") }.isEmpty, "the sound server's folder is gone")

    let verified = try await bench.run(["verify", bundle])
    #expect(verified.status == 0)
    #expect(verified.output == "\(bundle): OK: complete, checksums match\n")
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", bundle])
    #expect(bagit.status == 0, "\(bagit.error)")
    for manifest in ["manifest-sha256.txt", "tagmanifest-sha256.txt"] {
      let sums = try Program.run("bash", ["-c", #"cd "$0" && sha256sum --strict --quiet -c "$1""#, bundle, manifest])
      #expect(sums.status == 0, "\(sums.output)\(sums.error)")
    }

    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed")
    #expect(result["speaker"]?["audible"]?.bool == false)
    try await shown(bundle, result)
    try lateness.judge(result) {
      #expect(result["playback"]?["framesPlayed"]?.integer == 44_100)
      #expect(status == 0, "\(output)\(complaints)")
      #expect(complaints.isEmpty)
      #expect(result["verdict"]?.string == "good")
    }
  }

  private func shown(_ bundle: String, _ result: JSONValue) async throws {
    let clip = try #require(result["clip"]?["name"]?.string)
    let heart = try String(contentsOfFile: "\(bundle)/data/heart.json", encoding: .utf8)
    #expect(try await bench.run(["show", bundle]).output == "clip name: \(clip)\n\(heart)")
    let whole = try await bench.run(["show", bundle, "--json"]).output
    #expect(try JSONReader.read(Array(whole.utf8)).value == result)
    let replay = try await bench.run(["show", bundle, "--replay"])
    #expect(replay.status == 0)
    #expect(replay.output.contains("seed 7, generator station.xoshiro256starstar/1"))
    #expect(replay.output.hasSuffix("repeated draw: “\(clip)”, the same clip\n"))
    let list = try await bench.run(["list"]).output.split(separator: "\n")
    #expect(list.last?.contains("p1") == true)
    #expect(list.last?.contains(clip) == true)
    let verdict = try #require(result["verdict"]?.string)
    #expect(list.last?.contains(verdict) == true)
    let json = try JSONReader.read(Array(try await bench.run(["list", "--json"]).output.utf8)).value
    #expect(json.array?.last?["clip"]?.string == clip)
    #expect(try await bench.run(["recover"]).output == "nothing to recover\n")
  }

  @Test("The same seed draws the same clip, and different seeds draw each")
  func seeds() async throws {
    try bench.write(Bench.music(seconds: 0.2), to: "tiny.json")
    var drawn: [String: Set<String>] = [:]
    for seed in ["7", "7", "11", "2", "3"] {
      let words = bench.trial(["--seed", seed, "--speaker", "silent", "--unattended"], of: "tiny.json")
      let (_, output, _) = try await Turns.trials.take { try await bench.run(words) }
      let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("clip name: ") })
      drawn[seed, default: []].insert(String(line))
    }
    #expect(drawn.values.allSatisfy { $0.count == 1 })
    #expect(Set(drawn.values).count == 2)
  }

  @Test("Several recorders: one by its identifier from a recording, one by its type from a command")
  func recorders() async throws {
    try bench.write(
      Bench.music(
        seconds: 1,
        recorders: [
          Bench.recorder("chest", "heartRate", "count/min"), Bench.recorder("beats", "rrInterval", "ms"),
        ]), to: "two.json")
    // Beats of 200 ms, so that a second holds five.
    let recording = (0..<100).map { "\(Double($0) / 5),\(100 + $0),200" }.joined(separator: "\n")
    try bench.write("t,hr,rr\n\(recording)\n", to: "recording.csv")
    let words = bench.trial(of: "two.json", sensors: ["chest=replay:recording.csv", "rrInterval=\(Bench.steady)"])
    let (_, output, _) = try await Turns.trials.take { try await bench.run(words) }
    let result = try bench.result(try #require(bench.bundles().first))
    let recordings = try #require(result["recordings"]?.array)
    #expect(recordings.map { $0["identifier"]?.string } == ["chest", "beats"])
    for recording in recordings { #expect((recording["samples"]?.integer ?? 0) > 3, "\(output)") }
    #expect(recordings[0]["sensor"]?["name"]?.string == "replay:recording.csv")
    #expect(recordings[1]["sensor"]?["name"]?.string == Bench.steady)
  }

  @Test("Samples come through standard input; its end is reported and costs no sample")
  func standardInput() async throws {
    let words = bench.trial(["--speaker", "silent", "--unattended", "--no-sensor-check"], sensors: ["hr=lines:-"])
    try await Turns.trials.take {
      let child = try bench.start(words, input: .pipe)
      try await child.output.wait(for: "the clip sounds") {
        for rate in 61...65 { child.type(#"{"hr":\#(rate)}"# + "\n") }
        child.closeInput()
      }
      _ = await child.end()
      #expect(child.complaints.text.contains("the sensor “lines:-” has ended: standard input has ended"))
    }
    let bundle = try #require(bench.bundles().first)
    let heart = try JSONReader.read(Array(Data(contentsOf: URL(filePath: "\(bundle)/data/heart.json")))).value
    #expect(heart["items"]?.array?.compactMap { $0["value"]?.integer } == [61, 62, 63, 64, 65])
    #expect(try bench.result(bundle)["outcome"]?.string == "completed")
  }

  @Test("Standard input that has ended is refused before a trial in which a step waits for Return")
  func inputHasEnded() async throws {
    let (status, _, complaints) = try await bench.run(bench.trial(["--speaker", "silent"]))
    #expect(status == 1)
    #expect(complaints.contains("run it at a terminal, or with --unattended"))
    #expect(bench.names(in: ".").contains("results") == false)
  }

  @Test("Standard input that ends where a step waits: the trial failed, the remedy is reported, the bundle is kept")
  func inputEnds() async throws {
    try bench.write(Self.reading, to: "reading.json")
    let child = try bench.start(bench.trial([], of: "reading.json", sensors: []), input: .pipe)
    try await child.output.wait(for: "waiting for Return") { child.closeInput() }
    #expect(await child.end() == 4)
    #expect(child.complaints.text.contains("run it at a terminal, or with --unattended"))
    #expect(child.output.text.contains("outcome: failed\nverdict: bad"))
    #expect(try await bench.run(["verify"] + bench.bundles()).status == 0)
    #expect(bench.bundles().count == 1)
  }

  @Test(
    "CR, LF and CR LF are one Return each",
    arguments: [
      ("\n\n\n", "completed"), ("\r\r\r", "completed"), ("\r\n\r\n", "failed"), ("\r\n\r\n\r\n", "completed"),
    ])
  func lineEnds(typed: String, outcome: String) async throws {
    try bench.write(Self.reading, to: "reading.json")
    let child = try bench.start(bench.trial([], of: "reading.json", sensors: []), input: .pipe)
    try await child.output.wait(for: "waiting for Return") {
      child.type(typed)
      child.closeInput()
    }
    _ = await child.end()
    #expect(child.output.text.contains("outcome: \(outcome)"), "\(child.complaints.text)")
  }

  /// Three screens that wait for Return, and nothing else.
  private static let reading = """
    { "format": "station.protocol/1", "identifier": "Reading", "version": "1.0", "steps": [
      { "kind": "instruction", "identifier": "a", "title": "A" },
      { "kind": "instruction", "identifier": "b", "title": "B" },
      { "kind": "completion", "identifier": "c", "title": "C" } ] }
    """

  @Test("clips --json has the keys that are promised")
  func clips() async throws {
    try bench.write("not a clip", to: "clips/broken.mp3")
    let (status, output, _) = try await bench.run(["clips", "clips", "--json"])
    #expect(status == 1)
    let clips = try #require(JSONReader.read(Array(output.utf8)).value.array)
    #expect(clips.count == 3)
    for clip in clips {
      let keys = Set(clip.object.map { Array($0.keys) } ?? [])
      #expect(
        keys.isSuperset(of: [
          "name", "frames", "sampleRate", "channels", "durationSeconds", "loudnessLUFS", "truePeakDBTP", "sha256",
          "problem",
        ]))
    }
    let high = try #require(clips.first { $0["name"]?.string == "high" })
    #expect(high["problem"] == .null)
    #expect(high["frames"]?.integer == 88_200)
    #expect(high["durationSeconds"]?.number == 2)
    let sum = try Program.run("sha256sum", ["\(bench.scratch["clips"])/high.mp3"]).output.prefix(64)
    #expect(high["sha256"]?.string == String(sum))
    #expect(clips.first { $0["name"]?.string == "broken" }?["problem"]?.string != nil)
  }
}
