import Basics
import Foundation
import TestSupport
import Testing

@Suite("WAV and FLAC clips, from the folder to the bundle")
struct ClipFormatTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Two seconds of a soft sawtooth of 441 Hz.
  private static let samples: [Int] = (0..<88_200).flatMap { frame -> [Int] in
    let value = frame % 100 * 60 - 3000
    return [value, -value]
  }

  private func put(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: URL(filePath: "\(bench.scratch["clips"])/\(name)"))
  }

  @Test("A trial with such a clip plays it to the frame, and its bundle holds the file", arguments: ["wav", "flac"])
  func trial(ending: String) async throws {
    let bytes = ending == "wav" ? LosslessBytes.wave(Self.samples) : LosslessBytes.flac(Self.samples)
    try put(bytes, as: "saw.\(ending)")
    try bench.write(
      Bench.music(seconds: 1, choice: #"{ "name": "saw" }"#)
        .replacing(#""folder": "clips""#, with: #""folder": "clips", "embed": true"#), to: "saw.json")
    let words = bench.trial(["--speaker", "silent", "--unattended"], of: "saw.json")
    let (run, lateness) = try await Lateness.during { try await Turns.trials.take { try await bench.run(words) } }
    let bundle = try #require(bench.bundles().last, "\(run.output)\(run.complaints)")
    #expect(try await bench.run(["verify", bundle]).status == 0)
    let result = try bench.result(bundle)
    #expect(result["outcome"]?.string == "completed")
    #expect(result["clip"]?["name"]?.string == "saw")
    #expect(result["clip"]?["frames"]?.integer == 88_200)
    #expect(result["clip"]?["file"]?.string == "saw.\(ending)")
    #expect(result["playback"]?["framesRequested"]?.integer == 44_100)
    let kept = try Data(contentsOf: URL(filePath: "\(bundle)/data/clip/saw.\(ending)"))
    #expect(kept == Data(bytes))
    try lateness.judge(result) {
      #expect(run.status == 0, "\(run.output)\(run.complaints)")
      #expect(result["playback"]?["framesPlayed"]?.integer == 44_100)
      #expect(result["verdict"]?.string == "good")
    }
  }

  @Test("A WAV file of 96 kHz is played as well", arguments: ["wav"])
  func play(ending: String) async throws {
    try put(LosslessBytes.wave(Array(Self.samples.prefix(38_400)), as: .bits24, rate: 96_000), as: "saw.wav")
    let (status, output, complaints) = try await bench.run(["play", "clips/saw.wav", "--speaker", "silent"])
    #expect(status == 0, "\(complaints)")
    #expect(output.contains("played 0.200 s of “clips/saw.wav”, 96000 Hz, 2 channels"))
  }

  @Test("Collisions and what is not used are shown, in text and in JSON")
  func folder() async throws {
    try put(LosslessBytes.wave(Self.samples), as: "high.wav")
    try put([1, 2, 3], as: "rain.ogg")
    let (status, output, _) = try await bench.run(["clips", "clips"])
    #expect(status == 1)
    #expect(output.contains("the name “high” is also that of “high.wav”"))
    #expect(output.contains("the name “high” is also that of “high.mp3”"))
    #expect(output.contains("skipped “rain.ogg”: "))
    let json = try JSONReader.read(Array(try await bench.run(["clips", "clips", "--json"]).output.utf8)).value
    let rows = try #require(json.array)
    #expect(rows.map { $0["file"]?.string } == ["high.mp3", "high.wav", "low.mp3", "rain.ogg"])
    #expect(rows.map { $0["skipped"]?.string } == [nil, nil, nil, "soundFormat"])
    #expect(rows.map { $0["problem"]?.string != nil } == [true, true, false, true])
  }

  @Test("What is wrong with the list of clips is a row of the JSON as well")
  func list() async throws {
    try bench.write(
      #"{"format":"station.clips/1","clips":[{"name":"gone","file":"gone.mp3"}]}"#, to: "clips/clips.json")
    let (status, output, complaints) = try await bench.run(["clips", "clips", "--json"])
    #expect(status == 1 && complaints.contains("gone.mp3"), "\(complaints)")
    let rows = try #require(try JSONReader.read(Array(output.utf8)).value.array)
    #expect(rows.count == 3)
    #expect(rows.last?["file"]?.string == "clips.json" && rows.last?["problem"]?.string?.contains("gone.mp3") == true)
  }

  @Test("A text is refused with the formats that are played")
  func text() async throws {
    try bench.write("All work and no play.\n", to: "x.txt")
    let (status, _, complaints) = try await bench.run(["play", "x.txt", "--speaker", "silent"])
    #expect(status == 1 && complaints.contains("give an mp3, WAV or FLAC file"), "\(complaints)")
  }

  @Test("A folder without any clip says what lies in it instead")
  func nothingUsable() async throws {
    for name in bench.names(in: "clips") { try FileManager.default.removeItem(atPath: bench.scratch["clips/\(name)"]) }
    try put([1, 2, 3], as: "rain.ogg")
    let (status, _, complaints) = try await bench.run(bench.trial())
    #expect(status == 3)
    #expect(complaints.contains("there is no clip in “clips”"))
    #expect(complaints.contains("skipped “rain.ogg”: "))
  }
}
