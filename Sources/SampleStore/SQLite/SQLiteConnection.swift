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

  package func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN", body)
  }

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
