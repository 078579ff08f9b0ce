import CSQLite
import Quantities

extension SQLiteEngine {
  func names(_ kind: NameKind) throws -> [Int64: String] {
    let statement = try prepare("SELECT number, name FROM names WHERE site = ?1 AND kind = ?2")
    try statement.bind(1, site)
    try statement.bind(2, kind.rawValue)
    var names: [Int64: String] = [:]
    while try statement.step() { names[statement.integer(0)] = statement.text(1) ?? "" }
    return names
  }

  func add(name: String, _ number: Int64, _ kind: NameKind) throws {
    let statement = try prepare("INSERT INTO names VALUES (?1, ?2, ?3, ?4)")
    try statement.bind(1, site)
    try statement.bind(2, kind.rawValue)
    try statement.bind(3, number)
    try statement.bind(4, name)
    try statement.run()
  }

  func longest(_ type: Int64) throws -> Int64 {
    try number("SELECT longest FROM extents WHERE site = ?1 AND type = ?2", type)
  }

  func extend(_ type: Int64, to lasting: Int64) throws {
    let statement = try prepare(
      "INSERT INTO extents VALUES (?1, ?2, ?3) "
        + "ON CONFLICT (site, type) DO UPDATE SET longest = excluded.longest WHERE excluded.longest > longest")
    try statement.bind(1, site)
    try statement.bind(2, type)
    try statement.bind(3, lasting)
    try statement.run()
  }

  func takeChanges(_ count: Int) throws -> Int64 {
    // This locks the site's row until the transaction ends, so that change numbers become visible in order.
    let statement = try prepare("UPDATE stores SET change = change + ?2 WHERE site = ?1 RETURNING change")
    try statement.bind(1, site)
    try statement.bind(2, Int64(count))
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) - Int64(count) : 0
  }

  func lastChange() throws -> Int64 {
    let statement = try prepare("SELECT change FROM stores WHERE site = ?1")
    try statement.bind(1, site)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  func lastChange(of type: Int64) throws -> Int64 {
    max(
      try number("SELECT max(change) FROM samples WHERE site = ?1 AND type = ?2", type),
      try number("SELECT max(change) FROM tombstones WHERE site = ?1 AND type = ?2", type))
  }

  /// The number that a statement returns for this site and one value; 0 for no row.
  private func number(_ sql: String, _ value: Int64) throws -> Int64 {
    let statement = try prepare(sql)
    try statement.bind(1, site)
    try statement.bind(2, value)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  func add(_ rows: [SampleRow], after change: Int64) throws -> [Int] {
    let hasTombstones = try number("SELECT EXISTS (SELECT 1 FROM tombstones WHERE site = ?1 AND change <> ?2)", -1) != 0
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
      if connection.database.changes == 0 {
        present.append(place)
      } else if hasTombstones {
        try tombstone.bind(1, site)
        try tombstone.bind(2, row.uuid)
        try tombstone.run()
      }
    }
    return present.sorted()
  }

  func row(_ uuid: UUID) throws -> SampleRow? {
    let statement = try prepare("SELECT \(Self.columns) FROM samples WHERE site = ?1 AND uuid = ?2")
    try statement.bind(1, site)
    try statement.bind(2, uuid)
    defer { statement.reset() }
    return try statement.step() ? Self.row(statement) : nil
  }

  func remove(_ row: SampleRow, change: Int64, isErased: Bool) throws {
    let delete = try prepare(
      "DELETE FROM samples WHERE site = ?1 AND type = ?2 AND started = ?3 AND lasting = ?4 AND uuid = ?5")
    let insert = try prepare("INSERT INTO tombstones VALUES (?1, ?2, ?6, ?5, ?3, ?4, ?7)")
    for statement in [delete, insert] {
      try statement.bind(1, site)
      try statement.bind(2, row.type)
      try statement.bind(3, row.start)
      try statement.bind(4, row.lasting)
      try statement.bind(5, row.uuid)
    }
    try delete.run()
    if isErased {
      try insert.bind(3, Int64(0))
      try insert.bind(4, Int64(0))
    }
    try insert.bind(6, change)
    try insert.bind(7, row.source)
    try insert.run()
  }

  func sync(_ key: SyncKey) throws -> (version: Double, uuid: UUID)? {
    let statement = try prepare(
      "SELECT version, uuid FROM syncs WHERE site = ?1 AND type = ?2 AND owner = ?3 AND identifier = ?4")
    try bind(statement, key)
    defer { statement.reset() }
    return try statement.step() ? (statement.double(0), statement.uuid(1)) : nil
  }

  func setSync(_ key: SyncKey, version: Double, uuid: UUID) throws {
    let statement = try prepare(
      "INSERT INTO syncs VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (site, type, owner, identifier) "
        + "DO UPDATE SET version = excluded.version, uuid = excluded.uuid")
    try bind(statement, key)
    try statement.bind(5, version)
    try statement.bind(6, uuid)
    try statement.run()
  }

  private func bind(_ statement: SQLiteStatement, _ key: SyncKey) throws(SQLiteError) {
    try statement.bind(1, site)
    try statement.bind(2, key.type)
    try statement.bind(3, key.owner)
    try statement.bind(4, key.identifier)
  }

  func removeSync(of uuid: UUID) throws {
    let statement = try prepare("DELETE FROM syncs WHERE site = ?1 AND uuid = ?2")
    try statement.bind(1, site)
    try statement.bind(2, uuid)
    try statement.run()
  }
}
