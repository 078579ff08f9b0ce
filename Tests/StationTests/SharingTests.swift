import Basics
import Foundation
import TestSupport
import Testing

@Suite("Stations side by side, and clips with odd names")
struct SharingTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test("Two stations on one results folder both succeed, and neither touches the other's trial")
  func together() async throws {
    let outputs = try await withThrowingTaskGroup { group in
      for participant in ["p1", "p2"] {
        group.addTask {
          try await Turns.trials.take {
            var words = bench.trial()
            words[3] = participant
            return try await bench.run(words)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for output in outputs {
      #expect([0, 4].contains(output.status), "\(output.complaints)")
      #expect(output.output.contains("outcome: completed"))
      #expect(!output.output.contains("recovered"))
    }
    let bundles = bench.bundles()
    #expect(bundles.count == 2)
    #expect(try await bench.run(["verify"] + bundles).status == 0)
    #expect(Set(try bundles.map { try bench.result($0)["participant"]?.string }) == ["p1", "p2"])
    #expect(bench.names(in: "results/open").isEmpty)
  }

  @Test(
    "Clips of any name go through a trial and into a bundle that is whole for everybody",
    arguments: [
      "a..b", "two\nlines", "tab\there", "🎧🫀 naïve", "per%25cent", #"back\slash"#, " spaces ", "-rf", "\u{202E}turned",
      String(repeating: "n", count: 251), String(repeating: "é", count: 125),
    ])
  func names(name: String) async throws {
    try FileManager.default.removeItem(atPath: bench.scratch["clips"])
    try FileManager.default.createDirectory(atPath: bench.scratch["clips"], withIntermediateDirectories: false)
    try bench.clip(name)
    try bench.write(
      Bench.music(seconds: 0.1).replacing(#""folder": "clips""#, with: #""folder": "clips", "embed": true"#),
      to: "short.json")
    let (status, output, complaints) = try await Turns.trials.take { try await bench.run(bench.trial()) }
    #expect([0, 4].contains(status), "\(complaints)")
    #expect(output.contains("outcome: completed"))
    let bundle = try #require(bench.bundles().first)
    #expect(try bench.result(bundle)["clip"]?["name"]?.string == name)
    let verified = try await bench.run(["verify", bundle])
    #expect(verified.status == 0, "\(verified.complaints)")
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", bundle])
    #expect(bagit.status == 0, "\(bagit.error)")
    let sums = try Program.run(
      "bash", ["-c", #"cd "$0" && sha256sum --strict --quiet -c manifest-sha256.txt"#, bundle])
    #expect(sums.status == 0, "\(sums.error)")
  }

  @Test("Names in clips.json that are paths are refused", arguments: ["../high", "a/b", "..", "."])
  func paths(name: String) async throws {
    try bench.write(
      #"{"format":"station.clips/1","clips":[{"name":"\#(name)","file":"high.mp3"}]}"#, to: "clips/clips.json")
    let (status, _, complaints) = try await bench.run(["clips", "clips"])
    #expect(status == 1)
    #expect(complaints.contains("the name “\(name)” would be a path"))
    try bench.write(
      #"{"format":"station.clips/1","clips":[{"name":"high","file":"../short.mp3"}]}"#, to: "clips/clips.json")
    let refused = try await bench.run(["clips", "clips"]).complaints
    #expect(refused.contains("is not the name of an mp3, WAV or FLAC file in this folder"))
  }
}
