import Basics
import Foundation
import Quantities
import TestSupport
import Testing

@testable import Bundles

@Suite("The folder of results")
struct ResultsFolderTests {
  let scratch: ScratchFolder
  let results: ResultsFolder

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["deep/results"], requiredBytes: 0)
  }

  @Test("A trial that was opened lies there with its protocol and its clip before anything happens")
  func opened() async throws {
    try File.create(scratch["chill_preview_4.mp3"], TrialStory.clipBytes)
    let story = TrialStory.good(clipPath: scratch["chill_preview_4.mp3"])
    let trial = try #require(TrialIdentifier(TrialStory.trial))
    let open = try results.openTrial(
      identifier: trial, protocolBytes: TrialStory.protocolBytes, clipToEmbed: story.chosen.clip)
    let files = try BundleTests.files(of: results.openPath(of: trial))
    #expect(
      files == [
        "protocol.json": TrialStory.protocolBytes, "clip/chill_preview_4.mp3": TrialStory.clipBytes,
        "journal.jsonl": [],
      ])
    try await open.discard()
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
    #expect(try results.recover() == [])
  }

  /// The permissions of everything in a folder, links not followed.
  private func modes(in folder: String) throws -> [String: (isFolder: Bool, mode: Int?)] {
    var modes: [String: (isFolder: Bool, mode: Int?)] = [:]
    for name in try Folder.names(in: folder) {
      let path = "\(folder)/\(name)"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      modes[path] = (Folder.isFolder(path), mode)
      if Folder.isFolder(path) { modes.merge(try self.modes(in: path)) { $1 } }
    }
    return modes
  }

  @Test("Nobody but the experimenter's own account may read what was recorded")
  func modes() async throws {
    try File.create(scratch["chill_preview_4.mp3"], TrialStory.clipBytes)
    let story = TrialStory.good(clipPath: scratch["chill_preview_4.mp3"])
    let open = try story.record(in: results, clipToEmbed: story.chosen.clip)
    let during = try modes(in: scratch["deep"])
    #expect(during.count >= 6)
    _ = try await open.finish()
    let after = try modes(in: scratch["deep"])
    #expect(after.count >= 15)
    for (path, found) in during.merging(after, uniquingKeysWith: { $1 }) {
      #expect(found.mode == (found.isFolder ? 0o700 : 0o600), "\(path)")
    }
  }

  @Test("A results folder whose name was not UTF-8 is refused before anything is made")
  func notText() throws {
    let folder = ResultsFolder(scratch["\u{FFFD}\u{FFFD}"], requiredBytes: 0)
    let error = #expect(throws: BundleError.self) { try folder.check() }
    #expect(error?.description.contains("not valid UTF-8") == true)
    #expect(try Folder.names(in: scratch.path) == [])
  }

  @Test("A trial of a name that is open or finished is refused, and what is there stays as it is")
  func taken() async throws {
    let story = TrialStory.good()
    let trial = try #require(TrialIdentifier(TrialStory.trial))
    let open = try story.record(in: results)
    #expect(throws: BundleError.taken(path: results.openPath(of: trial))) {
      try results.openTrial(identifier: trial, protocolBytes: [])
    }
    let path = try await open.finish()
    #expect(try await open.finish() == path)
    #expect(throws: BundleError.taken(path: path)) { try results.openTrial(identifier: trial, protocolBytes: []) }
    #expect(Bundle.verify(path) == [])
  }

  @Test("Many stations on one folder finish all their trials, while others recover")
  func manyStations() async throws {
    let paths = try await withThrowingTaskGroup { group in
      for number in 0..<12 {
        group.addTask { [results] in
          var story = TrialStory.good()
          story.opening.trial = TrialIdentifier(time: WallTime(milliseconds: Int64(number))).description
          story.events[0].event = .trialOpened(story.opening)
          let open = try story.record(in: results)
          _ = try results.recover()
          return try await open.finish()
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(Set(paths).count == 12)
    for path in paths { #expect(Bundle.verify(path) == []) }
    #expect(try results.trials().map { results.bundlePath(named: $0) } == paths.sorted())
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
  }

  @Test(
    "A clip that has changed since it was listed, or is gone, is not embedded, and the trial is not opened",
    arguments: [
      "changed", "missing",
    ])
  func changedClip(kind: String) throws {
    let path = scratch["x.mp3"]
    if kind == "changed" { try File.create(path, Array("something else".utf8)) }
    let story = TrialStory.good(clipPath: path)
    let trial = try #require(TrialIdentifier(TrialStory.trial))
    let error = #expect(throws: (any Error).self) {
      try results.openTrial(identifier: trial, protocolBytes: [], clipToEmbed: story.chosen.clip)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text
        == (kind == "changed"
          ? "cannot embed “\(path)”: the file has changed since the clips were read; read them again"
          : "cannot open “\(path)”: No such file or directory"))
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
  }

  @Test("Too little room is reported before a trial, with what there is and what it takes")
  func room() throws {
    let greedy = ResultsFolder(scratch["results"], requiredBytes: 1 << 60)
    let error = #expect(throws: BundleError.self) { try greedy.check() }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("cannot record into “\(scratch["results"])”: only "))
    #expect(text.hasSuffix("and a trial needs 1099511627776; make room or choose another folder with --results"))
  }

  @Test("A check before a trial makes no folders; the trial that is opened makes them")
  func checkedOnly() async throws {
    try results.check()
    try results.awaitTurn()
    #expect(try results.recover() == [])
    #expect(try Folder.names(in: scratch.path) == [])
    let open = try TrialStory.good().record(in: results)
    #expect(try Folder.names(in: scratch["deep/results"]) == ["bundles", "open"])
    try await open.discard()
  }

  @Test("A folder that cannot be written is reported before a trial")
  func unwritable() throws {
    try File.create(scratch["file"], [])
    let error = #expect(throws: BundleError.self) { try ResultsFolder(scratch["file/results"]).check() }
    #expect(
      error?.description == "cannot record into “\(scratch["file/results"])”: cannot create the folder "
        + "“\(scratch["file"])”: Not a directory; choose a folder that you may write with --results")
  }

  @Test("A disk that is full while a trial ends leaves it open, and it can be finished when there is room")
  func fullDisk() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder()
      let results = ResultsFolder(scratch["results"], requiredBytes: 0)
      let story = TrialStory.good()
      let open = try story.open(in: results)
      for limit in [100, 2000, story.journal.count + 10] {
        try FileSizeLimit.set(limit)
        if limit == 100 { story.append(to: open.journal) }
        let error = await #expect(throws: BundleError.self) { try await open.finish() }
        try FileSizeLimit.lift()
        let text = error?.description ?? ""
        #expect(text.contains("File too large"), "\(text)")
        // Where the journal was written before the limit came, it is the bundle that finds no room.
        let isUnwritten = limit < story.journal.count && text.contains("of its records wait in memory")
        #expect(isUnwritten || text.contains("station recover"), "\(text)")
        #expect(try Folder.names(in: results.bundlesFolder) == [])
      }
      let path = try await open.finish()
      #expect(Bundle.verify(path) == [])
      #expect(try File.contents(of: "\(path)/data/journal.jsonl") == story.journal)
    }
  }
}
