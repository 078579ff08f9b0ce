import Glibc
import Quantities

/// A store in a SQLite file or in memory.
final class SQLiteEngine: StoreEngine {
  let connection: SQLiteConnection
  let site: Int64
  private let path: String
  /// Signals the watches of a store in memory; `nil` for a file.
  private let bell: MemoryBell?

  /// Opens a store, and creates it if there is none.
  ///
  /// - Throws: `SQLiteError` or ``StoreError``; a file that is not a store, or is one of a later version, is left
  ///   untouched.
  init(
    _ path: String, site: String, identity: UUID, patience: StorePatience = StorePatience()
  ) throws {
    self.path = path
    self.site = Name.number(of: site)
    bell = nil
    connection = try SQLiteConnection(path, .samples, patience)
    // The log may grow to 64 MB before a checkpoint: random UUIDs change the same pages again and again.
    try connection.database.execute("PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000")
    try enter(site, identity)
  }

  /// Makes a store in memory, which ends with its engine.
  init(inMemoryOf site: String, identity: UUID) throws {
    path = ":memory:"
    self.site = Name.number(of: site)
    bell = MemoryBell()
    connection = try SQLiteConnection(inMemory: .samples)
    try enter(site, identity)
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
  func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try connection.prepare(sql) }

  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result { try connection.read(body) }

  func write<Result>(_ body: () throws -> Result) throws -> Result {
    let result = try connection.write(body)
    // Notifies the watches of all processes; see SQLiteWatch.
    if let bell { bell.ring() } else { unsafe _ = utimensat(AT_FDCWD, path, nil, 0) }
    return result
  }

  func wipe() throws { try connection.wipe() }

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
