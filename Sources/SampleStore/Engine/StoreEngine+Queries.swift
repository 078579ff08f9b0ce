import Quantities

extension StoreEngine {
  /// The number of rows that memory always holds.
  private static let page = 4096

  /// Passes the samples of a scope to `body`, in the scope's order, until it returns false.
  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws {
    try select(SampleRow.columns, scope) { row in try body(row.sample) }
  }

  /// Passes start, duration, value and source of the samples of a scope to `body`, ordered by start.
  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws {
    try select("started, lasting, value, source", scope) { row in
      try body(row.integer(0), row.integer(1), row.double(2), row.integer(3))
      return true
    }
  }

  private func select(_ columns: String, _ scope: RowScope, _ body: (any SQLRow) throws -> Bool) throws {
    // No row can match an empty range, nor an empty list, which PostgreSQL does not read.
    guard let starts = scope.starts, scope.sources?.isEmpty != true, scope.devices?.isEmpty != true else { return }
    var values: [SQLValue] = [
      .integer(site), .integer(scope.type), .integer(starts.lowerBound), .integer(starts.upperBound),
    ]
    var conditions = ["site = ?1", "type = ?2", "started BETWEEN ?3 AND ?4"]
    func require(_ term: String, _ value: SQLValue) {
      values.append(value)
      conditions.append("\(term) ?\(values.count)")
    }
    if let start = scope.start {
      if scope.strictStart { require("started >=", .integer(start)) }
      if scope.strictEnd || !scope.strictStart { require("started + lasting >=", .integer(start)) }
    }
    if let end = scope.end, scope.strictEnd { require("started + lasting <", .integer(end)) }
    // Lists of our own integers, with no text that would need a parameter.
    if let sources = scope.sources { conditions.append("source IN (\(Self.list(sources)))") }
    if let devices = scope.devices { conditions.append("device IN (\(Self.list(devices)))") }
    for condition in scope.values { require("value \(Self.sign(condition.comparison))", .real(condition.value)) }
    let sql =
      "SELECT \(columns) FROM samples WHERE \(conditions.joined(separator: " AND ")) ORDER BY "
      + Self.terms(scope.order) + (scope.limit.map { " LIMIT \($0)" } ?? "")
    try driver.each(sql, values, isLarge: scope.limit.map { $0 > Self.page } ?? true, body)
  }

  private static func list(_ numbers: Set<Int64>) -> String {
    numbers.sorted().map(String.init).joined(separator: ", ")
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

  /// The next changes of a type, in order of their numbers.
  func changes(of type: Int64, after change: Int64, limit: Int) throws -> [(number: Int64, RowChange)] {
    let values: [SQLValue] = [.integer(site), .integer(type), .integer(change), .integer(limit)]
    var changes: [(number: Int64, RowChange)] = []
    try driver.each(
      "SELECT \(SampleRow.columns), change FROM samples WHERE site = ?1 AND type = ?2 AND change > ?3 "
        + "ORDER BY change LIMIT ?4", values, isLarge: false
    ) { row in
      changes.append((row.integer(9), .added(row.sample)))
      return true
    }
    try driver.each(
      "SELECT uuid, started, lasting, source, change FROM tombstones "
        + "WHERE site = ?1 AND type = ?2 AND change > ?3 ORDER BY change LIMIT ?4", values, isLarge: false
    ) { row in
      let tombstone = Tombstone(
        uuid: row.uuid(0), type: type, start: row.integer(1), lasting: row.integer(2), source: row.integer(3))
      changes.append((row.integer(4), .deleted(tombstone)))
      return true
    }
    return Array(changes.sorted { $0.number < $1.number }.prefix(limit))
  }

  /// The numbers of the sources that have samples of a type.
  func sources(of type: Int64) throws -> [Int64] {
    try driver.rows(
      "SELECT DISTINCT source FROM samples WHERE site = ?1 AND type = ?2 ORDER BY source",
      [.integer(site), .integer(type)]
    ) { $0.integer(0) }
  }
}
