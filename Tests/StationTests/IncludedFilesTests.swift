import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Files beside a protocol, and links to them")
struct IncludedFilesTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    let steps = """
      { "format": "station.steps/1", "steps": [
        { "kind": "rest", "identifier": "rest", "stepDuration": 1, "shouldStartTimerAutomatically": true,
          "shouldContinueOnFinish": true } ] }
      """
    try Folder.ensure(bench.scratch["study/inside"])
    try Folder.ensure(bench.scratch["study-other"])
    for name in ["outside.json", "study/inside/steps.json", "study-other/steps.json"] {
      try bench.write(steps, to: name)
    }
  }

  private func status(including path: String, from folder: String = "study") async throws -> (Int32, String) {
    try bench.write(
      #"{ "format": "station.protocol/1", "identifier": "P", "version": "1", "steps": [{ "include": "\#(path)" }] }"#,
      to: "study/protocol.json")
    let run = try await bench.run(["validate", "\(folder)/protocol.json"])
    return (run.status, run.complaints)
  }

  @Test(
    "A link that leads out of the protocol's folder is not followed, wherever it is in the path",
    arguments: [
      ("link.json", "link.json", "../outside.json"), ("link.json", "link.json", "inside/../../outside.json"),
      ("up/outside.json", "up", ".."), ("inside/up/outside.json", "inside/up", "../.."),
      ("beside.json", "beside.json", "../study-other/steps.json"), ("root/etc/hostname", "root", "/"),
      ("link.json", "link.json", "/proc/self/environ"),
    ])
  func outside(path: String, link: String, target: String) async throws {
    #expect(unsafe symlink(target, bench.scratch["study/\(link)"]) == 0)
    let (status, complaints) = try await status(including: path)
    #expect(status == 3 && complaints.contains("outside of the folder"), "\(complaints)")
  }

  @Test(
    "A link inside of the protocol's folder is followed, also where the folder itself is reached by one",
    arguments: [("link.json", "link.json", "inside/steps.json"), ("in/steps.json", "in", "inside")], ["study", "alias"])
  func inside(link: (path: String, name: String, target: String), folder: String) async throws {
    #expect(unsafe symlink(link.target, bench.scratch["study/\(link.name)"]) == 0)
    #expect(unsafe symlink("study", bench.scratch["alias"]) == 0)
    let (status, complaints) = try await status(including: link.path, from: folder)
    #expect(status == 0, "\(complaints)")
  }

  @Test("A link to a link that leads out, a chain and a circle are refused as well")
  func chains() async throws {
    for (name, target) in [("a.json", "b.json"), ("b.json", "../outside.json"), ("c.json", "c.json")] {
      #expect(unsafe symlink(target, bench.scratch["study/\(name)"]) == 0)
    }
    #expect(try await status(including: "a.json").0 == 3)
    #expect(try await status(including: "c.json").0 == 3)
  }
}
