import Basics
import Foundation
import TestSupport
import Testing

@Suite("Numbers that are huge, in files and on the command line")
struct HugeNumbersTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private func beats(_ last: String, to name: String) throws {
    let lines = [String](repeating: "800", count: 60) + [last] + [String](repeating: "810", count: 60)
    try bench.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test(
    "A window, an event or a baseline that lies further than thirty years away is refused",
    arguments: [
      ["--window", "0:1e308"], ["--window", "-1e308:1e308"], ["--event", "-1e308:1e308"], ["--event", "1e308"],
      ["--baseline", "0:1e308", "--csv"],
    ])
  func tooFar(words: [String]) async throws {
    try MadeTrial().write(to: bench.scratch["trial"])
    let (status, output, complaints) = try await bench.run(["analyse", "trial"] + words)
    #expect(status == 2 && output.isEmpty, "\(complaints)")
    #expect(
      complaints.contains("invalid value “\(words[1])” for \(words[0]): more than 30 years away"), "\(complaints)")
  }

  @Test(
    "An interval of a trial that no heart has leaves a gap, is told, and does not keep its table away",
    arguments: [
      ["--csv", "--window", "whole"], ["--csv", "--baseline", "preStimulus"],
      ["--json", "--by", "clip", "--window", "preStimulus"],
    ])
  func bundle(words: [String]) async throws {
    var trial = MadeTrial()
    trial.changes = { $0 == 3 ? ["rr_ms": [1e308]] : [:] }
    try trial.write(to: bench.scratch["trial"])
    let (status, output, complaints) = try await bench.run(
      ["analyse", "trial", "--measure", "rmssd,meanHeartRate"] + words)
    #expect(status == 0, "\(complaints)")
    #expect(output.contains("Dropped 1 interval longer than one hour"), "\(output)")
  }

  @Test("An interval of a text that no heart has leaves a gap, and is reported", arguments: ["1e308", "3600001"])
  func text(interval: String) async throws {
    try beats(interval, to: "beats.txt")
    let document = try await bench.analyseJSON("beats.txt", "--measure", "meanNN,meanHeartRate", "--json")
    let recording = try #require(document["recordings"]?.array?.first)
    #expect(recording["intervals"]?.number == 120 && recording["artefacts"]?["omitted"]?.number == 1)
    #expect(recording["caveats"]?.array?.contains { $0["caveat"] == "intervalsTooLong" } == true)
    #expect(recording["window"]?["to_s"]?.number == 96.6)
    let people = try await bench.analyse("beats.txt")
    #expect(!people.contains("inf") && !people.contains("nan"), "\(people)")
  }

  @Test("Ranges of the heart rate are drawn around an event that lies far away")
  func range() async throws {
    try beats("805", to: "beats.txt")
    let chart = try await bench.run(
      ["chart", "range", "beats.txt", "--event", "-1e9:1e9", "--output", bench.scratch["range.svg"]])
    #expect(chart.status == 0, "\(chart.complaints)")
    let refused = try await bench.run(
      ["chart", "range", "beats.txt", "--event", "-1e308:1e308", "--output", bench.scratch["far.svg"]])
    #expect(refused.status == 2 && refused.complaints.contains("-1e308:1e308"))
  }

  @Test("Heart rates whose mean is not finite have no interval, and are summed up all the same")
  func rates() async throws {
    let rows = (1...60).map { "\($0),\($0 == 30 ? "1.7e308" : "70")" }.joined(separator: "\n")
    for name in ["a.csv", "b.csv", "c.csv"] { try bench.write("time,hr\n\(rows)\n", to: name) }
    for words in [["--json"], []] {
      let (status, output, complaints) = try await bench.run(
        ["analyse", "a.csv", "b.csv", "c.csv", "--by", "clip", "--event", "26.5", "--response", "-20:4"] + words)
      #expect(status == 0 && output.contains("response"), "\(complaints)")
    }
  }
}
