import Quantities

extension PostgresEngine {
  func names(_ kind: NameKind) throws -> [Int64: String] {
    let rows = try run(
      "SELECT number, name FROM station.names WHERE site = $1 AND kind = $2", [.integer(site), .integer(kind.rawValue)])
    var names: [Int64: String] = [:]
    for row in 0..<rows.count { names[rows.integer(row, 0)] = rows.text(row, 1) ?? "" }
    return names
  }

  func add(name: String, _ number: Int64, _ kind: NameKind) throws {
    try run(
      "INSERT INTO station.names VALUES ($1, $2, $3, $4)",
      [.integer(site), .integer(kind.rawValue), .integer(number), .text(name)])
  }

  func longest(_ type: Int64) throws -> Int64 {
    try number("SELECT longest FROM station.extents WHERE site = $1 AND type = $2", [.integer(type)])
  }

  func extend(_ type: Int64, to lasting: Int64) throws {
    try run(
      "INSERT INTO station.extents AS kept VALUES ($1, $2, $3) "
        + "ON CONFLICT (site, type) DO UPDATE SET longest = excluded.longest WHERE excluded.longest > kept.longest",
      [.integer(site), .integer(type), .integer(lasting)])
  }

  func takeChanges(_ count: Int) throws -> Int64 {
    try number(
      "UPDATE station.stores SET change = change + $2 WHERE site = $1 RETURNING change", [.integer(Int64(count))])
      - Int64(count)
  }

  func lastChange() throws -> Int64 { try number("SELECT change FROM station.stores WHERE site = $1", []) }

  func lastChange(of type: Int64) throws -> Int64 {
    max(
      try number("SELECT max(change) FROM station.samples WHERE site = $1 AND type = $2", [.integer(type)]),
      try number("SELECT max(change) FROM station.tombstones WHERE site = $1 AND type = $2", [.integer(type)]))
  }

  /// The number that a statement returns for this site and the values; 0 for no row.
  private func number(_ sql: String, _ values: [PostgresValue]) throws -> Int64 {
    let rows = try run(sql, [.integer(site)] + values)
    return rows.count > 0 ? rows.integer(0, 0) : 0
  }

  func add(_ rows: [SampleRow], after change: Int64) throws -> [Int] {
    let uuids = PostgresValue.uuids(rows.map(\.uuid))
    let first = change + 1
    let inserted = try run(
      "INSERT INTO station.samples SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) "
        + "ON CONFLICT DO NOTHING",
      [
        .integer(site), .integers(rows.map(\.type)), .integers(rows.map(\.start)), .integers(rows.map(\.lasting)),
        uuids,
        .reals(rows.map(\.value)), .integers(rows.map(\.source)), .integers(rows.map(\.device)),
        .texts(rows.map(\.metadata)), .byteStrings(rows.map(\.beats)),
        .integers(first..<(first + Int64(rows.count))),
      ])
    if try number("SELECT count(*) FROM (SELECT 1 FROM station.tombstones WHERE site = $1 LIMIT 1) AS found", []) > 0 {
      try run("DELETE FROM station.tombstones WHERE site = $1 AND uuid = ANY ($2)", [.integer(site), uuids])
    }
    guard inserted.changes < rows.count else { return [] }
    // A row that this call added has the change number that it was given.
    let kept = try run(
      "SELECT uuid, change FROM station.samples WHERE site = $1 AND uuid = ANY ($2)", [.integer(site), uuids])
    var changes: [UUID: Int64] = [:]
    for row in 0..<kept.count { changes[kept.uuid(row, 0)] = kept.integer(row, 1) }
    return rows.indices.filter { changes[rows[$0].uuid] != first + Int64($0) }
  }

  func row(_ uuid: UUID) throws -> SampleRow? {
    let rows = try run(
      "SELECT \(Self.columns) FROM station.samples WHERE site = $1 AND uuid = $2", [.integer(site), .uuid(uuid)])
    return rows.count > 0 ? Self.row(rows, 0) : nil
  }

  func remove(_ row: SampleRow, change: Int64, isErased: Bool) throws {
    try run(
      "DELETE FROM station.samples WHERE site = $1 AND type = $2 AND started = $3 AND lasting = $4 AND uuid = $5",
      [.integer(site), .integer(row.type), .integer(row.start), .integer(row.lasting), .uuid(row.uuid)])
    try run(
      "INSERT INTO station.tombstones VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        .integer(site), .integer(row.type), .integer(change), .uuid(row.uuid), .integer(isErased ? 0 : row.start),
        .integer(isErased ? 0 : row.lasting), .integer(row.source),
      ])
  }

  // The server's files, logs and backups are its administrator's.
  func wipe() throws {}

  func sync(_ key: SyncKey) throws -> (version: Double, uuid: UUID)? {
    let rows = try run(
      "SELECT version, uuid FROM station.syncs WHERE site = $1 AND type = $2 AND owner = $3 AND identifier = $4",
      values(key))
    return rows.count > 0 ? (rows.double(0, 0), rows.uuid(0, 1)) : nil
  }

  func setSync(_ key: SyncKey, version: Double, uuid: UUID) throws {
    try run(
      "INSERT INTO station.syncs VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (site, type, owner, identifier) "
        + "DO UPDATE SET version = excluded.version, uuid = excluded.uuid",
      values(key) + [.real(version), .uuid(uuid)])
  }

  private func values(_ key: SyncKey) -> [PostgresValue] {
    [.integer(site), .integer(key.type), .integer(key.owner), .text(key.identifier)]
  }

  func removeSync(of uuid: UUID) throws {
    try run("DELETE FROM station.syncs WHERE site = $1 AND uuid = $2", [.integer(site), .uuid(uuid)])
  }
}
