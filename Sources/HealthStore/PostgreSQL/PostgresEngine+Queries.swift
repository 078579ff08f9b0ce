import Quantities

extension PostgresEngine {
  /// The columns of a row, in the order in which `row(_:_:)` reads them.
  static let columns = "uuid, type, started, lasting, value, source, device, metadata, beats"

  static func row(_ rows: PostgresResult, _ row: Int) -> SampleRow {
    SampleRow(
      uuid: rows.uuid(row, 0), type: rows.integer(row, 1), start: rows.integer(row, 2), lasting: rows.integer(row, 3),
      value: rows.double(row, 4), source: rows.integer(row, 5), device: rows.integer(row, 6),
      metadata: rows.text(row, 7), beats: rows.byteString(row, 8))
  }

  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws {
    guard let (sql, values) = Self.select(Self.columns, scope, site) else { return }
    try each(sql, values, limit: scope.limit) { rows, row in try body(Self.row(rows, row)) }
  }

  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws {
    guard let (sql, values) = Self.select("started, lasting, value, source", scope, site) else { return }
    try each(sql, values, limit: scope.limit) { rows, row in
      try body(rows.integer(row, 0), rows.integer(row, 1), rows.double(row, 2), rows.integer(row, 3))
      return true
    }
  }

  /// The SELECT statement for a scope and its values; `nil` if no row can match.
  private static func select(_ columns: String, _ scope: RowScope, _ site: Int64) -> (String, [PostgresValue])? {
    guard let starts = scope.starts else { return nil }
    var values: [PostgresValue] = [
      .integer(site), .integer(scope.type), .integer(starts.lowerBound), .integer(starts.upperBound),
    ]
    var conditions = ["site = $1", "type = $2", "started BETWEEN $3 AND $4"]
    func require(_ term: String, _ value: PostgresValue) {
      values.append(value)
      conditions.append("\(term) $\(values.count)")
    }
    let isStrict = scope.strictStart || scope.strictEnd
    if let start = scope.start {
      if scope.strictStart { require("started >=", .integer(start)) }
      if scope.strictEnd || !isStrict { require("started + lasting >=", .integer(start)) }
    }
    if let end = scope.end, scope.strictEnd { require("started + lasting <", .integer(end)) }
    if let sources = scope.sources { require("source = ANY", list: sources) }
    if let devices = scope.devices { require("device = ANY", list: devices) }
    func require(_ term: String, list: Set<Int64>) {
      values.append(.integers(list.sorted()))
      conditions.append("\(term) ($\(values.count))")
    }
    for condition in scope.values { require("value \(sign(condition.comparison))", .real(condition.value)) }
    let sql =
      "SELECT \(columns) FROM station.samples WHERE \(conditions.joined(separator: " AND ")) ORDER BY "
      + terms(scope.order) + (scope.limit.map { " LIMIT \($0)" } ?? "")
    return (sql, values)
  }

  private static func sign(_ comparison: Comparison) -> String {
    switch comparison {
    case .equal: "="
    case .unequal: "<>"
    case .less, .atMost, .atLeast, .more: comparison.rawValue
    }
  }

  private static func terms(_ order: RowScope.Order) -> String {
    switch order {
    case .start: "started, lasting, uuid"
    case .startDescending: "started DESC, lasting, uuid"
    case .end: "started + lasting, started, uuid"
    case .endDescending: "started + lasting DESC, started, uuid"
    }
  }

  func changes(of type: Int64, after change: Int64, limit: Int) throws -> [(number: Int64, RowChange)] {
    let values: [PostgresValue] = [.integer(site), .integer(type), .integer(change), .integer(Int64(limit))]
    let added = try run(
      "SELECT \(Self.columns), change FROM station.samples WHERE site = $1 AND type = $2 AND change > $3 "
        + "ORDER BY change LIMIT $4", values)
    let deleted = try run(
      "SELECT uuid, started, lasting, source, change FROM station.tombstones "
        + "WHERE site = $1 AND type = $2 AND change > $3 ORDER BY change LIMIT $4", values)
    var changes: [(number: Int64, RowChange)] = []
    for row in 0..<added.count { changes.append((added.integer(row, 9), .added(Self.row(added, row)))) }
    for row in 0..<deleted.count {
      let tombstone = Tombstone(
        uuid: deleted.uuid(row, 0), type: type, start: deleted.integer(row, 1), lasting: deleted.integer(row, 2),
        source: deleted.integer(row, 3))
      changes.append((deleted.integer(row, 4), .deleted(tombstone)))
    }
    return Array(changes.sorted { $0.number < $1.number }.prefix(limit))
  }

  func sources(of type: Int64) throws -> [Int64] {
    let rows = try run(
      "SELECT DISTINCT source FROM station.samples WHERE site = $1 AND type = $2 ORDER BY source",
      [.integer(site), .integer(type)])
    return (0..<rows.count).map { rows.integer($0, 0) }
  }
}
