import Basics
import Foundation
import TestSupport
import Testing

@testable import Sound

@Suite("Volume and level, on the program that people run")
struct VolumeTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  private static let study = """
    { "format": "station.protocol/1", "identifier": "Loud", "version": "1.0", "clips": { "folder": "clips" },
      "steps": [
        { "kind": "volume", "identifier": "volume", "title": "How loud?", "step_dB": 3, "start_dB": -9 },
        { "kind": "trials", "identifier": "pieces",
          "design": { "conditions": [{ "name": "a", "clips": {} }], "repetitions": 2, "order": "fixed" },
          "steps": [
            { "kind": "music", "identifier": "music", "clip": { "choose": "condition" }, "stepDuration": 1,
              "loudness": { "target_LUFS": -23 }, "shouldStartTimerAutomatically": true,
              "shouldContinueOnFinish": true,
              "recorderConfigurations": [{ "identifier": "hr", "quantityType": "heartRate", "settle_s": 0.2 }] } ] },
        { "kind": "completion", "identifier": "end", "title": "Goodbye" } ] }
    """

  private func results() throws -> [JSONValue] { try bench.bundles().map { try bench.result($0) } }

  @Test("The chosen volume applies to the clips that follow, and again when the session is resumed")
  func resumed() async throws {
    try bench.write(Self.study, to: "loud.json")
    let words = [
      "run", "loud.json", "--participant", "p1", "--sensor", "heartRate=\(Bench.steady)", "--speaker", "silent",
    ]
    let child = try await Turns.trials.take {
      let child = try bench.start(words, input: .terminal)
      child.answer([("-9.0 dB", "\u{1B}[B"), ("-12.0 dB", "\n")])
      // The first trial has begun: its clip sounds.
      try await child.output.wait(for: "1 / 2") { child.send(SIGTERM) }
      _ = await child.end()
      return child
    }
    let first = try results()
    #expect(first.contains { $0["notes"]?.array?.first?["members"]?["gain_dB"]?.number == -12 }, "\(child.output.text)")
    let session = try #require(bench.names(in: "results/sessions").first)
    let record = try JSONReader.read(File.contents(of: bench.scratch["results/sessions/\(session)"])).value
    #expect(record["volume_dB"]?.number == -12)
    let second = try await Turns.trials.take {
      let child = try bench.start(words + ["--resume"], input: .terminal)
      child.answer([("Goodbye", "\n"), ("This is the end", "\u{10}")])
      _ = await child.end()
      return child
    }
    let played = try results().compactMap { $0["playback"]?["level"]?.object }
    #expect(played.count >= 2, "\(second.output.text)")
    #expect(played.allSatisfy { $0["volume_dB"]?.number == -12 && $0["chosen_dB"]?.number == -12 })
  }

  @Test("A calibration gives results a level, which stays below the protocol's maximum; another speaker has none")
  func calibrated() async throws {
    let settings = #"""
      { "format": "station.settings/1", "calibrations": { "silent": { "level_dBSPL": 80, "date": "2026-03-31" } } }
      """#
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    try bench.write(settings, to: "results/station.json")
    let loud = Bench.music(seconds: 1, more: #" "loudness": { "target_LUFS": -20 },"#)
    try bench.write(loud.replacing(#""steps""#, with: #""maximumLevel_dBSPL": 81, "steps""#), to: "short.json")
    _ = try await Turns.trials.take { try await bench.run(bench.trial()) }
    let result = try #require(results().first)
    #expect(result["playback"]?["level"]?["level_dBSPL"]?.number.map { abs($0 - 81) < 0.2 } == true)
    let caveat = try #require(result["caveats"]?.array?.first { $0["caveat"] == "levelLimited" })
    #expect(caveat["wanted_dBSPL"]?.number.map { abs($0 - 83) < 0.2 } == true)
    try bench.write(settings.replacing("silent", with: "headphones"), to: "results/station.json")
    let other = try await Turns.trials.take { try await bench.run(bench.trial()) }
    let last = try #require(results().last)
    #expect(last["playback"]?["level"] == .null)
    #expect((other.output + other.complaints).components(separatedBy: "is not calibrated").count == 2)
  }

  @Test("A headphone check that fails is in the result with its rounds, and the session goes on")
  func headphones() async throws {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Sides", "version": "1.0", "steps": [
        { "kind": "headphoneCheck", "identifier": "sides", "rounds": 2, "attempts": 1, "limit_s": 2 },
        { "kind": "rest", "identifier": "rest", "stepDuration": 0.5, "shouldStartTimerAutomatically": true,
          "shouldContinueOnFinish": true,
          "recorderConfigurations": [\(Bench.recorder("hr", "heartRate", "count/min"))] },
        { "kind": "completion", "identifier": "end", "title": "Goodbye" } ] }
      """, to: "sides.json")
    let child = try await Turns.trials.take {
      let child = try bench.start(bench.trial(["--speaker", "silent"], of: "sides.json"), input: .terminal)
      // The second round has no answer.
      child.answer([("or on the right", "l"), ("Goodbye", "\n"), ("This is the end", "\u{10}")])
      _ = await child.end()
      return child
    }
    let result = try #require(results().first, "\(child.output.text)")
    let notes = try #require(result["notes"]?.array).filter { $0["step"] == "sides" }
    let check = try #require(notes.first { $0["note"] == "headphoneAttempt" }?["members"])
    #expect(check["passed"] == false && (check["errors"]?.integer ?? 0) >= 1)
    let rounds = notes.filter { $0["note"] == "headphoneRound" }.compactMap { $0["members"] }
    #expect(Set(rounds.compactMap { $0["side"]?.string }) == ["left", "right"])
    let tones = try #require(result["tones"]?.array).filter { $0["step"] == "sides" }
    #expect(tones.compactMap { $0["number"]?.integer } == rounds.compactMap { $0["tone"]?.integer })
    #expect(result["caveats"]?.array?.contains { $0["caveat"] == "stepObjected" } == true)
    #expect(try await bench.run(["verify", bench.bundles()[0]]).status == 0)
  }

  @Test("The level that a meter shows is kept with speaker and date, and not overwritten unless that is asked for")
  func measured() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    func check(_ level: String, _ more: [String] = []) async throws -> (Int32, String, String) {
      let (status, output, complaints) = try await Turns.trials.take {
        try await bench.run(
          ["check", "level", "--speaker", "booth", "--seconds", "1", "--measured-dB", level] + more,
          environment: ["PULSE_SERVER": server.address])
      }
      return (status, output, complaints)
    }
    let first = try await check("68.5")
    #expect(first.0 == 0 && first.1.contains("-23 LUFS are 68.5 dB SPL"), "\(first)")
    let path = bench.scratch[".config/station/station.json"]
    let kept = try JSONReader.read(File.contents(of: path)).value["calibrations"]?["booth"]
    #expect(kept?["level_dBSPL"]?.number == 68.5 && kept?["date"]?.string?.count == 10)
    let second = try await check("70")
    #expect(second.0 == 1 && second.2.contains("68.5 dB SPL") && second.2.contains("--replace"))
    #expect(try await check("70", ["--replace"]).0 == 0)
    #expect(try JSONReader.read(File.contents(of: path)).value["calibrations"]?["booth"]?["level_dBSPL"]?.number == 70)
  }

  @Test("The level is asked for by an option, and a silent speaker is refused")
  func usage() async throws {
    let unasked = try await bench.run(["check", "level"])
    #expect(unasked.status == 2 && unasked.complaints.contains("--measured-dB"))
    let silent = try await bench.run(["check", "level", "--speaker", "silent", "--measured-dB", "60"])
    #expect(silent.status == 2 && silent.complaints.contains("no one can hear"))
  }
}
