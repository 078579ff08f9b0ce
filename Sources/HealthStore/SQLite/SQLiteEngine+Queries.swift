import CSQLite
import Quantities

extension SQLiteEngine {
  /// The columns of a row, in the order in which `row(_:)` reads them.
  static let columns = "uuid, type, started, lasting, value, source, device, metadata, beats"

  static func row(_ statement: SQLiteStatement) -> SampleRow {
    SampleRow(
      uuid: statement.uuid(0), type: statement.integer(1), start: statement.integer(2), lasting: statement.integer(3),
      value: statement.double(4), source: statement.integer(5), device: statement.integer(6),
      metadata: statement.text(7), beats: statement.isNull(8) ? nil : statement.bytes(8))
  }

  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws {
    guard let statement = try select(Self.columns, scope) else { return }
    defer { statement.reset() }
    while try statement.step() {
      guard try body(Self.row(statement)) else { return }
    }
  }

  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws {
    guard let statement = try select("started, lasting, value, source", scope) else { return }
    defer { statement.reset() }
    while try statement.step() {
      try body(statement.integer(0), statement.integer(1), statement.double(2), statement.integer(3))
    }
  }

  /// The SELECT statement for a scope; `nil` if no row can match.
  private func select(_ columns: String, _ scope: RowScope) throws -> SQLiteStatement? {
    guard let starts = scope.starts else { return nil }
    var conditions = ["site = ?1", "type = ?2", "started BETWEEN ?3 AND ?4"]
    if !scope.strictStart, !scope.strictEnd, scope.start != nil { conditions.append("started + lasting >= ?5") }
    if scope.strictStart, scope.start != nil { conditions.append("started >= ?5") }
    if scope.strictEnd {
      if scope.start != nil { conditions.append("started + lasting >= ?5") }
      if scope.end != nil { conditions.append("started + lasting < ?6") }
    }
    // Lists of our own integers, with no text that would need binding.
    if let sources = scope.sources { conditions.append("source IN (\(Self.list(sources)))") }
    if let devices = scope.devices { conditions.append("device IN (\(Self.list(devices)))") }
    for (place, condition) in scope.values.enumerated() {
      conditions.append("value \(condition.comparison.rawValue) ?\(7 + place)")
    }
    let sql =
      "SELECT \(columns) FROM samples WHERE \(conditions.joined(separator: " AND ")) ORDER BY "
      + Self.terms(scope.order) + (scope.limit.map { " LIMIT \($0)" } ?? "")
    let statement = try prepare(sql)
    statement.reset()
    try statement.bind(1, site)
    try statement.bind(2, scope.type)
    try statement.bind(3, starts.lowerBound)
    try statement.bind(4, starts.upperBound)
    if sql.contains("?5") { try statement.bind(5, scope.start) }
    if sql.contains("?6") { try statement.bind(6, scope.end) }
    for (place, condition) in scope.values.enumerated() { try statement.bind(Int32(7 + place), condition.value) }
    return statement
  }

  private static func list(_ numbers: Set<Int64>) -> String {
    numbers.sorted().map(String.init).joined(separator: ", ")
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
    let added = try prepare(
      "SELECT \(Self.columns), change FROM samples WHERE site = ?1 AND type = ?2 AND change > ?3 "
        + "ORDER BY change LIMIT ?4")
    let deleted = try prepare(
      "SELECT uuid, started, lasting, source, change FROM tombstones "
        + "WHERE site = ?1 AND type = ?2 AND change > ?3 ORDER BY change LIMIT ?4")
    for statement in [added, deleted] {
      try statement.bind(1, site)
      try statement.bind(2, type)
      try statement.bind(3, change)
      try statement.bind(4, Int64(limit))
    }
    var changes: [(number: Int64, RowChange)] = []
    while try added.step() { changes.append((added.integer(9), .added(Self.row(added)))) }
    while try deleted.step() {
      let tombstone = Tombstone(
        uuid: deleted.uuid(0), type: type, start: deleted.integer(1), lasting: deleted.integer(2),
        source: deleted.integer(3))
      changes.append((deleted.integer(4), .deleted(tombstone)))
    }
    return Array(changes.sorted { $0.number < $1.number }.prefix(limit))
  }

  func sources(of type: Int64) throws -> [Int64] {
    let statement = try prepare("SELECT DISTINCT source FROM samples WHERE site = ?1 AND type = ?2 ORDER BY source")
    try statement.bind(1, site)
    try statement.bind(2, type)
    var sources: [Int64] = []
    while try statement.step() { sources.append(statement.integer(0)) }
    return sources
  }
}
