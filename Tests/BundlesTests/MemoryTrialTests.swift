import Basics
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("Trials that are kept in memory until they are over")
struct MemoryTrialTests {
  let scratch: ScratchFolder
  let results: ResultsFolder
  let trial: TrialIdentifier

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    trial = try #require(TrialIdentifier(TrialStory.trial))
  }

  private func memory() -> MemoryTrial {
    let memory = MemoryTrial(trial, in: results, protocolBytes: TrialStory.protocolBytes)
    for (time, event) in TrialStory.good().events { memory.append(time: time, event: event) }
    return memory
  }

  @Test("The bundle has the bytes of one whose journal was on the disk")
  func bytes() async throws {
    let disk = ResultsFolder(scratch["disk"], requiredBytes: 0)
    let open = try await TrialStory.good().record(in: disk).finish()
    let record = try memory().finish()
    let bundle = try Bundle(results.bundlePath(of: trial))
    #expect(bundle.record == record && bundle.verify() == [])
    #expect(try BundleTests.files(of: bundle.path) == BundleTests.files(of: open))
    #expect(try Folder.names(in: results.openFolder) == [])
  }

  @Test("Nothing is appended after the record that closes it, and records are numbered from 0")
  func closed() throws {
    let memory = MemoryTrial(trial, in: results, protocolBytes: [])
    #expect(memory.append(time: .zero, event: .trialOpened(TrialStory.opening)) == 0)
    let (time, closing) = try #require(TrialStory.good().events.last)
    #expect(memory.append(time: time, event: closing) == 1)
    #expect(memory.append(time: time, event: .resumed) == nil)
  }

  @Test("A bundle that is there is not replaced, and nothing is left of the second one")
  func taken() throws {
    _ = try memory().finish()
    let path = results.bundlePath(of: trial)
    let files = try BundleTests.files(of: path)
    #expect(throws: BundleError.taken(path: path)) { try memory().finish() }
    #expect(try BundleTests.files(of: path) == files)
    #expect(try Folder.names(in: results.openFolder) == [])
  }
}
