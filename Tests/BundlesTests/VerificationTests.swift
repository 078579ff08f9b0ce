import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Bundles

@Suite("Verifying a bundle")
struct VerificationTests {
  let scratch: ScratchFolder
  let bundle: String

  init() async throws {
    scratch = try ScratchFolder()
    let results = ResultsFolder(scratch["results"], requiredBytes: 0)
    bundle = try await TrialStory.good().record(in: results).finish()
  }

  private func write(_ name: String, _ text: String) throws {
    if Folder.exists("\(bundle)/\(name)") { try Folder.removeFile("\(bundle)/\(name)") }
    try File.create("\(bundle)/\(name)", Array(text.utf8))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try File.contents(of: "\(bundle)/\(name)"), as: UTF8.self)
  }

  // Writes both manifests anew, as somebody would who wants a change to go unnoticed.
  private func seal() throws {
    var payload: [PayloadDigest] = []
    for name in try Folder.names(in: "\(bundle)/data") {
      let (bytes, sha256) = try File.digest(of: "\(bundle)/data/\(name)")
      payload.append(PayloadDigest(path: "data/\(name)", bytes: bytes, sha256: sha256))
    }
    for (name, bytes) in Bag(payload: payload, labels: []).tagFiles {
      try write(name, String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(
    "Each file that goes missing is told",
    arguments: [
      "bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "data/result.json",
      "data/heart.json",
      "data/events.jsonl", "data/journal.jsonl", "data/protocol.json",
    ])
  func missing(name: String) throws {
    try Folder.removeFile("\(bundle)/\(name)")
    let problems = Bundle.verify(bundle)
    #expect(problems.contains { $0.contains("“\(name)”") && $0.contains("missing") }, "\(problems)")
  }

  @Test(
    "Each file that is changed in one byte is told",
    arguments: [
      "bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "data/result.json",
      "data/heart.json",
      "data/events.jsonl", "data/journal.jsonl", "data/protocol.json",
    ])
  func changed(name: String) throws {
    var bytes = try File.contents(of: "\(bundle)/\(name)")
    let place = try #require(bytes.lastIndex { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    bytes[place] = bytes[place] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
    try write(name, String(decoding: bytes, as: UTF8.self))
    #expect(!Bundle.verify(bundle).isEmpty)
  }

  /// What somebody may put in place of a bundle's file.
  enum Trap: CaseIterable { case pipe, device, link, folderLink }

  @Test(
    "A pipe, a device and a link inside a bundle are neither opened nor followed, and are named",
    arguments: Trap.allCases)
  func traps(_ trap: Trap) throws {
    let heart = "\(bundle)/data/heart.json"
    switch trap {
    case .pipe:
      try Folder.removeFile(heart)
      let made = unsafe mkfifo(heart, 0o600)
      #expect(made == 0)
    case .device:
      // A link, since only root may make a device.
      try Folder.removeFile(heart)
      try FileManager.default.createSymbolicLink(atPath: heart, withDestinationPath: "/dev/urandom")
    case .link:
      try Folder.rename(heart, to: scratch["elsewhere.json"])
      try FileManager.default.createSymbolicLink(atPath: heart, withDestinationPath: scratch["elsewhere.json"])
    case .folderLink:
      try Folder.rename("\(bundle)/data", to: scratch["elsewhere"])
      try FileManager.default.createSymbolicLink(atPath: "\(bundle)/data", withDestinationPath: scratch["elsewhere"])
    }
    let name = trap == .folderLink ? "data" : "data/heart.json"
    let what = trap == .pipe ? "a pipe, a socket or a device" : "a symbolic link"
    #expect(Bundle.verify(bundle) == ["“\(name)” is \(what), not a regular file, and was not read"])
    if trap == .folderLink {
      #expect(throws: BundleError.self) { try Bundle(bundle) }
    } else {
      let opened = try Bundle(bundle)
      #expect(opened.checkFiles() == Bundle.verify(bundle))
      #expect(opened.checkFiles(["data/heart.json"]).count == 1)
      #expect(throws: BundleError.self) { try opened.readSamples() }
      let error = #expect(throws: FileError.self) { try opened.openHeart().size() }
      #expect(error?.code == FileError.irregular)
    }
  }

  @Test("A file that nobody listed is reported", arguments: ["stray.txt", "data/stray.txt", "data/deeper/stray"])
  func unlisted(name: String) throws {
    try Folder.ensure(Folder.parent(of: "\(bundle)/\(name)"))
    try write(name, "x")
    let manifest = name.hasPrefix("data/") ? "manifest-sha256.txt" : "tagmanifest-sha256.txt"
    #expect(Bundle.verify(bundle) == ["“\(name)” is not listed in \(manifest)"])
  }

  @Test(
    "A manifest that points out of the bundle is refused", arguments: ["../../x", "/etc/passwd", "data//x", "data/./x"])
  func outside(path: String) throws {
    try write(
      "manifest-sha256.txt", try text("manifest-sha256.txt") + String(repeating: "0", count: 64) + "  \(path)\n")
    #expect(
      Bundle.verify(bundle).contains(
        "line 6 of manifest-sha256.txt does not name a digest and a file inside the bundle"))
  }

  @Test(
    "A changed result, resealed with new manifests, does not match the journal",
    arguments: [
      (
        "data/result.json", "\"name\": \"chill_preview_4\"", "\"name\": \"dark_preview_4\"",
        [
          "“data/result.json” does not match the journal",
          "the result names the clip “dark_preview_4”, the journal “chill_preview_4”",
          "the recording “heartRateConfig” is tied to another clip than the one that was chosen",
          "the recording “rrConfig” is tied to another clip than the one that was chosen",
        ]
      ),
      (
        "data/result.json", "\"samples\": 4", "\"samples\": 5",
        [
          "“data/result.json” does not match the journal", "the result counts 10 samples, the heart data 9",
        ]
      ),
      ("data/heart.json", "\"value\":62}", "\"value\":63}", ["“data/heart.json” does not match the journal"]),
      (
        "data/events.jsonl", "\"kind\":\"stimulus.offset\"", "\"kind\":\"stimulus.OFFSET\"",
        ["“data/events.jsonl” does not match the journal"]
      ),
      (
        "data/protocol.json", "MusicTask", "OtherTask",
        ["“data/protocol.json” is not the protocol that the journal names"]
      ),
    ])
  func resealed(name: String, old: String, new: String, problems: [String]) throws {
    let text = try text(name)
    #expect(text.contains(old))
    try write(name, text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new))
    try seal()
    #expect(Bundle.verify(bundle) == problems)
  }

  @Test("A journal that lacks a line, resealed, is reported by its numbers")
  func lackingLine() throws {
    let lines = try text("data/journal.jsonl").split(separator: "\n")
    try write("data/journal.jsonl", (lines[..<4] + lines[5...]).map { "\($0)\n" }.joined())
    try seal()
    let problems = Bundle.verify(bundle)
    #expect(problems.contains("line 5 of the journal: the record 4 is missing before it"), "\(problems)")
  }

  @Test("A torn line at the journal's end is reported")
  func tornLine() throws {
    try write("data/journal.jsonl", try text("data/journal.jsonl") + "{\"kind\"")
    try seal()
    #expect(Bundle.verify(bundle).contains("“data/journal.jsonl” ends with a torn line"))
  }

  @Test("A folder that is not a bundle gives problems, not a crash")
  func noBundle() throws {
    try Folder.create(scratch["empty"])
    #expect(
      Bundle.verify(scratch["empty"]) == [
        "this is not a bundle: it has neither “bagit.txt” nor “manifest-sha256.txt”"
      ])
    #expect(Bundle.verify(scratch["nothing"]) == ["there is no bundle “\(scratch["nothing"])”"])
  }
}
