import Basics
import Foundation
import Glibc
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
      let server = try PrivateSoundServer(sink: "booth")
      defer { server.stop() }
      let child = try bench.start(
        bench.trial(["--unattended", "--speaker", "booth"], of: "long.json"),
        environment: ["PULSE_SERVER": server.address])
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
    #expect(result["verdict"]?.string == "bad")
    let failed = result["caveats"]?.array?.first { $0["caveat"]?.string == "failed" }
    #expect(failed?["reason"]?.string?.contains(reason) == true)
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

  /// A server under an address that a later one takes over.
  private func server() throws -> PrivateSoundServer {
    let server = try PrivateSoundServer(sink: "booth")
    try? FileManager.default.removeItem(atPath: bench.scratch["pulse"])
    try FileManager.default.createSymbolicLink(
      atPath: bench.scratch["pulse"], withDestinationPath: "\(server.folder)/native")
    return server
  }

  /// A session of two trials with a clip and a rest.
  private func session(repeats: Int) throws -> [String] {
    try bench.write(
      """
      { "format": "station.protocol/1", "identifier": "Two", "version": "1", "clips": { "folder": "clips" }, "steps": [
        { "kind": "trials", "identifier": "pieces", "repeatLost": \(repeats),
          "design": { "conditions": [{ "name": "one" }, { "name": "two" }], "order": "fixed" },
          "steps": [
            { "kind": "music", "identifier": "stimulus", "stepDuration": 1.5, "clip": { "choose": "condition" } },
            { "kind": "rest", "identifier": "rest", "stepDuration": 1 } ] } ] }
      """, to: "two.json")
    return ["run", "two.json", "--participant", "p1", "--unattended", "--speaker", "booth"]
  }

  private func record() throws -> JSONValue {
    let name = try #require(bench.names(in: "results/sessions").last)
    return try JSONReader.read(Array(Data(contentsOf: URL(filePath: bench.scratch["results/sessions/\(name)"])))).value
  }

  @Test(
    "A session waits for a sound server that comes back, and performs the trial again where the protocol says so",
    arguments: [
      (line: "the clip sounds", repeats: 2, performed: ["1 failed superseded", "1 completed", "2 completed"]),
      ("the clip sounds", 0, ["1 failed", "2 completed"]), ("rest: started", 1, ["1 completed", "2 completed"]),
    ])
  func comesBack(line: String, repeats: Int, performed: [String]) async throws {
    let words = try session(repeats: repeats)
    try await Turns.trials.take {
      let first = try server()
      defer { first.stop() }
      let child = try bench.start(words, environment: ["PULSE_SERVER": "unix:\(bench.scratch["pulse"])"])
      try await child.output.wait(for: line) { kill(first.processIdentifier, SIGKILL) }
      try await child.complaints.wait(for: "waiting for the speaker")
      let second = try server()
      defer { second.stop() }
      #expect([0, 4].contains(await child.end()), "\(child.complaints.text)")
      #expect(child.complaints.text.contains("the speaker is ready again"))
    }
    let record = try record()
    #expect(record["state"] == "completed")
    let trials = (record["performed"]?.array ?? []).filter { $0["number"] != .null }
    let told = trials.map { trial in
      "\(trial["number"]?.integer ?? 0) \(trial["outcome"]?.string ?? "")"
        + (trial["superseded"] == true ? " superseded" : "")
    }
    #expect(told == performed)
    for bundle in bench.bundles() { #expect(try await bench.run(["verify", bundle]).status == 0) }
  }

  @Test("A signal ends the wait for the speaker, and the session can be resumed", arguments: [SIGINT, SIGTERM])
  func givenUp(signal: Int32) async throws {
    let words = try session(repeats: 1)
    try await Turns.trials.take {
      let first = try server()
      defer { first.stop() }
      let environment = ["PULSE_SERVER": "unix:\(bench.scratch["pulse"])"]
      let child = try bench.start(words, environment: environment)
      try await child.output.wait(for: "the clip sounds") { kill(first.processIdentifier, SIGKILL) }
      try await child.complaints.wait(for: "waiting for the speaker") { child.send(signal) }
      #expect(await child.end() == 4)
      #expect(try record()["state"] == "interrupted")
      let second = try server()
      defer { second.stop() }
      let resumed = try await bench.run(words + ["--resume"], environment: environment)
      #expect([0, 4].contains(resumed.status), "\(resumed.complaints)")
    }
    let counting = try record()["performed"]?.array?.filter { $0["superseded"] == false && $0["number"] != .null }
    #expect(counting?.map { $0["outcome"] } == ["completed", "completed"])
  }

  @Test("A sink that is muted in the middle of a clip makes the trial bad, and the result says how loud it was")
  func muted() async throws {
    try await Turns.trials.take {
      let server = try PrivateSoundServer(sink: "booth")
      defer { server.stop() }
      server.tell("set-sink-volume booth 32768")
      let child = try bench.start(
        bench.trial(["--unattended", "--speaker", "booth"], of: "long.json"),
        environment: ["PULSE_SERVER": server.address])
      try await child.output.wait(for: "the clip sounds") { server.tell("set-sink-mute booth 1") }
      try await child.complaints.wait(for: "the sound was disturbed: muted") { child.send(SIGINT) }
      #expect(await child.end() == 4)
    }
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    #expect(result["verdict"]?.string == "bad")
    #expect(result.caveats(from: "bad").contains("muted") && result.caveats().contains("volumeSet"))
    let volume = try #require(result["speaker"]?["volume"])
    #expect(volume["sink_percent"]?.array?.map(\.number) == [50, 50] && volume["sinkMuted"]?.bool == false)
    #expect(volume["stream_percent"]?.array?.map(\.number) == [100] && volume["streamMuted"]?.bool == false)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("With a muted sink there is no trial, and the remedy is reported")
  func refused() async throws {
    let server = try PrivateSoundServer(sink: "booth")
    defer { server.stop() }
    server.tell("set-sink-mute booth 1")
    let (status, _, complaints) = try await bench.run(
      bench.trial(["--unattended", "--speaker", "booth"]), environment: ["PULSE_SERVER": server.address])
    #expect(status == 1)
    #expect(complaints.contains("the sink “booth” is muted; unmute it with `pactl set-sink-mute booth 0`"))
    #expect(bench.names(in: "results/open").isEmpty && bench.bundles().isEmpty)
  }

  @Test(
    "“play” and “check onset” take a null sink that was not asked for, and say so",
    arguments: [["play", "--duration", "0.1", "CLIP"], ["check", "onset", "--trials", "2"]])
  func nullSinkThatIsMeasured(words: [String]) async throws {
    let server = try PrivateSoundServer(sink: "auto_null")
    defer { server.stop() }
    let clip = try #require(bench.names(in: "clips").first { $0.hasSuffix(".mp3") })
    let words = words.map { $0 == "CLIP" ? bench.scratch["clips/\(clip)"] : $0 }
    let (status, _, complaints) = try await bench.run(words, environment: ["PULSE_SERVER": server.address])
    #expect(status == 0 || words[0] == "check" && status == 4, "\(complaints)")
    #expect(complaints.contains("note: ") && complaints.contains("auto_null"))
  }

  @Test("A trial refuses a null sink that was not asked for, and what was found is reported")
  func nullSink() async throws {
    let server = try PrivateSoundServer(sink: "auto_null")
    defer { server.stop() }
    let (status, _, complaints) = try await bench.run(
      bench.trial(["--unattended"]), environment: ["PULSE_SERVER": server.address])
    #expect(status == 1)
    #expect(complaints.contains("auto_null") && complaints.contains("--speaker silent"))
    #expect(bench.names(in: "results/open").isEmpty && bench.bundles().isEmpty)
  }

  @Test("A null sink that was asked for plays, is not audible, and the result and the operator are reported so")
  func namedNullSink() async throws {
    let server = try PrivateSoundServer(sink: "auto_null")
    defer { server.stop() }
    try bench.write(Bench.music(seconds: 1), to: "short.json")
    let (_, output, _) = try await bench.run(
      bench.trial(["--unattended", "--speaker", "auto_null"], of: "short.json"),
      environment: ["PULSE_SERVER": server.address])
    #expect(output.contains("note: ") && output.contains("auto_null"))
    let result = try bench.result(#require(bench.bundles().first))
    let speaker = result["speaker"]
    #expect(speaker?["audible"]?.bool == false && speaker?["kind"]?.string == "pulseaudio")
    #expect(speaker?["timing"]?["basis"]?.string == "clock" && speaker?["timing"]?["granularity_ns"]?.integer == 0)
    #expect(result.caveats().contains("inaudible") && !result.caveats(from: "suspect").contains("inaudible"))
  }

  @Test("Without a sound server there is no trial, and the remedy is reported")
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
