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
    let looped = #"{ "choose": "random" }, "whenShorter": "loop""#
    try bench.write(Bench.music(seconds: 600, choice: looped), to: "long.json")
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
    // The sensor counts: none is missing from the first to the last.
    let first = try #require(rates.first)
    #expect(rates.count >= 3)
    #expect(rates == Array(first..<first + rates.count))
  }

  enum Loss: Sendable {
    case killed
    case unloaded
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
