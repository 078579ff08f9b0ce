import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@testable import Sound

@Suite("Sound that is lost in the middle of a clip")
struct SoundLossTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    // So long that the loss comes before its end on any machine.
    try bench.write(Bench.music(seconds: 60, more: Bench.looped), to: "long.json")
  }

  @Test(
    "The trial ends in order, is bad with its reason, and the heart data are whole up to the end",
    arguments: [(loss: Loss.killed, reason: "the sound server went away"), (.unloaded, "the sink went away")])
  func lost(loss: Loss, reason: String) async throws {
    try await Turns.trials.take {
      let server = try PrivateSoundServer()
      defer { server.stop() }
      let child = try bench.start(
        bench.trial(["--unattended"], of: "long.json"), environment: ["PULSE_SERVER": server.address])
      try await child.output.wait(for: "the clip sounds")
      try await child.output.wait(for: "heart rate: ", times: 9) {
        switch loss {
        case .killed: kill(server.processIdentifier, SIGKILL)
        case .unloaded: server.tell("unload-module module-null-sink")
        }
      }
      #expect(await child.end() == 4)
      #expect(child.output.text.contains("the clip sounds"))
      #expect(child.complaints.text.contains("the trial failed: "))
      #expect(child.complaints.text.contains(reason))
    }
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "failed")
    #expect(result["verdict"]?["grade"]?.string == "bad")
    #expect(result["verdict"]?["reasons"]?.array?.contains { $0.string?.contains(reason) == true } == true)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    let heart = try JSONReader.read(Array(Data(contentsOf: URL(filePath: "\(bundle)/data/heart.json")))).value
    let rates = try #require(heart["items"]?.array?.compactMap { $0["value"]?.integer })
    // The sensor counts, and begins again after 120: none is missing from the first to the last.
    #expect(rates.count >= 3)
    #expect(zip(rates, rates.dropFirst()).allSatisfy { $1 == $0 + 1 || $0 == 120 }, "\(rates)")
  }

  enum Loss: Sendable {
    case killed
    case unloaded
  }

  @Test("A sink that is muted in the middle of a clip makes the trial bad, and the result says how loud it was")
  func muted() async throws {
    try await Turns.trials.take {
      let server = try PrivateSoundServer()
      defer { server.stop() }
      server.tell("set-sink-volume silent 32768")
      let child = try bench.start(
        bench.trial(["--unattended"], of: "long.json"), environment: ["PULSE_SERVER": server.address])
      try await child.output.wait(for: "the clip sounds") { server.tell("set-sink-mute silent 1") }
      try await child.complaints.wait(for: "the sound was disturbed: muted") { child.send(SIGINT) }
      #expect(await child.end() == 4)
    }
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    #expect(result["verdict"]?["grade"]?.string == "bad")
    #expect(result["verdict"]?["reasons"]?.array?.contains { $0.string == "the sound was muted once" } == true)
    #expect(result["warnings"]?.array?.contains { $0.string == "the volume of the sink was 50 %" } == true)
    let volume = try #require(result["playback"]?["speaker"]?["volume"])
    #expect(volume["sink_percent"]?.array?.map(\.number) == [50, 50] && volume["sinkMuted"]?.bool == false)
    #expect(volume["stream_percent"]?.array?.map(\.number) == [100] && volume["streamMuted"]?.bool == false)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("With a muted sink there is no trial, and the remedy is told")
  func refused() async throws {
    let server = try PrivateSoundServer()
    defer { server.stop() }
    server.tell("set-sink-mute silent 1")
    let (status, _, complaints) = try await bench.run(
      bench.trial(["--unattended"]), environment: ["PULSE_SERVER": server.address])
    #expect(status == 1)
    #expect(complaints.contains("the sink “silent” is muted; unmute it with `pactl set-sink-mute silent 0`"))
    #expect(bench.names(in: "results/open").isEmpty && bench.bundles().isEmpty)
  }

  @Test("Without a sound server there is no trial, and the remedy is told")
  func none() async throws {
    let (status, _, complaints) = try await bench.run(
      bench.trial(["--unattended"]), environment: ["PULSE_SERVER": "unix:\(bench.scratch["nowhere"])"])
    #expect(status == 1)
    #expect(complaints.contains("cannot connect to PulseAudio"))
    #expect(complaints.contains("--speaker silent"))
    #expect(bench.names(in: "results/open").isEmpty)
    #expect(bench.bundles().isEmpty)
  }
}
