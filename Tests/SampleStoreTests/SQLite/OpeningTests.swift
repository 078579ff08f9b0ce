import CSQLite
import Dispatch
import Foundation
import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("Opening a store that cannot be used")
struct OpeningTests {
  /// What a folder holds, byte for byte.
  static func contents(_ folder: ScratchFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: folder[$0]))) })
  }

  @Test(
    "A file that is not a store of ours is left as it is",
    arguments: [
      ("text", "it is not a SQLite database, or its beginning is damaged; it was left as it is"),
      ("short", "it is not a SQLite database, or its beginning is damaged; it was left as it is"),
      ("foreign", "it is a SQLite database of another program; it was left as it is"),
      ("foreign log", "it is a SQLite database of another program; it was left as it is"),
      ("newer", "it was made by a newer station (version 7 of its tables; this one knows 1); use that station"),
      (
        "newer log", "it was made by a newer station (version 7 of its tables; this one knows 1); use that station"
      ),
      ("folder", "it is a folder; name a file in it"),
    ])
  func foreign(row: (kind: String, reason: String)) async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    switch row.kind {
    case "text": try Data(repeating: 65, count: 5000).write(to: URL(filePath: path))
    case "short": try Data("SQLite format 3\0".utf8).write(to: URL(filePath: path))
    case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "newer":
      try await SampleStore.sqlite(path).close()
      try SQLiteDatabase(path, .write).execute("PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)")
    case "newer log":
      _ = try await SampleStore.sqlite(path)
      // As long as this connection lives, the version is in the log only.
      let newer = try SQLiteDatabase(path, .write)
      try newer.execute("PRAGMA user_version = 7")
      let text = await refusal { _ = try await SampleStore.sqlite(path) }
      #expect(text == "cannot open the store “\(path)”: \(row.reason)")
      #expect(try newer.integer("PRAGMA user_version") == 7)
      return
    default:
      let log = row.kind == "foreign log" ? "PRAGMA journal_mode = WAL;" : ""
      try SQLiteDatabase(path, .create).execute("\(log) CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    }
    let before = row.kind == "folder" ? [:] : try Self.contents(folder)
    let text = await refusal { _ = try await SampleStore.sqlite(path) }
    #expect(text == "cannot open the store “\(path)”: \(row.reason)")
    if row.kind != "folder" { #expect(try Self.contents(folder) == before) }
  }

  @Test("A damaged store says so, and what to do")
  func damaged() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    do {
      let store = try await SampleStore.sqlite(path)
      try await store.save((0..<5000).map { try .make(60, from: .second(Double($0))) })
      try await store.close()
    }
    // The last connection has put the log into the file.
    var bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.count > 100_000)
    for place in 8192..<bytes.count { bytes[place] = UInt8(truncatingIfNeeded: place &* 31) }
    try bytes.write(to: URL(filePath: path))
    let text = await refusal { _ = try await SampleStore.sqlite(path).samples(of: .heartRate) }
    #expect(text?.contains("it is damaged: keep a copy, and rebuild it from the bundles") == true, "\(text ?? "")")
  }

  @Test("A folder that is missing or cannot be written is named", arguments: ["/proc/station.sqlite", "/proc/none/a"])
  func unwritable(path: String) async throws {
    let text = await refusal { _ = try await SampleStore.sqlite(path) }
    #expect(
      text == "cannot open the store “\(path)”: No such file or directory; "
        + "see that the folder exists and that this user may write into it")
  }

  @Test("What SQLite would not keep in a file is refused", arguments: ["", ":memory:"])
  func nameless(path: String) async throws {
    let text = await refusal { _ = try await SampleStore.sqlite(path) }
    #expect(text == "cannot open the store “\(path)”: that is not a file's name")
  }

  @Test("What is not an ordinary file is refused, and waited for by nobody")
  func pipe() async throws {
    let folder = try ScratchFolder()
    let path = folder["a\nb"]
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let text = await refusal { _ = try await SampleStore.sqlite(path) }
    #expect(text == "cannot open the store “\(folder.path)/a\\nb”: it is not an ordinary file; name another")
  }

  @Test("A store opens while somebody writes into it")
  func whileWriting() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let sample = try QuantitySample.make(60)
    try await SampleStore.sqlite(path).save([sample])
    let other = try SQLiteDatabase(path, .write)
    try other.execute("BEGIN IMMEDIATE")
    #expect(try await SampleStore.sqlite(path).samples(of: .heartRate) == [sample])
    try other.execute("ROLLBACK")
  }

  @Test("Waiting for whoever makes the tables ends with the task")
  func cancelled() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let other = try SQLiteDatabase(path, .create)
    try other.execute("BEGIN EXCLUSIVE")
    // In a process of its own, whose threads no other test keeps busy.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let start = ContinuousClock.now
      let opening = Task { try await SampleStore.sqlite(path) }
      // By then it waits, unless this machine is busy.
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { opening.cancel() }
      await #expect(throws: CancellationError.self) { () async throws in _ = try await opening.value }
      // Nobody who goes on waiting is done before half a minute.
      #expect(start.duration(to: .now) < .seconds(20))
    }
    try other.execute("ROLLBACK")
  }

  @Test("A store that is left closes itself, and puts its log into the file")
  func left() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    try await SampleStore.sqlite(path).save([.make(60)])
    // Soon, on a queue of its own.
    while FileManager.default.fileExists(atPath: "\(path)-wal") { await Task.yield() }
    #expect(try SQLiteDatabase(path, .read).integer("SELECT count(*) FROM samples") == 1)
  }

  @Test("An empty file becomes a store, and a store stays one")
  func empty() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    try Data().write(to: URL(filePath: path))
    let sample = try QuantitySample.make(60)
    try await SampleStore.sqlite(path).save([sample])
    let anchor = try await SampleStore.sqlite(path).changes(of: .heartRate).anchor
    let again = try await SampleStore.sqlite(path)
    #expect(try await again.samples(of: .heartRate) == [sample])
    #expect(try await again.changes(of: .heartRate, since: anchor).added == [])
    #expect(try SQLiteDatabase(path, .read).integer("PRAGMA application_id") == 0x5374_6174)
  }

  @Test("A full disk loses nothing that was saved, and saves nothing in part")
  func full() async throws {
    let folder = try ScratchFolder()
    let path = folder["station.sqlite"]
    let store = try await SampleStore.sqlite(path)
    let sample = try QuantitySample.make(60)
    try await store.save([sample])
    let core = try StoreCore(now: { .noon }, makeUUID: { .number(1) }) {
      let connection = try SQLiteConnection.store(path)
      // SQLite's own limit fails as a full disk does.
      let pages = try connection.database.integer("PRAGMA page_count")
      try connection.database.execute("PRAGMA max_page_count = \(pages + 20)")
      return try StoreEngine(connection, site: "station", identity: .number(1))
    }
    let limited = SampleStore(core: core, client: nil)
    let many = try (0..<20_000).map { try QuantitySample.make(60, from: .second(Double($0))) }
    let text = await refusal { try await limited.save(many) }
    #expect(text?.hasSuffix("nothing of this was saved; make room on the disk") == true, "\(text ?? "")")
    #expect(try await limited.samples(of: .heartRate) == [sample])
    #expect(try await store.samples(of: .heartRate) == [sample])
    try await limited.save([.make(61, from: .second(1))])
    #expect(try await store.samples(of: .heartRate).map(\.told) == [60, 61])
  }
}
