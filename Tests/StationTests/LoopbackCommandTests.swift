import Basics
import TestSupport
import Testing

@testable import Sound

@Suite("station check loopback")
struct LoopbackCommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let kept = ".config/station/station.json"

  private func check(
    _ words: [String], on server: PrivatePipeWire
  ) async throws -> (status: Int32, output: String, complaints: String) {
    try await bench.run(
      ["check", "loopback", "--speaker", "pipewire:room", "--clicks", "5"] + words,
      environment: ["PIPEWIRE_REMOTE": server.address])
  }

  @Test("finds the delay of a room, keeps it, and trials count with it; a measured value wins")
  func room() async throws {
    try await Turns.trials.take {
      let server = try PrivatePipeWire()
      // 480 frames at 48 kHz are 10 ms.
      let room = try GraphProgram("graph_room", ["room", "480"], on: server.address)
      defer { withExtendedLifetime(room) {} }
      let (status, output, complaints) = try await check(["--microphone", "room", "--json"], on: server)
      #expect(status == 0, "\(complaints)")
      let found = try JSONReader.read(Array(output.utf8)).value
      try AnswersTests.check([("check loopback", found)])
      let median = try #require(found["unexplained_ns"]?["median"]?.integer)
      #expect(abs(median - 10_000_000) < 20_000 && found["kept"]?.bool == true)
      #expect(found["clicks"]?.array?.count == 5)
      let refused = try await check(["--microphone", "room"], on: server)
      #expect(refused.status == 1 && refused.complaints.contains("--replace"))

      let settings = try await bench.run(["settings"]).output
      #expect(settings.contains("outputLatencies.room"), "\(settings)")
      let trial = try await bench.run(
        bench.trial(["--unattended", "--speaker", "pipewire:room"]),
        environment: ["PIPEWIRE_REMOTE": server.address])
      #expect([0, 4].contains(trial.status), "\(trial.complaints)")
      let result = try bench.result(try #require(bench.bundles().first))
      let speaker = try #require(result["speaker"])
      #expect(speaker["outputLatency_ns"]?.integer == found["outputLatency_ns"]?.integer)
      #expect(speaker["outputLatencyBasis"]?.string == "loopback")
      let uncertainty = try #require(speaker["outputLatencyUncertainty_ns"]?.integer)
      #expect(uncertainty >= 5_000_000 && uncertainty < 6_000_000)

      let measured = try await check(
        ["--measured-ms", "6.2", "--uncertainty-ms", "0.3", "--replace", "--microphone", "room"], on: server)
      #expect(measured.status == 0, "\(measured.complaints)")
      let file = try JSONReader.read(File.contents(of: bench.scratch[Self.kept], limit: 100_000)).value
      let latency = try #require(file["outputLatencies"]?["room"])
      #expect(latency["latency_ms"]?.number == 6.2 && latency["uncertainty_ms"]?.number == 0.3)
      #expect(latency["basis"]?.string == "measured")
    }
  }

  @Test("a monitor is measured, and nothing is kept of it")
  func monitor() async throws {
    try await Turns.trials.take {
      let server = try PrivateSoundServer(sink: "booth")
      defer { server.stop() }
      let ((status, output, complaints), lateness) = try await Lateness.during {
        try await bench.run(
          ["check", "loopback", "--speaker", "pulse:booth", "--microphone", "booth.monitor", "--clicks", "5"],
          environment: ["PULSE_SERVER": server.address])
      }
      // Clicks that a busy machine plays or records late have no delay of their own.
      if status != 0, let excuse = lateness.excuse { try Test.cancel("\(excuse)") }
      #expect(status == 0 && output.contains("not kept"), "\(complaints)")
      #expect(complaints.contains("nothing was kept") && !Folder.exists(bench.scratch[Self.kept]))
    }
  }

  @Test(
    "wrong words are refused before anything sounds",
    arguments: [
      ([], "--microphone SOURCE"), (["--microphone", "m", "--speaker", "silent"], "no one can hear"),
      (["--measured-ms", "3"], "belong together"), (["--microphone", "m", "--clicks", "2"], "--clicks"),
      (["--measured-ms", "-3", "--uncertainty-ms", "1"], "--measured-ms"),
    ])
  func wrong(words: [String], complaint: String) async throws {
    let (status, output, complaints) = try await bench.run(["check", "loopback"] + words)
    #expect(status == 2 && output.isEmpty && complaints.contains(complaint), "\(complaints)")
  }
}
