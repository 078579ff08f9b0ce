import Dispatch
import Foundation
import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("A server that several stations use")
struct StationsTests {
  /// A site that no other test has.
  static func site() -> String { "stations \(Quantities.UUID())" }

  static func engine(_ site: String) async throws -> StoreEngine {
    let session = try PostgresSession(await PostgresServer.shared.url(), .samples, StorePatience(limit: .seconds(60)))
    return try StoreEngine(session, site: site, identity: Quantities.UUID())
  }

  @Test("Eight stations that save at once keep every sample exactly once")
  func together() async throws {
    let (url, site) = (try await PostgresServer.shared.url(), Self.site())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          let store = try await SampleStore.postgres(url, site: site)
          for number in 0..<10 {
            try await store.save(ProcessTests.batch(writer, number, count: 30), receipt: "\(writer)/\(number)")
            // What two stations have both of goes in once.
            let pair = try ProcessTests.batch(100 + writer / 2, number, count: 10)
            try await store.save(pair, receipt: "pair \(writer / 2)/\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try await SampleStore.postgres(url, site: site)
    let saved = try await store.samples(of: .heartRate)
    #expect(saved.count == 8 * 10 * 30 + 4 * 10 * 10 && Set(saved.map(\.uuid)).count == saved.count)
    #expect(try await Set(store.changes(of: .heartRate).added.map(\.uuid)) == Set(saved.map(\.uuid)))
  }

  @Test("A transaction that another one came in between of is done again")
  func conflict() async throws {
    let site = Self.site()
    let store = try await SampleStore.postgres(await PostgresServer.shared.url(), site: site)
    let other = try await ServerTests.connection()
    try other.execute("BEGIN")
    _ = try other.run(
      "UPDATE station.stores SET change = change + 5 WHERE site = $1", [.integer(Name.number(of: site))])
    let saving = Task { try await store.save([.make(60)]) }
    // The server says when the store waits for the other one.
    let watcher = try await ServerTests.connection()
    let waiting = """
      SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1 = ANY (pg_blocking_pids(pid)::bigint[])
      """
    let blocker = try other.run("SELECT pg_backend_pid()::bigint").integer(0, 0)
    while try watcher.run(waiting, [.integer(blocker)]).integer(0, 0) == 0 { await Task.yield() }
    try other.execute("COMMIT")
    #expect(try await saving.value.added == 1)
    let changes = try await store.changes(of: .heartRate)
    #expect(changes.added.count == 1 && "\(changes.anchor)".hasSuffix(":6"))
  }

  @Test("What an attempt wrote before it was repeated is not there", arguments: ["40001", "40P01"])
  func repeated(state: String) async throws {
    let engine = try await Self.engine(Self.site())
    var attempts = 0
    try engine.write {
      attempts += 1
      try engine.addReceipt("attempt \(attempts)")
      if attempts < 4 { throw PostgresError(action: "save", state: state, reason: "another came in between") }
    }
    #expect(attempts == 4)
    #expect(
      try (1...4).map { attempt in try engine.read { try engine.hasReceipt("attempt \(attempt)") } } == [
        false, false, false, true,
      ])
  }

  @Test("A query is asked again where the server wants it, unless something of its answer was given away")
  func repeatedReads() async throws {
    let engine = try await Self.engine(Self.site())
    let conflict = PostgresError(action: "read", state: "40001", reason: "another came in between")
    var attempts = 0
    try engine.read {
      attempts += 1
      if attempts < 3 { throw conflict }
    }
    #expect(attempts == 3)
    let store = try await SampleStore.postgres(await PostgresServer.shared.url(), site: Self.site())
    try await store.save((0..<10).map { try .make(60, from: .second(Double($0))) })
    let seen = Counter()
    await #expect(throws: StoreError.self) { () async throws in
      try await store.forEachSample(of: .heartRate) { _ in
        if seen.add() == 3 { throw conflict }
        return true
      }
    }
    #expect(seen.value == 3)
  }

