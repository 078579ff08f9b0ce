import Basics
import Glibc
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Bundles

@Suite("What a journal's writer reports of a disk that refuses and a journal that is gone")
struct JournalReportTests {
  let scratch: ScratchFolder
  let disk = RefusingDisk()
  private let reports = Reports()

  init() throws {
    scratch = try ScratchFolder()
    try Folder.create(scratch["trial"])
  }

  private final class Reports: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ report: DurableReport) {
      let kind =
        switch report {
        case .refused: "refused"
        case .caughtUp: "caught up"
        case .restored(_, let aside): aside == nil ? "restored" : "restored, another moved aside"
        case .displaced: "displaced"
        }
      all.withLock { $0.append(kind) }
    }
    var list: [String] { all.withLock { $0 } }
  }

  private var path: String { scratch["trial/journal.jsonl"] }

  private func open(limit: Int = 64 << 20) throws -> JournalWriter {
    let folder = scratch["trial"]
    let place = DurablePlace(
      prepare: { () throws(FileError) in try Folder.ensure(folder) }, aside: scratch["replaced"])
    return try JournalWriter(path, at: place, on: disk, clock: HandClock(), limit: limit) { [reports] in
      reports.add($0)
    }
  }

  private func lines() throws -> Int {
    try File.contents(of: path).count { $0 == UInt8(ascii: "\n") }
  }

  @Test(
    "A folder that cannot be synchronised delays the return of a removed journal, and no line is lost or doubled")
  func folder() async throws {
    let limit = 2000
    let writer = try open(limit: limit)
    writer.append(time: .zero, event: .note("one"))
    try await writer.flush()
    try Folder.removeTree(scratch["trial"])
    disk.refuse(.synchronizeFolder, code: EIO)
    // Of the lines that wait, the limit holds no more.
    let reading = JournalEvent.reading(TrialStory.reading(61, [], at: 5))
    while writer.append(time: .zero, event: reading) != nil {}
    let appended = writer.appended
    for _ in 0..<3 {
      await #expect(throws: FileError.self) { try await writer.flush() }
      #expect(writer.durable == 0)
    }
    #expect(reports.list == ["displaced"])
    disk.relent()
    try await writer.flush()
    #expect(reports.list == ["displaced", "restored", "caught up"])
    #expect(try writer.durable == appended && lines() == appended && writer.trouble == nil)
    // What is safe no longer counts against the memory.
    let next = try #require(writer.append(time: .zero, event: reading))
    try await writer.flush()
    #expect(try writer.durable > next && lines() == writer.durable)
    #expect(try Folder.names(in: scratch.path) == ["trial"])
  }

  @Test("A journal that is removed while the disk refuses lines is reported, once")
  func displacedWhileRefused() async throws {
    let writer = try open()
    writer.append(time: .zero, event: .note("one"))
    try await writer.flush()
    disk.refuse(.write, code: ENOSPC)
    writer.append(time: .zero, event: .note("two"))
    for _ in 0..<2 { await #expect(throws: FileError.self) { try await writer.flush() } }
    #expect(reports.list == ["refused"] && writer.durable == 1)
    try Folder.removeTree(scratch["trial"])
    for _ in 0..<3 {
      await #expect(throws: FileError.self) { try await writer.flush() }
      #expect(reports.list == ["refused", "displaced"] && writer.durable == 0)
    }
    disk.relent()
    try await writer.flush()
    #expect(reports.list == ["refused", "displaced", "restored", "caught up"])
    #expect(try writer.durable == 2 && lines() == 2)
  }

  @Test("A disk that refuses the first line after a journal was restored is reported again")
  func refusedAfterRestored() async throws {
    let writer = try open()
    writer.append(time: .zero, event: .note("one"))
    try await writer.flush()
    try Folder.removeTree(scratch["trial"])
    try File.create(scratch["trial"], [])
    await #expect(throws: FileError.self) { try await writer.flush() }
    #expect(reports.list == ["displaced"])
    // The first write is the copy of what was there.
    disk.refuse(.write, 1..<2, code: ENOSPC)
    writer.append(time: .zero, event: .note("two"))
    try Folder.removeFile(scratch["trial"])
    // The writer may have tried by itself meanwhile.
    _ = try? await writer.flush()
    try await writer.flush()
    #expect(reports.list == ["displaced", "restored", "refused", "caught up"])
    #expect(try writer.durable == 2 && lines() == 2)
  }
}
