import CSQLite
import Glibc

/// A connection to a SQLite file with the tables of a schema, which any number of processes can use concurrently.
///
/// A file uses a write-ahead log (WAL), synchronised at every commit, so that what was saved survives a crash of the
/// machine.
package final class SQLiteConnection {
  /// The database, for statements without values.
  package let database: SQLiteDatabase
  let path: String
  private let schema: SQLiteSchema
  /// Signals the watches of a database in memory; `nil` for a file.
  let bell: MemoryBell?
  private var statements: [String: SQLiteStatement] = [:]
  /// Keeps a file in use from being replaced; released last.
  private let lock: SQLiteLock?

  /// Opens a file, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - path: the file; its folder has to exist.
  ///   - schema: the tables, which a new file gets.
  ///   - patience: how long to wait for other processes.
  /// - Throws: `SQLiteError` or ``StoreError``; a file with other tables, or of a later version, is left untouched.
  package init(_ path: String, _ schema: SQLiteSchema, _ patience: StorePatience) throws {
    self.path = path
    self.schema = schema
    bell = nil
    let contents = schema.contents
    do {
      // Check first, so that no lock file is created beside a foreign file.
      let isThere = try SQLiteFile(path, schema).isThere
      let target = SQLiteFile.resolve(path)
      lock = try SQLiteLock(target, for: .user, of: contents, patience)
      if !isThere { SQLiteFile.make(target) }
      try SQLiteFile.requireSingleName(path, contents)
      database = try SQLiteDatabase(path, isThere ? .write : .create, of: contents, patience)
      try database.execute("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
      try makeTables()
      try useLog()
    } catch let error as SQLiteError where error.kind == SQLITE_READONLY || error.kind == SQLITE_CANTOPEN {
      throw StoreError.unusable(error, advice: "see that the folder exists and that this user may write into it")
    }
  }

  /// Makes a database in memory, which ends with its connection.
  package init(inMemory schema: SQLiteSchema) throws {
    path = ":memory:"
    self.schema = schema
    bell = MemoryBell()
    database = try SQLiteDatabase(path, .create, of: schema.contents)
    lock = nil
    try database.execute("PRAGMA temp_store = MEMORY")
    try makeTables()
  }

  // Statements keep a connection alive: the lock is released after the last of them.
  deinit { statements = [:] }

  private func makeTables() throws {
    // If the tables exist, there is no need to wait for a writer.
    if try hasTables() { return }
    try transaction("BEGIN IMMEDIATE") {
      // Another process may have created them in the meantime.
      if try !hasTables() { try database.execute(schema.statements) }
    }
  }

  private func hasTables() throws -> Bool {
    let version = try database.integer("PRAGMA user_version")
    guard version <= schema.version else { throw SQLiteFile.newer(path, Int32(version), than: schema) }
    return version > 0
  }

  /// Turns on the write-ahead log, a setting that the file keeps.
  private func useLog() throws {
    // SQLite's busy handler does not cover this pragma.
    let end = ContinuousClock.now + .seconds(5)
    while true {
      do {
        return try database.execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.kind == SQLITE_BUSY, !Task.isCancelled, ContinuousClock.now < end else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Removes from the file and its log what was deleted: SQLite otherwise only marks its room as free.
  ///
  /// - Throws: `SQLiteError`, and ``StoreError`` while another program reads; what was deleted may be in the log then.
  package func wipe() throws {
    // A compiled statement keeps the file from being written again, which takes as much room again.
    statements = [:]
    try database.execute("PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY")
    guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 else { return }
    throw StoreError(
      .databaseInaccessible,
      "another program reads the \(schema.contents.called(path)), and its log cannot be emptied of what was deleted; end "
        + "that program and try again")
  }

  /// Returns a cached statement, or compiles it.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    // Queries with different lists of sources are different statements; rarely used ones are not worth keeping.
    if statements.count >= 100 { statements = [:] }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a body that reads one state of the database.
  package func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN", body)
  }

  /// Runs a body in a transaction, which is rolled back if the body throws.
  package func write<Result>(_ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN IMMEDIATE") {
      let result = try body()
      try Task.checkCancellation()
      return result
    }
  }

  private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try database.execute(begin)
    do {
      let result = try body()
      try database.execute("COMMIT")
      return result
    } catch {
      // SQLite may already have rolled back, for instance after a full disk.
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }
}

extension SQLiteConnection: SQLDriver {
  /// Opens the file of a store.
  static func store(_ path: String, _ patience: StorePatience = StorePatience()) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path, .samples, patience)
    // The log may grow to 64 MB before a checkpoint: random UUIDs change the same pages again and again.
    try connection.database.execute("PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000")
    return connection
  }

  /// Opens the file of a participants' list.
  package static func list(_ path: String, _ patience: StorePatience = StorePatience()) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path, .participants, patience)
    // The code of a participant who withdraws is overwritten, not only marked as free.
    try connection.database.execute("PRAGMA secure_delete = ON")
    return connection
  }

  package func each(_ sql: String, _ values: [SQLValue], isLarge: Bool, _ body: (any SQLRow) throws -> Bool) throws {
    let statement = try prepare(sql)
    defer { statement.reset() }
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .text(let text): try statement.bind(index, text)
      case .integer(let integer): try statement.bind(index, integer)
      case .real(let real): try statement.bind(index, real)
      case .uuid(let uuid): try statement.bind(index, uuid)
      }
    }
    while try statement.step() {
      guard try body(statement) else { return }
    }
  }

  package var hasParallelWriters: Bool { false }

  /// Adds samples one by one: SQLite takes no arrays.
  package func add(_ rows: [SampleRow], site: Int64, after change: Int64) throws -> [Int] {
    let hasTombstones =
      try first("SELECT 1 FROM tombstones WHERE site = ?1 LIMIT 1", [.integer(site)]) { _ in } != nil
    let tombstone = try prepare("DELETE FROM tombstones WHERE site = ?1 AND uuid = ?2")
    let insert = try prepare(
      "INSERT INTO samples VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING")
    var present: [Int] = []
    // Inserted in order of UUID, so that each page of that index is fetched once.
    for place in rows.indices.sorted(by: { rows[$0].uuid < rows[$1].uuid }) {
      let row = rows[place]
      try insert.bind(1, site)
      try insert.bind(2, row.type)
      try insert.bind(3, row.start)
      try insert.bind(4, row.lasting)
      try insert.bind(5, row.uuid)
      try insert.bind(6, row.value)
      try insert.bind(7, row.source)
      try insert.bind(8, row.device)
      try insert.bind(9, row.metadata)
      try insert.bind(10, row.beats)
      try insert.bind(11, change + Int64(place) + 1)
      try insert.run()
      if database.changes == 0 {
        present.append(place)
      } else if hasTombstones {
        try tombstone.bind(1, site)
        try tombstone.bind(2, row.uuid)
        try tombstone.run()
      }
    }
    return present.sorted()
  }

  package func makeWatch(site: Int64) -> any StoreWatch {
    if let bell { MemoryWatch(bell: bell) } else { SQLiteWatch(database: path) }
  }

  /// Notifies the watches of all processes; see `SQLiteWatch`.
  package func notify() {
    if let bell { bell.ring() } else { unsafe _ = utimensat(AT_FDCWD, path, nil, 0) }
  }
}