  @Test("A transaction in which something was refused is never taken for saved")
  func refused() async throws {
    let engine = try await Self.engine(Self.site())
    #expect(throws: PostgresError.self) {
      try engine.write {
        try engine.addReceipt("bundle")
        try? engine.driver.run("SELECT 1 / 0", [])
      }
    }
    #expect(try !engine.read { try engine.hasReceipt("bundle") })
  }

  @Test("A lost connection is an error that says so, and the next use connects again")
  func lost() async throws {
    let engine = try await Self.engine(Self.site())
    let other = try await ServerTests.connection()
    func server() throws -> Int64 {
      try #require(try engine.driver.first("SELECT pg_backend_pid()::bigint", []) { $0.integer(0) })
    }
    func end(_ server: Int64) throws {
      _ = try other.run("SELECT pg_terminate_backend($1::int, 10000)::int::bigint", [.integer(server)])
    }
    var error: PostgresError?
    do {
      try engine.write {
        try engine.addReceipt("lost")
        try end(server())
        try engine.addReceipt("later")
      }
    } catch let thrown as PostgresError {
      error = thrown
    }
    let text = error.map { "\(StoreError.unusable($0))" } ?? ""
    #expect(text.contains("nothing of this was saved; the next use connects again"), "\(text)")
    try engine.write { try engine.addReceipt("kept") }
    #expect(try engine.read { try engine.hasReceipt("kept") && !engine.hasReceipt("lost") })
    // Between two uses nobody notices.
    try end(engine.read(server))
    try engine.write { try engine.addReceipt("again") }
    #expect(try engine.read { try engine.hasReceipt("again") })
  }

  @Test("Waiting for another station that writes ends with the task")
  func cancelled() async throws {
    let site = Self.site()
    let store = try await SampleStore.postgres(await PostgresServer.shared.url(), site: site)
    let other = try await ServerTests.connection()
    try other.execute("BEGIN")
    _ = try other.run("UPDATE station.stores SET change = change WHERE site = $1", [.integer(Name.number(of: site))])
    let saving = Task { try await store.save([.make(60)]) }
    // By then it waits, unless this machine is busy.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { saving.cancel() }
    // Without the cancellation it would fail after half a minute, with another error.
    await #expect(throws: CancellationError.self) { try await saving.value }
    try other.execute("ROLLBACK")
    #expect(try await store.samples(of: .heartRate) == [])
  }

  @Test("A station that is killed while it saves leaves whole batches, and every one that it was told of")
  func killed() async throws {
    var generator = SeededGenerator(seed: 20_261_122)
    for kill in 0..<4 {
      let (url, site) = (try await PostgresServer.shared.url(), Self.site())
      let folder = try ScratchFolder()
      let notes = folder["notes"]
      try Data().write(to: URL(filePath: notes))
      let delay = Int.random(in: 50...400, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL), "kill \(kill)") {
        [url = url as String, site = site as String, notes = notes as String, delay = delay as Int] in
        let store = try await SampleStore.postgres(url, site: site)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { Glibc.kill(getpid(), SIGKILL) }
        for number in 0..<Int.max {
          try await store.save(ProcessTests.batch(0, number, count: 200), receipt: "0/\(number)")
          let file = try FileHandle(forWritingTo: URL(filePath: notes))
          try file.seekToEnd()
          try file.write(contentsOf: Data("\(number)\n".utf8))
          try file.close()
        }
      }
      let store = try await SampleStore.postgres(url, site: site)
      // A write of ours comes after whatever the server still does for the dead one.
      try await store.setSourcePriority([])
      let saved = try await store.samples(of: .heartRate).count
      let noted = try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n").count
      // One more may have been saved than the station had time to note.
      #expect(saved % 200 == 0 && (noted...(noted + 1)).contains(saved / 200), "kill \(kill)")
      #expect(
        try await store.save(ProcessTests.batch(0, saved / 200, count: 200), receipt: "0/\(saved / 200)").added == 200)
    }
  }

  @Test("An observer of another station is told of every change")
  func told() async throws {
    let (url, site) = (try await PostgresServer.shared.url(), Self.site())
    let writer = try await SampleStore.postgres(url, site: site)
    let reader = try await SampleStore.postgres(url, site: site)
    try await expectUpdates(from: writer, to: reader)
  }
}
