import Quantities

extension StoreEngine {
  /// The numbers of the owners in order of priority, highest first.
  func priorities() throws -> [Int64] {
    try driver.rows("SELECT owner FROM priorities WHERE site = ?1 ORDER BY place", [.integer(site)]) { $0.integer(0) }
  }

  /// Replaces the order of priority.
  func setPriorities(_ owners: [Int64]) throws {
    try driver.run("DELETE FROM priorities WHERE site = ?1", [.integer(site)])
    for (place, owner) in owners.enumerated() {
      try driver.run("INSERT INTO priorities VALUES (?1, ?2, ?3)", [.integer(site), .integer(place), .integer(owner)])
    }
  }

  /// The characteristics of a participant, by name.
  func characteristics(_ person: String) throws -> [String: String] {
    let values = try driver.rows(
      "SELECT name, value FROM characteristics WHERE site = ?1 AND person = ?2", [.integer(site), .text(person)]
    ) { ($0.word(0), $0.word(1)) }
    return Dictionary(values) { _, last in last }
  }

  /// Stores a characteristic; `nil` removes it.
  func set(_ characteristic: String, of person: String, to value: String?) throws {
    let key: [SQLValue] = [.integer(site), .text(person), .text(characteristic)]
    guard let value else {
      return try driver.run("DELETE FROM characteristics WHERE site = ?1 AND person = ?2 AND name = ?3", key)
    }
    try driver.run(
      "INSERT INTO characteristics VALUES (?1, ?2, ?3, ?4) "
        + "ON CONFLICT (site, person, name) DO UPDATE SET value = excluded.value", key + [.text(value)])
  }

  /// Whether a receipt exists.
  func hasReceipt(_ name: String) throws -> Bool {
    try driver.first("SELECT 1 FROM receipts WHERE site = ?1 AND name = ?2", [.integer(site), .text(name)]) { _ in }
      != nil
  }

  func addReceipt(_ name: String) throws {
    try driver.run("INSERT INTO receipts VALUES (?1, ?2) ON CONFLICT DO NOTHING", [.integer(site), .text(name)])
  }

  func removeReceipt(_ name: String) throws {
    try driver.run("DELETE FROM receipts WHERE site = ?1 AND name = ?2", [.integer(site), .text(name)])
  }

  /// All receipts.
  func receipts() throws -> [String] {
    try driver.rows("SELECT name FROM receipts WHERE site = ?1 ORDER BY name", [.integer(site)]) { $0.word(0) }
  }

  /// The number of samples of each type, the first start and the last start.
  func extents() throws -> [Int64: (count: Int, first: Int64, last: Int64)] {
    let extents = try driver.rows(
      "SELECT type, count(*), min(started), max(started) FROM samples WHERE site = ?1 GROUP BY type", [.integer(site)]
    ) { ($0.integer(0), (count: $0.number(1), first: $0.integer(2), last: $0.integer(3))) }
    return Dictionary(extents) { _, last in last }
  }

  /// All permissions.
  func grants() throws -> [(client: String, type: Int64, Grant)] {
    try driver.rows("SELECT client, type, share, read FROM grants WHERE site = ?1", [.integer(site)]) { row in
      (row.word(0), row.integer(1), Grant(share: row.integer(2), read: row.integer(3)))
    }
  }

  /// The permissions of a client, by type.
  func grants(_ client: String) throws -> [Int64: Grant] {
    let grants = try driver.rows(
      "SELECT type, share, read FROM grants WHERE site = ?1 AND client = ?2", [.integer(site), .text(client)]
    ) { ($0.integer(0), Grant(share: $0.integer(1), read: $0.integer(2))) }
    return Dictionary(grants) { _, last in last }
  }

  func set(_ grant: Grant, _ client: String, _ type: Int64) throws {
    try driver.run(
      "INSERT INTO grants VALUES (?1, ?2, ?3, ?4, ?5) "
        + "ON CONFLICT (site, client, type) DO UPDATE SET share = excluded.share, read = excluded.read",
      [.integer(site), .text(client), .integer(type), .integer(grant.share), .integer(grant.read)])
  }

  func add(_ entry: AuditRow) throws {
    try driver.run(
      "INSERT INTO audits VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      [
        .integer(site), .integer(entry.time), .uuid(entry.uuid), .text(entry.client), .text(entry.action),
        .integer(entry.type), .text(entry.outcome),
      ])
  }

  /// Passes the audit to `body`, oldest first, until it returns false.
  func audit(_ body: (AuditRow) throws -> Bool) throws {
    try driver.each(
      "SELECT time, uuid, client, action, type, outcome FROM audits WHERE site = ?1 ORDER BY time, uuid",
      [.integer(site)], isLarge: true
    ) { row in
      try body(
        AuditRow(
          uuid: row.uuid(1), time: row.integer(0), client: row.word(2), action: row.word(3), type: row.integer(4),
          outcome: row.word(5)))
    }
  }
}
