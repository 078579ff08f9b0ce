import Foundation
import Quantities
import TestSupport
import Testing

@testable import Laboratory
@testable import SampleStore

@Suite("Opening a participants' list that cannot be used")
struct ListOpeningTests {
  private static func refusal(_ location: String) async -> StoreError? {
    await #expect(throws: StoreError.self) { () async throws in _ = try await ParticipantList.open(location) }
  }

  @Test("A store is not a list, and a list is not a store; both are left as they are")
  func store() async throws {
    let folder = try ScratchFolder()
    try await SampleStore.sqlite(folder["store"]).close()
    let list = try await ParticipantList.open(folder["list"])
    try await list.enrol("p1", in: "Calm")
    await list.close()
    let before = try OpeningTests.contents(folder)
    #expect(await Self.refusal(folder["store"])?.code == .databaseInaccessible)
    await #expect(throws: StoreError.self) { () async throws in _ = try await SampleStore.sqlite(folder["list"]) }
    #expect(try OpeningTests.contents(folder) == before)
  }

  @Test("A list of a newer station is refused, and stays as it is", arguments: TestedList.allCases)
  func newer(engine: TestedList) async throws {
    let place = try await engine.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    await list.close()
    func version() async throws -> Int64 {
      switch engine {
      case .sqlite:
        let database = try SQLiteDatabase(place.location, .write)
        try database.execute("PRAGMA user_version = 7")
        return try database.integer("PRAGMA user_version")
      case .postgres:
        let connection = try PostgresConnection(PostgresAddress(place.location))
        try connection.execute("UPDATE station_participants.versions SET version = 7")
        return try connection.run("SELECT max(version) FROM station_participants.versions").integer(0, 0)
      }
    }
    #expect(try await version() == 7)
    #expect(await Self.refusal(place.location)?.code == .databaseInaccessible)
    #expect(try await version() == 7)
  }

  @Test(
    "What is wrong with a file or server is said of the list",
    arguments: ["/proc/none/participants.sqlite", "postgresql://somebody:s3cret@/none?host=/nowhere"])
  func unreachable(location: String) async throws {
    let error = try #require(await Self.refusal(location))
    #expect(error.code == .databaseInaccessible)
    #expect(error.description.hasPrefix("cannot open the participants' list “"), "\(error)")
    #expect(!error.description.contains("s3cret"), "\(error)")
  }

  @Test("Somebody else's writing is waited for, and not without end")
  func waiting() async throws {
    let folder = try ScratchFolder()
    let path = folder["participants.sqlite"]
    let told = Gathered<String>()
    let patience = StorePatience(limit: .milliseconds(50), notice: .zero) { told.add($0) }
    let list = try await QueueExecutor.run { try ParticipantList { try SQLiteConnection.list(path, patience) } }
    let writer = try SQLiteDatabase(path, .write)
    try writer.execute("BEGIN IMMEDIATE")
    let error = await #expect(throws: StoreError.self) { () async throws in try await list.enrol("p1", in: "Calm") }
    #expect(error?.code == .databaseInaccessible && told.values.count == 1)
    try writer.execute("ROLLBACK")
    #expect(try await list.enrol("p1", in: "Calm").index == 1)
  }

  @Test("A list that was closed refuses every call")
  func closed() async throws {
    let place = try await TestedList.sqlite.make()
    let list = try await place.open()
    await list.close()
    await #expect(throws: StoreError.self) { try await list.enrol("p1", in: "Calm") }
  }

  @Test("A lost connection is an error, nothing is half enrolled, and the next call connects again")
  func lost() async throws {
    let place = try await TestedList.postgres.make()
    let list = try await place.open()
    try await list.enrol("p1", in: "Calm")
    let address = try PostgresAddress(place.location)
    await #expect(throws: StoreError.self) {
      try await list.enrol("p2", in: "Calm", at: "2026-11-21T12:00:00.000Z") { _, _ in
        let other = try PostgresConnection(address)
        _ = try other.run(
          """
          SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
        return nil
      }
    }
    #expect(try await list.participants(of: "Calm").map(\.name) == ["p1"])
    #expect(try await list.enrol("p3", in: "Calm").index == 2)
  }

  @Test("A server may hold a store and a list")
  func together() async throws {
    let place = try await TestedList.postgres.make()
    let list = try await place.open()
    let store = try await SampleStore.postgres(place.location)
    try await list.enrol("p1", in: "Calm")
    try await store.save([.make(60)])
    #expect(try await list.participants(of: "Calm").count == 1)
    #expect(try await store.samples(of: .heartRate).count == 1)
  }
}
