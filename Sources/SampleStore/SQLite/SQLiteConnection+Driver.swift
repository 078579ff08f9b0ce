import Glibc

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
