import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Sound

@Suite("Trials that record the room's sound")
struct MicrophoneTrialTests {
  let bench: Bench

  private static let rate = 48_000
  /// Where the clicks are in the clip, in frames.
  private static let clicks = [4800, 40_000, 90_123, 130_001]

  init() throws {
    bench = try Bench()
    var samples = [Int](repeating: 0, count: 3 * Self.rate)
    let click = Click(rate: Self.rate).stimulus.samples
    for start in Self.clicks {
      for frame in 0..<click.count / 2 { samples[start + frame] = Int((click[2 * frame] * 8_388_607).rounded()) }
    }
    let bytes = LosslessBytes.wave(samples.flatMap { [$0, $0] }, as: .bits24, rate: Self.rate)
    try Data(bytes).write(to: URL(filePath: "\(bench.scratch["clips"])/clicks.wav"))
    try bench.write(Self.studyProtocol, to: "room.json")
  }

  private static let studyProtocol = """
    { "format": "station.protocol/1", "identifier": "Room", "version": "1", "clips": { "folder": "clips" },
      "recorderConfigurations": [
        { "identifier": "room", "quantityType": "roomSound", "scope": "trial", "settle_s": 1 },
        { "identifier": "level", "quantityType": "roomSoundLevel", "scope": "trial", "settle_s": 1 }],
      "steps": [
        { "kind": "music", "identifier": "music", "clip": { "name": "clicks" }, "stepDuration": 3,
          "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true }] }
    """

  private func words(_ speaker: String, _ source: String) -> [String] {
    bench.trial(
      ["--speaker", speaker, "--unattended"], of: "room.json",
      sensors: ["roomSound=microphone:\(source)", "roomSoundLevel=microphone:\(source)"])
  }

  /// The left samples of a bundle's sound, by ffmpeg.
  private func sound(of bundle: String) throws -> [Float] {
    let target = bench.scratch["room.raw"]
    let run = try Program.run(
      "ffmpeg", ["-y", "-v", "error", "-i", "\(bundle)/data/waveforms/room.flac", "-f", "f32le", target])
    #expect(run.status == 0, "\(run.error)")
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: target)))
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      Float(bitPattern: bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }
  }

  /// Holds the places of the clicks in the file against the onset that the result reports.
  private func check(_ bundle: String, _ lateness: Lateness) async throws {
    let verified = try await bench.run(["verify", bundle])
    #expect(verified.status == 0, "\(verified.complaints)")
    let result = try bench.result(bundle)
    let recordings = try #require(result["recordings"]?.array)
    #expect(recordings.map { $0["file"]?.string } == ["data/waveforms/room.flac", "data/level.json"])
    #expect(recordings[1]["samples"]?.integer ?? 0 >= 2)
    let sound = try #require(recordings[0]["sound"])
    #expect(sound["rate_Hz"] == .integer(Self.rate) && sound["channels"] == 2)
    try lateness.judge(result) {
      #expect(sound["framesLost"] == 0 && sound["samplesClipped"] == 0, "\(sound.text())")
      let onset = try #require(result["playback"]?["onset"]?["t_ns"]?.integer)
      let first = try #require(sound["firstFrame"]?["t_ns"]?.integer)
      let samples = try self.sound(of: bundle)
      #expect(samples.count == sound["frames"]?.integer)
      let click = Click(rate: Self.rate)
      let errors = try Self.clicks.map { place in
        let expected = Double(onset - first) * Double(Self.rate) / 1e9 + Double(place)
        let start = max(0, Int(expected) - 2000)
        let found = try #require(click.find(in: Array(samples[start..<min(samples.count, start + 4400)])))
        #expect(found.isHeard)
        return (found.index + Double(start) - expected) / Double(Self.rate) * 1000
      }
      print("the clicks are \(errors.map { ($0 * 1000).rounded() / 1000 }) ms after where the onset says")
      #expect(errors.allSatisfy { abs($0) < 1 })
      // The clicks keep their distance to the frame.
      #expect((errors.max() ?? 0) - (errors.min() ?? 0) < 0.021)
    }
  }

  @Test("On PulseAudio the clip is in the file where its onset says, within 1 ms")
  func pulseAudio() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    let (run, lateness) = try await Lateness.during {
      try await Turns.trials.take {
        try await bench.run(words("pulse:booth", "pulse:booth.monitor"), environment: ["PULSE_SERVER": server.address])
      }
    }
    let bundle = try #require(bench.bundles().last, "\(run.output)\(run.complaints)")
    #expect(run.output.contains("roomSoundLevel: "), "\(run.output)")
    try await check(bundle, lateness)
  }

  @Test("On PipeWire the clip is in the file where its onset says, within 1 ms")
  func pipeWire() async throws {
    let server = try PrivatePipeWire(sink: "booth", hasMonitor: true)
    defer { server.stop() }
    let (run, lateness) = try await Lateness.during {
      try await Turns.trials.take {
        try await bench.run(
          words("pipewire:booth", "pipewire:booth.monitor"), environment: ["PIPEWIRE_REMOTE": server.address])
      }
    }
    let bundle = try #require(bench.bundles().last, "\(run.output)\(run.complaints)")
    try await check(bundle, lateness)
  }

  @Test("What a trial that is killed had recorded becomes a file that can be heard")
  func killed() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    // However late the test is, the trial still runs then.
    let long = #""stepDuration": 600, "whenShorter": "loop""#
    try bench.write(Self.studyProtocol.replacing(#""stepDuration": 3"#, with: long), to: "room.json")
    let written = try await Turns.trials.take {
      let child = try bench.start(
        words("pulse:booth", "pulse:booth.monitor"), environment: ["PULSE_SERVER": server.address])
      // There is a level once a second.
      try await child.output.wait(for: "roomSoundLevel: ", times: 2)
      let trial = try #require(bench.names(in: "results/open").first)
      let blocks = "\(bench.scratch["results"])/open/\(trial)/waveforms/room.blocks"
      let written = try #require(try FileManager.default.attributesOfItem(atPath: blocks)[.size] as? Int)
      child.send(SIGKILL)
      _ = await child.end()
      return written
    }
    #expect(try await bench.run(["recover", "--results", "results"]).status == 0)
    let bundle = try #require(bench.bundles().last)
    #expect(try await bench.run(["verify", bundle]).status == 0)
    let kept = try sound(of: bundle).count
    // A frame has 8 bytes, and a block of 4800 frames a head of 48.
    #expect(kept > Self.rate && kept * (8 * 4800 + 48) / 4800 >= written, "\(kept) frames of \(written) bytes")
  }

  @Test("Checking a microphone says nothing of hearts and lines, and no delay below zero")
  func checked() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    let run = try await bench.run(
      ["check", "sensor", "microphone:pulse:booth.monitor", "--for", "2s"],
      environment: ["PULSE_SERVER": server.address])
    #expect(run.status == 0, "\(run.output)\(run.complaints)")
    for words in ["RR interval", "every line", "delay -", "delayed -"] {
      #expect(!run.output.contains(words), "\(run.output)")
    }
    #expect(run.output.contains("roomSound"), "\(run.output)")
  }

  @Test("A source that is not there is named with those that are")
  func missing() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    let run = try await bench.run(
      words("pulse:booth", "pulse:bath"), environment: ["PULSE_SERVER": server.address])
    #expect(run.status == 1 && run.complaints.contains("“booth.monitor”"), "\(run.complaints)")
    let listed = try await bench.run(["sensors", "--for", "100ms"], environment: ["PULSE_SERVER": server.address])
    #expect(listed.output.contains("--sensor roomSound=microphone:booth.monitor"), "\(listed.output)")
  }
}
