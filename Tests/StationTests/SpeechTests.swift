import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Speech, on the program that people run")
struct SpeechTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A rest that speaks, before a clip of a second.
  private static func study(_ more: String = "", language: String = "en", seconds: Int = 5) -> String {
    """
    { "format": "station.protocol/1", "identifier": "Spoken", "version": "1.0", "language": "\(language)",
      "clips": { "folder": "clips" },
      "steps": [
        { "kind": "rest", "identifier": "rest", "stepDuration": \(seconds), "shouldStartTimerAutomatically": true,
          "shouldContinueOnFinish": true, "shouldSpeakCountDown": true, "spokenInstruction": "Sit still.",
          "finishedSpokenInstruction": "Well done."\(more) },
        { "kind": "music", "identifier": "music", "clip": { "choose": "random" }, "stepDuration": 1,
          "shouldStartTimerAutomatically": true, "shouldContinueOnFinish": true,
          "recorderConfigurations": [\(Bench.recorder("hr", "heartRate", "count/min"))] } ] }
    """
  }

  @Test("What is spoken has its text, its voice and its measured onset in the result, each number at its second")
  func trial() async throws {
    try bench.write(Self.study(), to: "spoken.json")
    let run = try await Turns.trials.take { try await bench.run(bench.trial(of: "spoken.json")) }
    let bundle = try #require(bench.bundles().first, "\(run.complaints)")
    let result = try bench.result(bundle)
    let speech = try #require(result["speech"]?.array)
    #expect(speech.map { $0["text"]?.string } == ["Sit still.", "3", "2", "1", "Well done."])
    #expect(speech.allSatisfy { $0["program"] == "espeak-ng" && $0["language"] == "en" && $0["offset"]?.object != nil })
    let begun = try #require(result["steps"]?.array?.first?["begun_ns"]?.integer)
    for (index, second) in [(1, 2), (2, 3), (3, 4)] {
      let onset = try #require(speech[index]["onset"]?["t_ns"]?.integer)
      #expect(
        speech[index]["scheduled_ns"]?.integer.map { abs($0 - begun - second * 1_000_000_000) < 50_000_000 } == true)
      #expect(abs(onset - (try #require(speech[index]["scheduled_ns"]?.integer))) < 50_000_000)
      #expect(try #require(speech[index]["onset"]?["uncertainty_ns"]?.integer) < 20_000_000)
    }
    let last = try #require(speech[4]["offset"]?["t_ns"]?.integer)
    #expect(try #require(result["playback"]?["onset"]?["t_ns"]?.integer) > last)
    #expect(try await bench.run(["verify", bundle]).status == 0)
  }

  @Test("Without espeak-ng, or a voice of the language, a protocol that speaks is refused with place and package")
  func missing() async throws {
    let folder = bench.scratch["programs"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try bench.write(Self.study(), to: "spoken.json")
    try bench.write(Self.study(language: "xx"), to: "voiceless.json")
    let nothing = ["PATH": folder]
    for words in [["validate", "spoken.json"], bench.trial(of: "spoken.json")] {
      let refused = try await bench.run(words, environment: nothing)
      #expect(refused.status == 3)
      #expect(refused.complaints.contains("spoken.json:5:"), "\(refused.complaints)")
      #expect(refused.complaints.contains("/steps/0/spokenInstruction: the speech program espeak-ng is missing"))
      #expect(refused.complaints.contains("apt-get install espeak-ng"))
    }
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results"]))
    let voiceless = try await bench.run(["validate", "voiceless.json"])
    #expect(voiceless.status == 3 && voiceless.complaints.contains("no voice for the language “xx”"))
    // Neither a plan nor a simulation speaks.
    #expect(try await bench.run(["plan", "spoken.json"], environment: nothing).status == 0)
    #expect(try await bench.run(["simulate", "spoken.json", "--participants", "1"], environment: nothing).status == 0)
  }

  // MARK: Interrupts while something is spoken

  /// Puts a speech program into a folder that says its process number, and does not end by itself before the test gives up; what
  /// it says comes to its end when the program and all that it started have ended.
  private func endlessProgram() throws -> (folder: String, said: Task<String, Never>, begun: AsyncStream<String>) {
    let folder = bench.scratch["programs"]
    try Folder.create(folder)
    let pipe = bench.scratch["said"]
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    try bench.write(
      "#!/bin/sh\nPATH=/usr/bin:/bin\nexec 3> '\(pipe)'\necho $$ >&3\nsleep 100\necho survived >&3\n",
      to: "programs/espeak-ng")
    #expect(unsafe chmod("\(folder)/espeak-ng", 0o755) == 0)
    let (begun, tell) = AsyncStream.makeStream(of: String.self)
    let said = Task {
      await WaitingThread.run {
        var text = ""
        guard let file = try? File(pipe, .read) else { return text }
        while let bytes = try? file.read(upTo: 64), !bytes.isEmpty {
          text += String(decoding: bytes, as: UTF8.self)
          tell.yield(text)
        }
        tell.finish()
        return text
      }
    }
    return (folder, said, begun)
  }

  private func folders() -> [String] { bench.names(in: "").filter { $0.hasPrefix("station-") } }

  @Test(
    "A signal while something is spoken ends the speech program with the station, and removes its folder",
    arguments: ["validate", "run"], [SIGINT, SIGTERM, SIGHUP])
  func interrupted(command: String, signal: Int32) async throws {
    try bench.write(Self.study(), to: "spoken.json")
    let (folder, said, begun) = try endlessProgram()
    let words = command == "run" ? bench.trial(of: "spoken.json") : ["validate", "spoken.json"]
    let child = try bench.start(words, environment: ["PATH": "\(folder):/usr/bin:/bin"])
    for await _ in begun { break }
    #expect(folders().count == 1)
    child.send(signal)
    #expect(await child.end() != 0)
    #expect(await !said.value.contains("survived"))
    #expect(folders().isEmpty)
  }

  @Test("What a killed station left of its speech is removed by the next one that speaks")
  func killed() async throws {
    try bench.write(Self.study(), to: "spoken.json")
    let (folder, said, begun) = try endlessProgram()
    let child = try bench.start(["validate", "spoken.json"], environment: ["PATH": "\(folder):/usr/bin:/bin"])
    var program: Int32?
    for await text in begun where text.hasSuffix("\n") {
      program = Int32(text.dropLast())
      break
    }
    child.send(SIGKILL)
    _ = await child.end()
    kill(-(try #require(program)), SIGKILL)
    #expect(await !said.value.contains("survived"))
    #expect(folders().count == 1)
    #expect(try await bench.run(["validate", "spoken.json"]).status == 0)
    #expect(folders().isEmpty)
  }

  @Test("An instruction that is longer than its step is refused with both lengths")
  func long() async throws {
    try bench.write(
      Self.study(seconds: 4).replacing("Sit still.", with: "Please sit still and breathe as you like."), to: "long.json"
    )
    let refused = try await bench.run(["validate", "long.json"])
    #expect(refused.status == 3 && refused.complaints.contains("the step lasts 4.0 s, the last three"))
  }
}
