import Quantities

extension PostgresEngine {
  func priorities() throws -> [Int64] {
    let rows = try run("SELECT owner FROM station.priorities WHERE site = $1 ORDER BY place", [.integer(site)])
    return (0..<rows.count).map { rows.integer($0, 0) }
  }

  func setPriorities(_ owners: [Int64]) throws {
    try run("DELETE FROM station.priorities WHERE site = $1", [.integer(site)])
    for (place, owner) in owners.enumerated() {
      try run(
        "INSERT INTO station.priorities VALUES ($1, $2, $3)", [.integer(site), .integer(Int64(place)), .integer(owner)])
    }
  }

  func characteristics(_ person: String) throws -> [String: String] {
    let rows = try run(
      "SELECT name, value FROM station.characteristics WHERE site = $1 AND person = $2",
      [.integer(site), .text(person)])
    var values: [String: String] = [:]
    for row in 0..<rows.count { values[rows.text(row, 0) ?? ""] = rows.text(row, 1) }
    return values
  }

  func set(_ characteristic: String, of person: String, to value: String?) throws {
    let key: [PostgresValue] = [.integer(site), .text(person), .text(characteristic)]
    guard let value else {
      try run("DELETE FROM station.characteristics WHERE site = $1 AND person = $2 AND name = $3", key)
      return
    }
    try run(
      "INSERT INTO station.characteristics VALUES ($1, $2, $3, $4) "
        + "ON CONFLICT (site, person, name) DO UPDATE SET value = excluded.value", key + [.text(value)])
  }

  func hasReceipt(_ name: String) throws -> Bool {
    try run("SELECT 1 FROM station.receipts WHERE site = $1 AND name = $2", [.integer(site), .text(name)]).count > 0
  }

  func addReceipt(_ name: String) throws {
    try run("INSERT INTO station.receipts VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(site), .text(name)])
  }

  func removeReceipt(_ name: String) throws {
    try run("DELETE FROM station.receipts WHERE site = $1 AND name = $2", [.integer(site), .text(name)])
  }

  func receipts() throws -> [String] {
    let rows = try run("SELECT name FROM station.receipts WHERE site = $1 ORDER BY name", [.integer(site)])
    return (0..<rows.count).map { rows.text($0, 0) ?? "" }
  }

  func extents() throws -> [Int64: (count: Int, first: Int64, last: Int64)] {
    let rows = try run(
      "SELECT type, count(*), min(started), max(started) FROM station.samples WHERE site = $1 GROUP BY type",
      [.integer(site)])
    var contents: [Int64: (count: Int, first: Int64, last: Int64)] = [:]
    for row in 0..<rows.count {
      contents[rows.integer(row, 0)] = (Int(rows.integer(row, 1)), rows.integer(row, 2), rows.integer(row, 3))
    }
    return contents
  }

  func grants() throws -> [(client: String, type: Int64, Grant)] {
    let rows = try run("SELECT client, type, share, read FROM station.grants WHERE site = $1", [.integer(site)])
    return (0..<rows.count).map { row in
      let grant = Grant(share: rows.integer(row, 2), read: rows.integer(row, 3))
      return (client: rows.text(row, 0) ?? "", type: rows.integer(row, 1), grant)
    }
  }

  func grants(_ client: String) throws -> [Int64: Grant] {
    let rows = try run(
      "SELECT type, share, read FROM station.grants WHERE site = $1 AND client = $2", [.integer(site), .text(client)])
    var grants: [Int64: Grant] = [:]
    for row in 0..<rows.count {
      grants[rows.integer(row, 0)] = Grant(share: rows.integer(row, 1), read: rows.integer(row, 2))
    }
    return grants
  }

  func set(_ grant: Grant, _ client: String, _ type: Int64) throws {
    try run(
      "INSERT INTO station.grants VALUES ($1, $2, $3, $4, $5) "
        + "ON CONFLICT (site, client, type) DO UPDATE SET share = excluded.share, read = excluded.read",
      [.integer(site), .text(client), .integer(type), .integer(grant.share), .integer(grant.read)])
  }

  func add(_ entry: AuditRow) throws {
    try run(
      "INSERT INTO station.audits VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        .integer(site), .integer(entry.time), .uuid(entry.uuid), .text(entry.client), .text(entry.action),
        .integer(entry.type), .text(entry.outcome),
      ])
  }

  func audit(_ body: (AuditRow) throws -> Bool) throws {
    try each(
      "SELECT time, uuid, client, action, type, outcome FROM station.audits WHERE site = $1 ORDER BY time, uuid",
      [.integer(site)], limit: nil
    ) { rows, row in
      try body(
        AuditRow(
          uuid: rows.uuid(row, 1), time: rows.integer(row, 0), client: rows.text(row, 2) ?? "",
          action: rows.text(row, 3) ?? "", type: rows.integer(row, 4), outcome: rows.text(row, 5) ?? ""))
    }
  }
}
