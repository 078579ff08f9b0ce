import Basics
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Making a bundle, whatever happens meanwhile")
struct FinaliserTests {
  let scratch: ScratchFolder
  let results: ResultsFolder
  let trial: TrialIdentifier

  /// A crash, which nobody cleans up after.
  private struct Crash: Error {}

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    trial = try #require(TrialIdentifier(TrialStory.trial))
  }

  private func leave(in results: ResultsFolder) throws {
    let story = TrialStory.good()
    try story.leave(in: results, journal: story.journal)
    try Folder.create("\(results.openPath(of: trial))/clip")
    try File.create("\(results.openPath(of: trial))/clip/chill_preview_4.mp3", TrialStory.clipBytes)
  }

  @Test(
    "A crash before any thing that is done to the disk is completed later, with the same bytes",
    arguments: Finaliser.Action.allCases)
  func crash(action: Finaliser.Action) throws {
    let whole = ResultsFolder(scratch["whole"])
    try leave(in: whole)
    _ = try whole.recover()

    try leave(in: results)
    try results.prepare()
    var finaliser = Finaliser(results: results, trial: trial)
    finaliser.willPerform = { if $0 == action { throw Crash() } }
    #expect(throws: Crash.self) { try finaliser.finish() }
    // What stands under bundles is complete at every moment.
    for name in try Folder.names(in: results.bundlesFolder) {
      #expect(Bundle.verify("\(results.bundlesFolder)/\(name)") == [])
    }
    let fates = try results.recover()
    #expect(fates.count <= 1, "\(fates)")
    let bundle = results.bundlePath(of: trial)
    #expect(Bundle.verify(bundle) == [])
    #expect(try BundleTests.files(of: bundle) == BundleTests.files(of: whole.bundlePath(of: trial)))
    #expect(try Folder.names(in: results.openFolder).filter { $0 != ".lock" } == [])
    #expect(try results.recover() == [])
  }

  @Test(
    "A file system that refuses to grow files stops a recovery plainly at every size, and the next one completes it")
  func noRoom() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchFolder()
      let results = ResultsFolder(scratch["results"], requiredBytes: 0)
      let trial = try #require(TrialIdentifier(TrialStory.trial))
      // The clip is the largest file, so that every other one can be made while it cannot.
      let clip = [UInt8](repeating: 7, count: 20_000)
      var story = TrialStory.good()
      story.chosen.clip.sha256 = SHA256.digest(of: clip).description
      let chosen = story.chosen
      story.replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
      let journal = story.records.dropLast().flatMap { $0.line() }
      try story.leave(in: results, journal: journal)
      try Folder.create("\(results.openPath(of: trial))/clip")
      try File.create("\(results.openPath(of: trial))/clip/chill_preview_4.mp3", clip)
      try results.prepare()
      let limits = [0, 1, 40, 1000, journal.count - 1, journal.count, journal.count + 100, journal.count + 300]
      for limit in limits + [10_000, 19_999] {
        try FileSizeLimit.set(limit)
        let fates = try results.recover()
        try FileSizeLimit.lift()
        let names = try Folder.names(in: results.bundlesFolder)
        guard case .failed(let reason) = try #require(fates.first).fate else {
          Issue.record("\(fates) at \(limit) bytes")
          break
        }
        #expect(reason.contains("File too large"), "\(reason)")
        #expect(reason.contains("station recover"), "\(reason)")
        #expect(names == [])
        #expect(Folder.exists(results.openPath(of: trial)))
        #expect(!Folder.exists("\(results.openPath(of: trial)).part"))
      }
      let fates = try results.recover()
      let bundle = results.bundlePath(of: trial)
      #expect(fates.count <= 1)
      #expect(Bundle.verify(bundle) == [])
      #expect(try File.contents(of: "\(bundle)/data/journal.jsonl").starts(with: journal))
      #expect(try Bundle(bundle).record.closing.outcome == .recovered)
    }
  }
}
