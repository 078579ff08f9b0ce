import Basics
import Foundation
import TestSupport
import Testing

@Suite("What analyses and charts are locked to, and what they say is known")
struct EventCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func silent() throws {
    var trial = MadeTrial()
    (trial.clip, trial.sound) = (nil, nil)
    try trial.write(to: bench.scratch["silent"])
  }

  private func recording(_ words: [String]) async throws -> JSONValue {
    let (status, output, complaints) = try await bench.run(["analyse"] + words + ["--json"])
    #expect(status == 0, "\(complaints)")
    return try #require(JSONReader.read(Array(output.utf8)).value["recordings"]?.array?.first)
  }

  @Test("A silent step is an event like a sound: it has phases, a response and its name in charts")
  func silence() async throws {
    try silent()
    let words = ["silent", "--measure", "meanHeartRate", "--response", "-10:10", "--bin", "5"]
    let (_, without, _) = try await bench.run(["analyse"] + words)
    #expect(
      without.contains("response: The trial plays no clip; --event stimulus,step:music")
        && !without.contains("reactivity"))
    let (status, output, _) = try await bench.run(["analyse"] + words + ["--event", "stimulus,step:music"])
    #expect(status == 0)
    for line in [
      "window: the step “music”, 19.000 to 41.000 s, 22.0 s", "rest: 19.0 s, known for 100 %; stimulus: 22.0 s, known",
      "response to the onset at 19.000 s, baseline 60.0 /min from -10 to 0 s",
    ] { #expect(output.contains(line), "\(line)\n\(output)") }
    let document = try await recording(words + ["--event", "stimulus", "--event", "step:music"])
    #expect(document["event"]?["name"]?.string == "step:music" && document["event"]?["onset_s"]?.number == 19)
    #expect(document["phases"]?.array?.count == 1)
    let chart = try await bench.run(
      ["chart", "heartRate", "silent", "--event", "step:music", "--output", bench.scratch["silent.svg"]])
    #expect(chart.status == 0, "\(chart.complaints)")
    let svg = try String(contentsOf: URL(filePath: bench.scratch["silent.svg"]), encoding: .utf8)
    #expect(svg.contains(">music<") && svg.contains(">onset<") && svg.contains("Time since the trial's start"))
    #expect(
      try await recording(words)["response"]?["reason"]?["reason"] == "noSound")
    let drawn = try await bench.run(["chart", "response", "silent", "--output", bench.scratch["none.svg"]])
    #expect(drawn.complaints.contains("--event stimulus,step:music") && !drawn.complaints.contains("--baseline none"))
    let missing = try await bench.run(["analyse", "silent", "--event", "step:silence", "--window", "stimulus"])
    #expect(missing.output.contains("The trial has no event step:silence; its steps are “rest”, “music”."))
  }

  @Test("A table is given an event in seconds, and has then phases and a response")
  func table() async throws {
    let rows = (1...180).map { "\($0),\($0 > 60 && $0 <= 120 ? 80 : 60)" }
    try bench.write("time,hr\n" + rows.joined(separator: "\n") + "\n", to: "rates.csv")
    let document = try await recording(
      ["rates.csv", "--event", "60:120", "--measure", "meanHeartRate", "--response", "-10:10"])
    let phase = try #require(document["phases"]?.array?.first)
    #expect(phase["reactivity"]?.number == 20 && phase["recovery"]?.number == -20)
    #expect(document["response"]?["bins"]?.array?.last?["response"]?.number == 20)
    #expect(document["window"]?["name"]?.string == "stimulus")
  }

  @Test("What is known stands beside every number, and what is hardly known has none")
  func coverage() async throws {
    var trial = MadeTrial()
    // Of 20 s of rest three are lost, of 20 s of music fourteen.
    trial.changes = { (5...7).contains($0) || (22...38).contains($0) ? ["contact": false] : [:] }
    try trial.write(to: bench.scratch["gaps"])
    let document = try await recording(["gaps", "--measure", "meanNN"])
    let one = try #require(document["measurements"]?.array?.first)
    #expect(one["value"] == .null)
    #expect(try #require(one["coverage"]?.number) < 0.5)
    #expect(one["reason"]?["reason"] == "partlyKnown")
    let rest = try #require(document["phases"]?.array?.first?["rest"])
    #expect(rest["value"]?.number == 1000 && rest["correction"]?.string?.isEmpty == false)
    #expect((try #require(rest["coverage"]?.number) - 17 / 19.99).magnitude < 0.01)
    #expect((try #require(rest["known_s"]?.number) - 16).magnitude <= 1)
    let output = try await bench.run(["analyse", "gaps", "--measure", "meanNN,sdnn,nn50"]).output
    #expect(output.contains("warning, rest: ") && output.contains("85 % of the window from 0 to 20 s is known."))
    #expect(output.contains("% of the window from 20 to 40 s is known, which is too little to measure."))
    // Each sentence stands once.
    let notes = output.split(separator: "\n").filter { $0.hasPrefix("note: ") || $0.hasPrefix("warning: ") }
    #expect(Set(notes).count == notes.count && notes.count { $0.contains("is known") } <= 1)
  }

  @Test("A range that is left over at the ends of whole bins is reported, and one in milliseconds is refused")
  func bins() async throws {
    try MadeTrial().write(to: bench.scratch["trial"])
    let told = try await bench.run(["analyse", "trial", "--response", "-8:14", "--bin", "5"]).output
    #expect(told.contains("Whole bins of 5 s are counted from the onset; -8 to -5 s and 10 to 14 s are in none."))
    let window = try await bench.run(["analyse", "trial", "--window", "0:5000", "--measure", "meanNN"]).output
    #expect(window.contains("windows are in seconds, not in milliseconds"))
  }
}
