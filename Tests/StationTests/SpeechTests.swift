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

  /// Puts a speech program into a folder that says its process number and never ends by itself, and runs `station` with it.
  ///
  /// What is to happen then happens on the thread that hears of the program: a test that other tests keep waiting would be
  /// too late for it.
  ///
  /// - Parameters:
  ///   - words: the command and its arguments.
  ///   - then: what happens, with the station and the number of the program.
  /// - Returns: the station, and what the program says until it and all that it started have ended.
  /// - Throws: where a file cannot be written, or the station not be started.
  private func speakEndlessly(
    _ words: [String], _ then: @escaping @Sendable (Child, Int32) -> Void
  ) throws -> (station: Child, said: Task<String, Never>) {
    let folder = bench.scratch["programs"]
    try Folder.create(folder)
    let pipe = bench.scratch["said"]
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    try bench.write(
      "#!/bin/sh\nPATH=/usr/bin:/bin\nexec 3> '\(pipe)'\necho $$ >&3\nsleep 1000\necho survived >&3\n",
      to: "programs/espeak-ng")
    #expect(unsafe chmod("\(folder)/espeak-ng", 0o755) == 0)
    let station = try bench.start(words, environment: ["PATH": "\(folder):/usr/bin:/bin"])
    let said = Task {
      await WaitingThread.run {
        var text = ""
        guard let file = try? File(pipe, .read) else { return text }
        while let bytes = try? file.read(upTo: 64), !bytes.isEmpty {
          let isNew = !text.contains("\n")
          text += String(decoding: bytes, as: UTF8.self)
          if isNew, text.hasSuffix("\n"), let program = Int32(text.dropLast()) { then(station, program) }
        }
        return text
      }
    }
    return (station, said)
  }

  private func folders() -> [String] { bench.names(in: "").filter { $0.hasPrefix("station-") } }

  @Test(
    "A signal while something is spoken ends the speech program with the station, and removes its folder",
    arguments: ["validate", "run"], [SIGINT, SIGTERM, SIGHUP])
  func interrupted(command: String, signal: Int32) async throws {
    try bench.write(Self.study(), to: "spoken.json")
    let words = command == "run" ? bench.trial(of: "spoken.json") : ["validate", "spoken.json"]
    let (station, said) = try speakEndlessly(words) { station, _ in
      #expect(folders().count == 1)
      station.send(signal)
    }
    #expect(await station.end() != 0)
    #expect(await !said.value.contains("survived"))
    #expect(folders().isEmpty)
  }

  @Test("What a killed station left of its speech is removed by the next one that speaks")
  func killed() async throws {
    try bench.write(Self.study(), to: "spoken.json")
    let (station, said) = try speakEndlessly(["validate", "spoken.json"]) { station, program in
      station.send(SIGKILL)
      kill(-program, SIGKILL)
    }
    _ = await station.end()
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
