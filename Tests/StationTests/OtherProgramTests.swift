import Basics
import TestSupport
import Testing

@testable import Sound

@Suite("Other programs' sound during a trial")
struct OtherProgramTests {
  @Test(
    "A program that plays through the same sink is reported at once, named in the result, and makes the trial suspect")
  func named() async throws {
    let bench = try Bench()
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    let other = try await PulseSpeaker(server: server.address, sink: "booth")
    try await other.prepare(SoundFormat(sampleRate: 48_000, channels: 2))
    let run = try await Turns.trials.take {
      try await bench.run(
        bench.trial(["--speaker", "booth", "--unattended"]), environment: ["PULSE_SERVER": server.address])
    }
    await other.close()
    let result = try bench.result(try #require(bench.bundles().last, "\(run.output)\(run.complaints)"))
    #expect(run.status == 4)
    #expect((run.output + run.complaints).contains("another program plays through the same sink"))
    let others = result["caveats"]?.array?.filter { $0["caveat"]?.string == "otherProgram" } ?? []
    #expect(others.map { $0["program"]?.string } == ["station"])
    #expect(result["verdict"]?.string == "suspect")
    #expect(try await bench.run(["verify"] + bench.bundles()).status == 0)
  }

  @Test("A check of onsets names another program, and counts it as no disturbance")
  func check() async throws {
    let bench = try Bench()
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    let other = try await PulseSpeaker(server: server.address, sink: "booth")
    try await other.prepare(SoundFormat(sampleRate: 48_000, channels: 2))
    let run = try await bench.run(
      ["check", "onset", "--trials", "3", "--json-lines"], environment: ["PULSE_SERVER": server.address])
    await other.close()
    let trials = try run.output.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
    #expect(trials.count == 3 && trials.allSatisfy { $0["other_programs"]?.array?.map(\.string) == ["station"] })
    #expect(run.complaints.contains("other programs played through the same sink during 3 of 3 clips: “station”"))
  }
}
