import Quantities

extension SQLiteEngine {
  func priorities() throws -> [Int64] {
    let statement = try prepare("SELECT owner FROM priorities WHERE site = ?1 ORDER BY place")
    try statement.bind(1, site)
    var owners: [Int64] = []
    while try statement.step() { owners.append(statement.integer(0)) }
    return owners
  }

  func setPriorities(_ owners: [Int64]) throws {
    let delete = try prepare("DELETE FROM priorities WHERE site = ?1")
    try delete.bind(1, site)
    try delete.run()
    let insert = try prepare("INSERT INTO priorities VALUES (?1, ?2, ?3)")
    for (place, owner) in owners.enumerated() {
      try insert.bind(1, site)
      try insert.bind(2, Int64(place))
      try insert.bind(3, owner)
      try insert.run()
    }
  }

  func characteristics(_ person: String) throws -> [String: String] {
    let statement = try prepare("SELECT name, value FROM characteristics WHERE site = ?1 AND person = ?2")
    try statement.bind(1, site)
    try statement.bind(2, person)
    var values: [String: String] = [:]
    while try statement.step() { values[statement.text(0) ?? ""] = statement.text(1) }
    return values
  }

  func set(_ characteristic: String, of person: String, to value: String?) throws {
    let statement = try prepare(
      value == nil
        ? "DELETE FROM characteristics WHERE site = ?1 AND person = ?2 AND name = ?3"
        : "INSERT INTO characteristics VALUES (?1, ?2, ?3, ?4) "
          + "ON CONFLICT (site, person, name) DO UPDATE SET value = excluded.value")
    try statement.bind(1, site)
    try statement.bind(2, person)
    try statement.bind(3, characteristic)
    if let value { try statement.bind(4, value) }
    try statement.run()
  }

  func hasReceipt(_ name: String) throws -> Bool {
    let statement = try prepare("SELECT 1 FROM receipts WHERE site = ?1 AND name = ?2")
    try statement.bind(1, site)
    try statement.bind(2, name)
    defer { statement.reset() }
    return try statement.step()
  }

  func addReceipt(_ name: String) throws {
    let statement = try prepare("INSERT INTO receipts VALUES (?1, ?2) ON CONFLICT DO NOTHING")
    try statement.bind(1, site)
    try statement.bind(2, name)
    try statement.run()
  }

  func removeReceipt(_ name: String) throws {
    let statement = try prepare("DELETE FROM receipts WHERE site = ?1 AND name = ?2")
    try statement.bind(1, site)
    try statement.bind(2, name)
    try statement.run()
  }

  func receipts() throws -> [String] {
    let statement = try prepare("SELECT name FROM receipts WHERE site = ?1 ORDER BY name")
    try statement.bind(1, site)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }

  func extents() throws -> [Int64: (count: Int, first: Int64, last: Int64)] {
    let statement = try prepare(
      "SELECT type, count(*), min(started), max(started) FROM samples WHERE site = ?1 GROUP BY type")
    try statement.bind(1, site)
    var contents: [Int64: (count: Int, first: Int64, last: Int64)] = [:]
    while try statement.step() {
      contents[statement.integer(0)] = (Int(statement.integer(1)), statement.integer(2), statement.integer(3))
    }
    return contents
  }

  func grants() throws -> [(client: String, type: Int64, Grant)] {
    let statement = try prepare("SELECT client, type, share, read FROM grants WHERE site = ?1")
    try statement.bind(1, site)
    var grants: [(client: String, type: Int64, Grant)] = []
    while try statement.step() {
      let grant = Grant(share: statement.integer(2), read: statement.integer(3))
      grants.append((statement.text(0) ?? "", statement.integer(1), grant))
    }
    return grants
  }

  func grants(_ client: String) throws -> [Int64: Grant] {
    let statement = try prepare("SELECT type, share, read FROM grants WHERE site = ?1 AND client = ?2")
    try statement.bind(1, site)
    try statement.bind(2, client)
    var grants: [Int64: Grant] = [:]
    while try statement.step() {
      grants[statement.integer(0)] = Grant(share: statement.integer(1), read: statement.integer(2))
    }
    return grants
  }

  func set(_ grant: Grant, _ client: String, _ type: Int64) throws {
    let statement = try prepare(
      "INSERT INTO grants VALUES (?1, ?2, ?3, ?4, ?5) "
        + "ON CONFLICT (site, client, type) DO UPDATE SET share = excluded.share, read = excluded.read")
    try statement.bind(1, site)
    try statement.bind(2, client)
    try statement.bind(3, type)
    try statement.bind(4, grant.share)
    try statement.bind(5, grant.read)
    try statement.run()
  }

  func add(_ entry: AuditRow) throws {
    let statement = try prepare("INSERT INTO audits VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    try statement.bind(1, site)
    try statement.bind(2, entry.time)
    try statement.bind(3, entry.uuid)
    try statement.bind(4, entry.client)
    try statement.bind(5, entry.action)
    try statement.bind(6, entry.type)
    try statement.bind(7, entry.outcome)
    try statement.run()
  }

  func audit(_ body: (AuditRow) throws -> Bool) throws {
    let statement = try prepare(
      "SELECT time, uuid, client, action, type, outcome FROM audits WHERE site = ?1 ORDER BY time, uuid")
    try statement.bind(1, site)
    defer { statement.reset() }
    while try statement.step() {
      let entry = AuditRow(
        uuid: statement.uuid(1), time: statement.integer(0), client: statement.text(2) ?? "",
        action: statement.text(3) ?? "", type: statement.integer(4), outcome: statement.text(5) ?? "")
      guard try body(entry) else { return }
    }
  }
}
