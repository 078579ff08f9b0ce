import CSQLite
import Glibc
import Quantities

/// A store in a SQLite file, which any number of processes can use concurrently, or in memory.
///
/// A file uses a write-ahead log (WAL), synchronised at every commit, so that saved samples survive a crash of the machine.
final class SQLiteEngine: StoreEngine {
  let database: SQLiteDatabase
  let site: Int64
  private let path: String
  private var statements: [String: SQLiteStatement] = [:]
  /// Keeps a file in use from being replaced; released last.
  private let lock: SQLiteLock?
  /// Signals the watches of a store in memory; `nil` for a file.
  private let bell: MemoryBell?

  /// Opens a store, and creates it if there is none.
  ///
  /// - Throws: `SQLiteError` or ``StoreError``; a file that is not a store, or is one of a later version, is left
  ///   untouched.
  init(
    _ path: String, site: String, identity: UUID, patience: StorePatience = StorePatience()
  ) throws {
    let isThere: Bool
    do {
      // Check first, so that no lock file is created beside a foreign file.
      isThere = try SQLiteFile(path).isStore
      let target = SQLiteFile.resolve(path)
      lock = try SQLiteLock(target, for: .user, patience)
      if !isThere { SQLiteFile.make(target) }
      try SQLiteFile.requireSingleName(path)
      database = try SQLiteDatabase(path, isThere ? .write : .create, patience)
      self.path = path
      self.site = Name.number(of: site)
      bell = nil
      // The log may grow to 64 MB before a checkpoint: random UUIDs change the same pages again and again.
      try database.execute(
        "PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000; "
          + "PRAGMA temp_store = MEMORY")
      try makeTables()
      try useLog()
      try enter(site, identity)
    } catch let error as SQLiteError where error.kind == SQLITE_READONLY || error.kind == SQLITE_CANTOPEN {
      throw StoreError.unusable(error, advice: "see that the folder exists and that this user may write into it")
    }
  }

  /// Makes a store in memory, which ends with its engine.
  init(inMemoryOf site: String, identity: UUID) throws {
    path = ":memory:"
    database = try SQLiteDatabase(path, .create)
    self.site = Name.number(of: site)
    (lock, bell) = (nil, MemoryBell())
    try database.execute("PRAGMA temp_store = MEMORY")
    try makeTables()
    try enter(site, identity)
  }

  // Statements keep a connection alive: the lock is released after the last of them.
  deinit { statements = [:] }

  private func makeTables() throws {
    // If the tables exist, there is no need to wait for a writer.
    let version = try database.integer("PRAGMA user_version")
    guard version <= SQLiteSchema.version else { throw SQLiteFile.newer(path, Int32(version)) }
    if version > 0 { return }
    try database.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have created them in the meantime.
      let version = try database.integer("PRAGMA user_version")
      guard version <= SQLiteSchema.version else { throw SQLiteFile.newer(path, Int32(version)) }
      if version == 0 { try database.execute(SQLiteSchema.statements) }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
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

  private func enter(_ name: String, _ identity: UUID) throws {
    let statement = try prepare("SELECT name FROM stores WHERE site = ?1")
    try statement.bind(1, site)
    let known = try statement.step() ? statement.text(0) : nil
    statement.reset()
    if known == name { return }
    guard known == nil else {
      throw StoreError(
        .invalidArgument, "the site “\(name)” cannot be distinguished from “\(known ?? "")”; rename one of them")
    }
    try write {
      let insert = try prepare("INSERT INTO stores VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING")
      try insert.bind(1, site)
      try insert.bind(2, name)
      try insert.bind(3, identity)
      try insert.run()
    }
  }

  /// Returns a cached statement, or compiles it.
  func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    // Queries with different lists of sources are different statements; rarely used ones are not worth keeping.
    if statements.count >= 100 { statements = [:] }
    let statement = try database.prepare(sql)
    statements[sql] = statement
    return statement
  }

  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try transaction("BEGIN", body)
  }

  func write<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try transaction("BEGIN IMMEDIATE") {
      let result = try body()
      try Task.checkCancellation()
      return result
    }
    // Notifies the watches of all processes; see SQLiteWatch.
    if let bell { bell.ring() } else { unsafe _ = utimensat(AT_FDCWD, path, nil, 0) }
    return result
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

  func makeWatch() -> any StoreWatch {
    if let bell { MemoryWatch(bell: bell) } else { SQLiteWatch(database: path) }
  }

  func identity() throws -> UUID {
    let statement = try prepare("SELECT identity FROM stores WHERE site = ?1")
    try statement.bind(1, site)
    defer { statement.reset() }
    return try statement.step() ? statement.uuid(0) : UUID(high: 0, low: 0)
  }
}
