import Basics
import Foundation
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("A bundle as a whole")
struct BundleTests {
  let scratch: ScratchFolder
  let results: ResultsFolder

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
  }

  /// The files of a folder with what they hold, by their path in it.
  static func files(of folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try Folder.names(in: folder) {
      if Folder.isFolder("\(folder)/\(name)") {
        for (path, bytes) in try Self.files(of: "\(folder)/\(name)") { files["\(name)/\(path)"] = bytes }
      } else {
        files[name] = try File.contents(of: "\(folder)/\(name)")
      }
    }
    return files
  }

  @Test("A bundle names the files of its manifest, and its protocol's title where there is one")
  func listed() async throws {
    let bundle = try Bundle(try await embedded().record(in: results).finish())
    let files = try bundle.listedFiles()
    #expect(
      files.map(\.path) == [
        "data/events.jsonl", "data/heart.json", "data/journal.jsonl", "data/protocol.json", "data/result.json",
      ])
    for file in files { #expect(try File.digest(of: "\(bundle.path)/\(file.path)").sha256 == file.sha256) }
    #expect(bundle.protocolTitle == nil)
    let fixture = try Bundle("\(Repository.root)/Tests/BundlesTests/Fixtures/bundle")
    #expect(try fixture.listedFiles().contains { $0.path == "data/clip/chill_preview_4.mp3" })
  }

  private func embedded() throws -> TrialStory {
    let path = scratch["chill_preview_4.mp3"]
    if !Folder.exists(path) { try File.create(path, TrialStory.clipBytes) }
    return .good(clipPath: path)
  }

  @Test("A good trial's bundle is the one in Fixtures, byte for byte")
  func golden() async throws {
    let story = TrialStory.good()
    let open = try story.record(in: results, clipToEmbed: try embedded().chosen.clip)
    let path = try await open.finish()
    #expect(path == "\(results.path)/bundles/\(TrialStory.trial)")
    #expect(Bundle.verify(path) == [])

    let fixture = "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle"
    let files = try Self.files(of: path)
    if Golden.records { try? Folder.removeTree(fixture) }
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      try FileManager.default.createDirectory(
        atPath: Folder.parent(of: "\(fixture)/\(name)"), withIntermediateDirectories: true)
      try Golden.compare(String(decoding: bytes, as: UTF8.self), with: "\(fixture)/\(name)")
    }
    #expect(try Self.files(of: fixture).keys.sorted() == files.keys.sorted())
    #expect(try Folder.names(in: "\(results.path)/open") == [".lock"])
  }

  @Test("The same journal gives the same bytes, whether the trial was finished or found again")
  func sameBytes() async throws {
    let story = TrialStory.good()
    let finished = try await story.record(in: results).finish()
    let other = ResultsFolder(scratch["other"])
    try story.leave(in: other, journal: story.journal)
    let recovered = try other.recover()
    let path = other.bundlePath(of: try #require(TrialIdentifier(TrialStory.trial)))
    #expect(recovered.map(\.fate) == [.finished(path: path, isWhole: true)])
    #expect(try Self.files(of: path) == Self.files(of: finished))
  }

  @Test("bagit.py validates a bundle, and sha256sum checks its manifests")
  func otherImplementations() async throws {
    let story = try embedded()
    let path = try await story.record(in: results, clipToEmbed: story.chosen.clip).finish()
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", path])
    #expect(bagit.status == 0, "\(bagit.error)")
    for manifest in ["manifest-sha256.txt", "tagmanifest-sha256.txt"] {
      let check = try Program.run("sh", ["-c", "cd '\(path)' && sha256sum --strict -c \(manifest)"])
      #expect(check.status == 0, "\(check.output)\(check.error)")
    }
  }

  @Test(
    "Any name that a file can have can be embedded, and every checker still agrees",
    arguments: [
      "...mp3", "a%0Ab.mp3", "a\nb\r.mp3", "\u{1F3B5} \u{e9}.mp3", "  leading and trailing .mp3 \u{a0} ", "-rf.mp3",
      "a\\b.mp3",
      String(repeating: "x", count: 251) + ".mp3", String(repeating: "\u{1F3B5}", count: 63) + "abc", "\"quoted\".mp3",
      "~.mp3", "data", "sub/inner.mp3",
    ])
  func clipNames(name: String) async throws {
    let path = scratch[name]
    try Folder.ensure(Folder.parent(of: path))
    try File.create(path, TrialStory.clipBytes)
    var story = TrialStory.good(clipPath: path)
    let clipName = "\(name)\u{0}/../x"
    story.chosen.clip.name = clipName
    story.events = story.events.map { time, event in
      if case .clipChosen = event { (time, .clipChosen(story.chosen)) } else { (time, event) }
    }
    let bundle = try await story.record(in: results, clipToEmbed: story.chosen.clip).finish()
    #expect(Bundle.verify(bundle) == [])
    #expect(try Bundle(bundle).record.clip?.clip.name == clipName)
    let file = try #require(try Bundle(bundle).result["files"]?["clip"]?.string)
    #expect(file.hasPrefix("data/clip/") && !file.dropFirst(10).contains("/"))
    #expect(try File.contents(of: "\(bundle)/\(file)") == TrialStory.clipBytes)
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", bundle])
    #expect(bagit.status == 0, "\(bagit.error)")
    let sums = try Program.run("sh", ["-c", "cd '\(bundle)' && sha256sum --strict -c manifest-sha256.txt"])
    #expect(sums.status == 0, "\(sums.output)\(sums.error)")
  }

  @Test(
    "Paths in manifests are written as RFC 8493 says, and read back",
    arguments: [
      ("data/plain name.txt", "data/plain name.txt"), ("data/100%.txt", "data/100%25.txt"),
      ("data/a\nb\rc", "data/a%0Ab%0Dc"), ("data/%0A", "data/%250A"), ("data/\u{1F3B5}", "data/\u{1F3B5}"),
    ])
  func pathEncoding(path: String, written: String) {
    #expect(Bag.encoded(path) == written)
    #expect(Bag.decoded(written) == path)
  }

  @Test("A bundle tells what lists and shows need")
  func facts() async throws {
    let bundle = try Bundle(try await TrialStory.good().record(in: results).finish())
    #expect(bundle.record.trial == TrialStory.trial && bundle.record.samples == 9 && bundle.unknownMembers == [])
    let heart = try JSONReader.read(try bundle.heart()).value
    #expect(heart["items"]?.array?.count == 9)
    #expect(try results.trials() == [TrialStory.trial])
  }

  @Test("Members that a newer station wrote are named")
  func newer() async throws {
    let bundle = try Bundle(try await TrialStory.good().record(in: results).finish())
    #expect(bundle.skippedNote == nil)
    let file = "\(bundle.path)/\(BundleFile.result)"
    let text = String(decoding: try File.contents(of: file), as: UTF8.self)
    try Data(("{\"mood\":1," + text.drop { $0 != "{" }.dropFirst()).utf8).write(to: URL(filePath: file))
    let newer = try Bundle(bundle.path)
    #expect(newer.unknownMembers == ["/mood"] && newer.record == bundle.record)
    #expect(newer.skippedNote?.contains("/mood") == true)
  }

  @Test("A folder that is not there is reported as such")
  func nothing() {
    let error = #expect(throws: BundleError.self) { try Bundle(scratch["nothing"]) }
    #expect(error?.description == "cannot read the bundle “\(scratch["nothing"])”: there is no such folder")
  }

  @Test("A folder that is not a bundle is reported beside the bundles, and a file is none of them")
  func strays() async throws {
    _ = try await TrialStory.good().record(in: results).finish()
    try Folder.create("\(results.path)/bundles/stray")
    try File.create("\(results.path)/bundles/file", [])
    let index = try await BundleIndex(results)
    #expect(index.trials.map(\.name) == [TrialStory.trial])
    let stray = "\(results.path)/bundles/stray"
    #expect(index.problems.map(\.description) == ["cannot read the bundle “\(stray)”: it has no “data/result.json”"])
  }
}
