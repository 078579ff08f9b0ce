import Quantities

extension StoreEngine {
  /// All names of a kind.
  func names(_ kind: NameKind) throws -> [Int64: String] {
    let names = try driver.rows(
      "SELECT number, name FROM names WHERE site = ?1 AND kind = ?2", [.integer(site), .integer(kind.rawValue)]
    ) { ($0.integer(0), $0.word(1)) }
    return Dictionary(names) { _, last in last }
  }

  /// Adds a name under an unused number.
  func add(name: String, _ number: Int64, _ kind: NameKind) throws {
    try driver.run(
      "INSERT INTO names VALUES (?1, ?2, ?3, ?4)",
      [.integer(site), .integer(kind.rawValue), .integer(number), .text(name)])
  }

  /// The duration, in ticks, of the longest sample of a type that was ever stored.
  func longest(_ type: Int64) throws -> Int64 {
    try number("SELECT longest FROM extents WHERE site = ?1 AND type = ?2", .integer(type))
  }

  /// Records a longer duration.
  func extend(_ type: Int64, to lasting: Int64) throws {
    try driver.run(
      "INSERT INTO extents AS kept VALUES (?1, ?2, ?3) "
        + "ON CONFLICT (site, type) DO UPDATE SET longest = excluded.longest WHERE excluded.longest > kept.longest",
      [.integer(site), .integer(type), .integer(lasting)])
  }

  /// Allocates change numbers, and returns the last one allocated before.
  ///
  /// Later callers get higher numbers, and see the changes that were written under lower ones: the site's row is locked
  /// until the transaction ends.
  func takeChanges(_ count: Int) throws -> Int64 {
    try number("UPDATE stores SET change = change + ?2 WHERE site = ?1 RETURNING change", .integer(count))
      - Int64(count)
  }

  /// The last change number of the store; 0 before the first change.
  func lastChange() throws -> Int64 { try number("SELECT change FROM stores WHERE site = ?1") }

  /// The last change number of a type; 0 before the first change.
  func lastChange(of type: Int64) throws -> Int64 {
    max(
      try number("SELECT max(change) FROM samples WHERE site = ?1 AND type = ?2", .integer(type)),
      try number("SELECT max(change) FROM tombstones WHERE site = ?1 AND type = ?2", .integer(type)))
  }

  /// Adds rows under the change numbers after `change`, one each.
  ///
  /// Rows whose UUID exists already are not added; their indices are returned. A tombstone of the same UUID is removed.
  func add(_ rows: [SampleRow], after change: Int64) throws -> [Int] {
    try driver.add(rows, site: site, after: change)
  }

  /// The sample with a UUID.
  func row(_ uuid: UUID) throws -> SampleRow? {
    try driver.first(
      "SELECT \(SampleRow.columns) FROM samples WHERE site = ?1 AND uuid = ?2", [.integer(site), .uuid(uuid)]
    ) { $0.sample }
  }

  /// Deletes a stored sample, and leaves a tombstone; that of an erased one does not say when it was.
  func remove(_ row: SampleRow, change: Int64, isErased: Bool) throws {
    try driver.run(
      "DELETE FROM samples WHERE site = ?1 AND type = ?2 AND started = ?3 AND lasting = ?4 AND uuid = ?5",
      [.integer(site), .integer(row.type), .integer(row.start), .integer(row.lasting), .uuid(row.uuid)])
    try driver.run(
      "INSERT INTO tombstones VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      [
        .integer(site), .integer(row.type), .integer(change), .uuid(row.uuid),
        .integer(isErased ? 0 : row.start), .integer(isErased ? 0 : row.lasting), .integer(row.source),
      ])
  }

  /// The stored version of a sample with a sync identifier.
  func sync(_ key: SyncKey) throws -> (version: Double, uuid: UUID)? {
    try driver.first(
      "SELECT version, uuid FROM syncs WHERE site = ?1 AND type = ?2 AND owner = ?3 AND identifier = ?4", values(key)
    ) { ($0.double(0), $0.uuid(1)) }
  }

  /// Stores the version of a sample with a sync identifier.
  func setSync(_ key: SyncKey, version: Double, uuid: UUID) throws {
    try driver.run(
      "INSERT INTO syncs VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (site, type, owner, identifier) "
        + "DO UPDATE SET version = excluded.version, uuid = excluded.uuid",
      values(key) + [.real(version), .uuid(uuid)])
  }

  private func values(_ key: SyncKey) -> [SQLValue] {
    [.integer(site), .integer(key.type), .integer(key.owner), .text(key.identifier)]
  }

  /// Forgets the sync version of a sample.
  func removeSync(of uuid: UUID) throws {
    try driver.run("DELETE FROM syncs WHERE site = ?1 AND uuid = ?2", [.integer(site), .uuid(uuid)])
  }
}
