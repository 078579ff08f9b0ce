import Quantities

extension PostgresSession: SQLDriver {
  /// The number of rows fetched at a time.
  private static let page = 4096

  package func each(_ sql: String, _ values: [SQLValue], isLarge: Bool, _ body: (any SQLRow) throws -> Bool) throws {
    let values = values.map { value -> PostgresValue in
      switch value {
      case .text(let text): .text(text)
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .uuid(let uuid): .uuid(uuid)
      }
    }
    guard isLarge else {
      _ = try PostgresRow(run(sql, values)).each(body)
      return
    }
    try runOnce("DECLARE page NO SCROLL CURSOR FOR \(sql)", values)
    while true {
      let page = PostgresRow(try runOnce("FETCH \(Self.page) FROM page"))
      guard try page.each(body) else { break }
      try Task.checkCancellation()
      if page.count < Self.page { break }
    }
    try runOnce("CLOSE page")
  }

  // The server's files, logs and backups are its administrator's.
  package func wipe() throws {}

  package var hasParallelWriters: Bool { true }

  /// Adds samples in one statement.
  package func add(_ rows: [SampleRow], site: Int64, after change: Int64) throws -> [Int] {
    let uuids = PostgresValue.uuids(rows.map(\.uuid))
    let first = change + 1
    let inserted = try run(
      "INSERT INTO samples SELECT ?1, * FROM unnest(?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING",
      [
        .integer(site), .integers(rows.map(\.type)), .integers(rows.map(\.start)), .integers(rows.map(\.lasting)),
        uuids,
        .reals(rows.map(\.value)), .integers(rows.map(\.source)), .integers(rows.map(\.device)),
        .texts(rows.map(\.metadata)), .byteStrings(rows.map(\.beats)),
        .integers(first..<(first + Int64(rows.count))),
      ])
    let tombstones = "SELECT count(*) FROM (SELECT 1 FROM tombstones WHERE site = ?1 LIMIT 1) AS found"
    if try run(tombstones, [.integer(site)]).integer(0, 0) > 0 {
      try run("DELETE FROM tombstones WHERE site = ?1 AND uuid = ANY (?2)", [.integer(site), uuids])
    }
    guard inserted.changes < rows.count else { return [] }
    // A row that this call added has the change number that it was given.
    let kept = try run("SELECT uuid, change FROM samples WHERE site = ?1 AND uuid = ANY (?2)", [.integer(site), uuids])
    var changes: [UUID: Int64] = [:]
    for row in 0..<kept.count { changes[kept.uuid(row, 0)] = kept.integer(row, 1) }
    return rows.indices.filter { changes[rows[$0].uuid] != first + Int64($0) }
  }

  package func makeWatch(site: Int64) -> any StoreWatch { PostgresWatch(address, site: site) }

  // A watch polls the server.
  package func notify() {}
}

/// The row of a result that is being read.
private final class PostgresRow: SQLRow {
  private let result: PostgresResult
  private var row = 0

  init(_ result: PostgresResult) { self.result = result }

  var count: Int { result.count }

  /// Passes each row to `body` until it returns false; returns whether it never did.
  func each(_ body: (any SQLRow) throws -> Bool) throws -> Bool {
    for row in 0..<result.count {
      self.row = row
      guard try body(self) else { return false }
    }
    return true
  }

  func integer(_ column: Int32) -> Int64 { result.integer(row, column) }
  func double(_ column: Int32) -> Double { result.double(row, column) }
  func text(_ column: Int32) -> String? { result.text(row, column) }
  func bytes(_ column: Int32) -> [UInt8]? { result.byteString(row, column) }
  func uuid(_ column: Int32) -> UUID { result.uuid(row, column) }
}
