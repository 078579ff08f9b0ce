import CSQLite
import Foundation
import Glibc
import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("A store that is made anew")
struct ReplacementTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder["station.sqlite"]
  }

  private func contents() throws -> [String: Data] { try OpeningTests.contents(folder) }

  /// Fills the store, and leaves a part of it in the log, as a process does that was killed.
  private func fill(_ count: Int = 3) async throws {
    try await SampleStore.sqlite(path).close()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, count = count as Int] in
      let store = try await SampleStore.sqlite(path)
      try await store.save((0..<count).map { try .make(60, from: .second(Double($0)), uuid: .number(UInt64($0))) })
      kill(getpid(), SIGKILL)
    }
    #expect(FileManager.default.fileExists(atPath: "\(path)-wal"))
  }

  private func count(_ path: String) async throws -> Int {
    let store = try await SampleStore.sqlite(path)
    let count = try await store.samples(of: .heartRate).count
    try await store.close()
    return count
  }

  @Test("The new store is in the old one's place, and the old one beside it with all of its log")
  func replaced() async throws {
    try await fill()
    for number in 1...2 {
      let old = try await SampleStore.replace(path) { try await $0.save([.make(70)]) }
      #expect(old == "\(path).\(number).damaged")
    }
    #expect(try await count(path) == 1)
    #expect(try await count("\(path).1.damaged") == 3)
    #expect(try await count("\(path).2.damaged") == 1)
    let names = Set(try contents().keys).filter { !$0.hasSuffix(".lock") && !$0.contains("damaged") }
    #expect(names == ["station.sqlite"])
  }

  @Test("A link to a store stays one, and what it leads to is replaced")
  func linked() async throws {
    try await fill()
    let name = folder["link.sqlite"]
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: path)
    let user = try await SampleStore.sqlite(name)
    #expect(await refusal { _ = try await SampleStore.replace(path) { _ in } } != nil)
    try await user.close()
    #expect(try await SampleStore.replace(name) { try await $0.save([.make(70)]) } == "\(path).1.damaged")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: name) == path)
    #expect(try await count(path) == 1)
    #expect(try await count("\(path).1.damaged") == 3)
  }

  @Test("Where there is no store, one is made")
  func none() async throws {
    let old = try await SampleStore.replace(path) { try await $0.save([.make(70)]) }
    #expect(old == nil)
    #expect(try await count(path) == 1)
  }

  @Test("What fails while the new store is filled leaves the old one as it is")
  func failed() async throws {
    try await fill()
    let before = try contents()
    let text = await refusal {
      _ = try await SampleStore.replace(path) { store in
        try await store.save([.make(70)])
        throw StoreError(.noData, "the bundles are gone")
      }
    }
    #expect(text == "the bundles are gone")
    #expect(try contents() == before)
  }

  @Test("Nobody takes the place of a store that is used, and nobody uses one whose place is taken")
  func used() async throws {
    let store = try await SampleStore.sqlite(path)
    let text = await refusal { _ = try await SampleStore.replace(path) { _ in } }
    #expect(text == "cannot open the store “\(path)”: another process uses it; end that one first")
    try await store.close()
    _ = try await SampleStore.replace(path) { new in
      let opening = Task { try await SampleStore.sqlite(path) }
      opening.cancel()
      await #expect(throws: CancellationError.self) { () async throws in _ = try await opening.value }
      try await new.save([.make(60)])
    }
    #expect(try await count(path) == 1)
  }

  @Test(
    "An interruption at any step loses nothing, is told to whoever opens the store, and the next attempt ends it",
    arguments: ["half a new store", "link", "links", "log removed", "all removed"])
  func interrupted(step: String) async throws {
    try await fill()
    let kept = "\(path).1.damaged"
    try Data("half".utf8).write(to: URL(filePath: "\(path).new"))
    try Data("half".utf8).write(to: URL(filePath: "\(path).new-wal"))
    let files = FileManager.default
    if step != "half a new store" { try files.linkItem(atPath: path, toPath: kept) }
    if ["links", "log removed", "all removed"].contains(step) {
      try files.linkItem(atPath: "\(path)-wal", toPath: "\(kept)-wal")
    }
    if ["log removed", "all removed"].contains(step) { try files.removeItem(atPath: "\(path)-wal") }
    if step == "all removed" { try files.removeItem(atPath: "\(path)-shm") }
    if step == "half a new store" {
      #expect(try await count(path) == 3)
    } else {
      let text = await refusal { _ = try await SampleStore.sqlite(path) }
      #expect(text?.hasSuffix("run “station store rebuild --from-scratch” again") == true, "\(text ?? "")")
    }
    let old = try await SampleStore.replace(path) { try await $0.save([.make(70)]) }
    #expect(old == kept)
    #expect(try await count(path) == 1)
    #expect(try await count(kept) == 3)
  }
}
