import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Who may read what the station writes, and what killed exports leave")
struct PrivateOutputTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Commands that write copies of participants' data, and what they write.
  private static let commands: [(words: [String], output: String)] = [
    (["export", "table", "results", "--to", "out"], "out"), (["export", "jsonl", "results", "--to", "out"], "out"),
    (["export", "bids", "results", "--to", "out"], "out"), (["export", "omh", "results", "--to", "out"], "out"),
    (["export", "fhir", "results", "--to", "deep/er/out"], "deep"),
    (["export", "researchkit", "results", "--to", "out"], "out"),
    (["export", "bundle", "BUNDLE", "--to", "out.tar"], "out.tar"),
    (["export", "bundle", "BUNDLE", "--to", "out.tar.zst"], "out.tar.zst"),
    (["report", "results", "--output", "out.html"], "out.html"),
    (["report", "BUNDLE", "--output", "out.html"], "out.html"),
    (["chart", "heartRate", "BUNDLE", "--output", "out.svg"], "out.svg"), (["send", "--to", "share"], "share"),
  ]

  /// The modes of everything below a path that are not what they should be.
  private func others(_ path: String, folders: Int, files: Int) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try ([path] + names.map { "\(path)/\($0)" }).compactMap { path in
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let mode = attributes[.posixPermissions] as? Int ?? 0
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      return mode == (isFolder ? folders : files) ? nil : "\(path): \(String(mode, radix: 8))"
    }
  }

  /// What a command wrote: a folder or a file, or what is in a folder that was there before.
  private func written(_ output: String) throws -> [String] {
    let path = bench.scratch[output]
    return output == "share" ? try Folder.names(in: path).map { "\(path)/\($0)" } : [path]
  }

  /// A bundle that can be archived, since all of its files are what they are said to be.
  private func bagged() async throws -> String {
    let made = try await bench.run(["simulate", "short.json", "--participants", "1", "--results", "results"])
    try #require(made.status == 0, "\(made.complaints)")
    return "results/bundles/\(try #require(bench.names(in: "results/bundles").first))"
  }

  private func run(_ words: [String], umask: String) async throws -> Int32 {
    let bundle = try await words.contains("bundle") ? bagged() : RecordedTrial.bundle(in: bench.scratch["results"])
    // A folder that is there keeps its own mode.
    if words.contains("share") { try Folder.create(bench.scratch["share"]) }
    let child = try Child(
      "/bin/sh",
      ["-c", #"umask "$0"; exec "$@""#, umask, Bench.station] + words.map { $0 == "BUNDLE" ? bundle : $0 },
      in: bench.path, environment: ["TMPDIR": bench.path, "LC_ALL": "C.UTF-8"])
    return await child.end()
  }

  @Test("Copies, exports, reports and pictures are private, whatever the umask", arguments: commands)
  func isPrivate(words: [String], output: String) async throws {
    #expect(try await run(words, umask: "000") == 0)
    for path in try written(output) { #expect(try others(path, folders: 0o700, files: 0o600).isEmpty) }
  }

  @Test("With --shared the umask says who may read them", arguments: commands)
  func isShared(words: [String], output: String) async throws {
    #expect(try await run(words + ["--shared"], umask: "027") == 0)
    for path in try written(output) { #expect(try others(path, folders: 0o750, files: 0o640).isEmpty) }
    #expect(try others(bench.scratch["results"], folders: 0o700, files: 0o600).isEmpty)
  }

  @Test(
    "--shared without a file or a folder to share is refused",
    arguments: [
      ["report", "results", "--output", "-", "--shared"], ["chart", "heartRate", "results", "--shared"],
      ["send", "--to", "https://127.0.0.1:9", "--shared"],
    ])
  func nothingToShare(words: [String]) async throws {
    #expect(try await bench.run(words).status == 2)
  }

  // MARK: What killed exports leave

  @Test(
    "What a killed export left is removed by the next one to the same place; what others write or own is not",
    arguments: commands.filter { $0.words[0] != "send" && !$0.output.hasPrefix("deep") })
  func leftovers(words: [String], output: String) async throws {
    let isFolder = !output.contains(".")
    if isFolder { #expect(try await run(words, umask: "022") == 0) }
    let parent = isFolder ? bench.scratch[output] : bench.path
    let name = isFolder ? "beats.csv" : output
    let left = "\(parent)/.\(name).123456789.part"
    let kept = [".\(name).part", ".\(name).x1.part", "\(name).1.part", ".mine.1.part.txt", ".1.part"]
    try File.create(left, [1])
    for name in kept { try File.create("\(parent)/\(name)", [1]) }
    let held = try LockedFile("\(parent)/.\(name).987654321.part", .ensure)
    #expect(try held.take())
    // Of other files in the same folder a single file's export knows nothing.
    let other = "\(parent)/.other.csv.5.part"
    try File.create(other, [1])
    #expect(try await run(words, umask: "022") == 0)
    #expect(!Folder.exists(left))
    let isHeld = held.file.isAt("\(parent)/.\(name).987654321.part")
    #expect(isHeld)
    #expect(Folder.exists(other) != isFolder)
    for name in kept { #expect(Folder.exists("\(parent)/\(name)"), "\(name)") }
  }

  @Test("An export beside one that is under way leaves its files alone, and both succeed")
  func together() async throws {
    for start in 0..<3 { _ = try await RecordedTrial.bundle(in: bench.scratch["results"], at: Int64(start)) }
    let words = ["export", "table", "results", "--to", "out"]
    let holder = try await HaltedChild(words, at: "rename", of: "/beats.csv", on: bench)
    #expect(try await bench.run(words).status == 0)
    let first = try File.contents(of: bench.scratch["out/beats.csv"])
    #expect(await holder.end() == 0, "\(holder.child.complaints.text)")
    #expect(try File.contents(of: bench.scratch["out/beats.csv"]) == first)
    #expect(try Folder.names(in: bench.scratch["out"]).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("An export that was killed leaves what the next one removes")
  func killed() async throws {
    _ = try await RecordedTrial.bundle(in: bench.scratch["results"])
    let words = ["export", "table", "results", "--to", "out"]
    let holder = try await HaltedChild(words, at: "rename", of: "/beats.csv", on: bench)
    holder.child.send(SIGKILL)
    _ = await holder.child.end()
    #expect(try Folder.names(in: bench.scratch["out"]).contains { $0.hasSuffix(".part") })
    #expect(try await bench.run(words).status == 0)
    #expect(try Folder.names(in: bench.scratch["out"]).allSatisfy { !$0.hasPrefix(".") })
  }
}
