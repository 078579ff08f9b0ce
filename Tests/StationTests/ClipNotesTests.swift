import Basics
import Foundation
import TestSupport
import Testing

@Suite("What validation and plan say of clips")
struct ClipNotesTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.write(
      Bench.music(seconds: 1, more: #" "loudness": { "target_LUFS": -23 }, "whenShorter": "loop","#), to: "loud.json")
  }

  private func validate(_ environment: [String: String] = [:]) async throws -> String {
    let run = try await bench.run(["validate", "loud.json", "--json"], environment: environment)
    #expect(run.status == 0 && run.complaints.isEmpty, "\(run)")
    return run.output
  }

  /// The entries of the cache, each with its bytes.
  private func entries(_ folder: String = ".cache/station/loudness") throws -> [String: Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: bench.scratch[folder])) ?? []
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: bench.scratch["\(folder)/\($0)"]))) })
  }

  @Test("Loudness is measured once, kept in the user's cache, and nothing lies beside the clips")
  func cached() async throws {
    let clips = bench.names(in: "clips")
    let first = try await validate()
    let kept = try entries()
    // Both clips are the same file.
    #expect(kept.count == 1 && bench.names(in: "clips") == clips)
    #expect(try await validate() == first && entries() == kept)
    // Another duration is another sound.
    try bench.write(
      Bench.music(seconds: 1.5, more: #" "loudness": { "target_LUFS": -23 }, "whenShorter": "loop","#), to: "loud.json")
    _ = try await validate()
    #expect(try entries().count == 2)
  }

  @Test(
    "An entry that is damaged, or something else, is measured again", arguments: ["", "{}", "x\ny\n", "cut", "changed"])
  func damaged(text: String) async throws {
    let first = try await validate()
    let (name, good) = try #require(try entries().first)
    var bytes = Data(text.utf8)
    if text == "cut" { bytes = good.dropLast(3) }
    if text == "changed", let digit = good.lastIndex(of: UInt8(ascii: "1")) {
      bytes = good
      bytes[digit] = UInt8(ascii: "2")
    }
    try bytes.write(to: URL(filePath: bench.scratch[".cache/station/loudness/\(name)"]))
    #expect(try await validate() == first)
    #expect(try entries() == [name: good])
  }

  @Test("A cache that cannot be used is not an error", arguments: ["/proc/none", "/dev/null", "relative", ""])
  func unusable(place: String) async throws {
    let first = try await validate()
    #expect(try await validate(["XDG_CACHE_HOME": place, "HOME": "/dev/null"]) == first)
    #expect(!bench.names(in: "").contains("relative"))
  }

  @Test("A clip that was cut short is named by validation and plan, also where it is looped")
  func cutShort() async throws {
    let path = bench.scratch["clips/high.mp3"]
    let whole = try Data(contentsOf: URL(filePath: path))
    try whole.prefix(whole.count / 3).write(to: URL(filePath: path))
    let text = try await bench.run(["validate", "loud.json"])
    #expect(text.status == 0 && text.output.contains("note: The clip “high” has a fault: "), "\(text)")
    let plan = try await bench.run(["plan", "loud.json"])
    #expect(plan.status == 0 && plan.output.contains("caveat: The clip “high” has a fault: "), "\(plan)")
  }
}
