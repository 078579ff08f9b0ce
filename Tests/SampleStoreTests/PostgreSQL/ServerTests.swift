import Dispatch
import Glibc
import Quantities
import TestSupport
import Testing

@testable import SampleStore

@Suite("Opening a store on a server")
struct ServerTests {
  /// A connection beside the stores', to one of the server's databases.
  static func connection(_ database: String = "postgres") async throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(await PostgresServer.shared.url(database)))
  }

  /// A database of a test's own, without tables.
  static func makeDatabase() async throws -> String {
    let name = "test_" + "\(UUID())".lowercased().filter { $0 != "-" }
    try await connection().execute("CREATE DATABASE \(name) TEMPLATE template0")
    return name
  }

  @Test("Tables of a newer station are refused, and stay as they are")
  func newer() async throws {
    let database = try await Self.makeDatabase()
    let url = try await PostgresServer.shared.url(database)
    try await SampleStore.postgres(url).save([.make(60)])
    let other = try await Self.connection(database)
    try other.execute("UPDATE station.versions SET version = 7")
    let text = await refusal { _ = try await SampleStore.postgres(url) }
    #expect(
      text?.hasSuffix(
        "it was made by a newer station (version 7 of its tables; this one knows 1); use that station") == true,
      "\(text ?? "")")
    #expect(try other.run("SELECT count(*) FROM station.samples").integer(0, 0) == 1)
    #expect(try other.run("SELECT max(version) FROM station.versions").integer(0, 0) == 7)
  }

  @Test("Eight stations that open an empty database at once make its tables once")
  func together() async throws {
    let database = try await Self.makeDatabase()
    let url = try await PostgresServer.shared.url(database)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try await SampleStore.postgres(url) } }
      try await group.waitForAll()
    }
    let other = try await Self.connection(database)
    #expect(try other.run("SELECT count(*) FROM station.versions").integer(0, 0) == 1)
    #expect(try other.run("SELECT count(*) FROM station.stores").integer(0, 0) == 1)
  }

  @Test(
    "A server that is not there is said, with what to do",
    arguments: ["postgresql://somebody:s3cret@/none?host=/nowhere", "postgres://somebody:s3cret@127.0.0.1:1/none"])
  func unreachable(url: String) async throws {
    let text = try #require(await refusal { _ = try await SampleStore.postgres(url) })
    #expect(text.hasPrefix("cannot open the store “postgresql://somebody@"), "\(text)")
    #expect(text.contains("see that the server runs and that this computer may reach it"), "\(text)")
    #expect(!text.contains("s3cret"), "\(text)")
  }

  @Test("No message repeats a password")
  func passwords() async throws {
    let user = "guarded"
    let server = try await PostgresServer.shared
    let database = try await Self.makeDatabase()
    try await Self.connection().execute("CREATE ROLE \(user) LOGIN SUPERUSER PASSWORD 'right@one'")
    let wrong = server.url(database, user: "\(user):s3cret%40word")
    let text = try #require(await refusal { _ = try await SampleStore.postgres(wrong) })
    #expect(text.contains("password authentication failed for user \"\(user)\""), "\(text)")
    #expect(text.hasSuffix("see that the URL names a user whom the server lets in, and the password"), "\(text)")
    #expect(!text.contains("s3cret"), "\(text)")
    for url in ["postgresql://me:s3cret%zz@host/base", "postgresql://me:s3cret@[host/base"] {
      let text = try #require(await refusal { _ = try await SampleStore.postgres(url) })
      #expect(text.hasPrefix("the URL of the PostgreSQL server cannot be read; write postgresql://"), "\(text)")
      #expect(!text.contains("s3cret"), "\(text)")
    }
    let right = try await SampleStore.postgres(server.url(database, user: "\(user):right%40one"))
    #expect(try await right.save([.make(60)]).added == 1)
    // What is wrong besides is not blamed on the password.
    let elsewhere = server.url("no_such_database", user: "\(user):right%40one")
    let missing = try #require(await refusal { _ = try await SampleStore.postgres(elsewhere) })
    #expect(missing.contains("does not exist") && !missing.contains("the password"), "\(missing)")
  }

  @Test("A message names the beginning of a statement on one line, and says what to do")
  func statements() async throws {
    let error = PostgresError(
      action: "save", statement: "SELECT one,\n    two FROM \(String(repeating: "x", count: 100))", state: "55P03",
      reason: "no lock")
    #expect(
      "\(StoreError.unusable(error))" == "cannot save: no lock (SQLSTATE 55P03) in "
        + "“SELECT one, two FROM \(String(repeating: "x", count: 39))…”; others have been writing for long; try again")
  }

  @Test("A server that does not stop when it is asked to is given up")
  func deaf() async throws {
    let url = try await PostgresServer.shared.url()
    let asking = Task {
      try await QueueExecutor.run {
        let connection = try PostgresConnection(PostgresAddress(url))
        let server = pid_t(try connection.run("SELECT pg_backend_pid()::bigint").integer(0, 0))
        // A process that is stopped hears nothing.
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try connection.execute("SELECT 1")
      }
    }
    let error = await #expect(throws: PostgresError.self) { () async throws in try await asking.value }
    #expect(error?.state == PostgresError.abandoned && error?.isInterruption == true && error?.isLost == true)
  }

  @Test("A server that is frozen is given up, and whoever waits is told for whom")
  func frozen() async throws {
    let url = try await PostgresServer.shared.url()
    let told = Gathered<String>()
    let patience = StorePatience(limit: .milliseconds(300), notice: .zero) { told.add($0) }
    let error = await #expect(throws: PostgresError.self) { () async throws in
      try await QueueExecutor.run {
        let connection = try PostgresConnection(PostgresAddress(url), patience)
        let server = pid_t(try connection.run("SELECT pg_backend_pid()::bigint").integer(0, 0))
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        try connection.execute("COMMIT", mayBeStopped: false)
      }
    }
    #expect(error?.state == PostgresError.abandoned && error?.isLost == true)
    #expect(told.values.contains { $0.hasPrefix("the server of the store “postgresql://") })
  }

  @Test(
    "Where a server is can be said as libpq takes it",
    arguments: [
      ("postgresql://host/base", true, false), ("host=db.example dbname=lab", true, false),
      ("  service = lab", true, false), ("postgres://me:s3cret@host/base", true, true),
      ("host=a password=s3cret", true, true), ("host=a password='s 3'", true, true),
      ("postgresql://host/base?password=s3cret", true, true), ("postgresql://me:s3cret%zz@host/base", true, true),
      ("results/station.sqlite", false, false), ("a=b.sqlite", false, false), ("lab=host.sqlite", false, false),
    ] as [(String, Bool, Bool)])
  func addresses(text: String, isServer: Bool, hasPassword: Bool) {
    #expect(SampleStore.isServer(text) == isServer)
    #expect(SampleStore.hasPassword(text) == hasPassword)
  }

  @Test("A database that is missing is named")
  func missing() async throws {
    let url = try await PostgresServer.shared.url("no_such_database")
    let text = try #require(await refusal { _ = try await SampleStore.postgres(url) })
    #expect(text.contains("database \"no_such_database\" does not exist"), "\(text)")
  }
}
