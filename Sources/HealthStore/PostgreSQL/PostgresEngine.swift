import Quantities

/// A store in a PostgreSQL database, which many stations can share.
///
/// Writers of one site are serialised: each begins by updating the site's row. A writer that had to wait gets SQLSTATE
/// 40001 from the server, since its snapshot may be out of date, and starts again.
final class PostgresEngine: StoreEngine {
  let site: Int64
  private let session: PostgresSession
  private var cursors = 0

  /// The number of rows fetched at a time.
  private static let page = 4096

  /// Opens a store, and creates it if there is none.
  ///
  /// - Throws: `PostgresError` or ``StoreError``; tables of a later version are left untouched.
  init(
    _ url: String, site: String, identity: UUID, patience: StorePatience = StorePatience(limit: .seconds(60))
  ) throws {
    self.site = Name.number(of: site)
    session = try PostgresSession(url, .samples, patience)
    try enter(site, identity)
  }

  private func enter(_ name: String, _ identity: UUID) throws {
    try session.write {
      let rows = try run("SELECT name FROM station.stores WHERE site = $1", [.integer(site)])
      guard rows.count == 0 else {
        let known = rows.text(0, 0) ?? ""
        guard known == name else {
          throw StoreError(
            .invalidArgument, "the site “\(name)” cannot be distinguished from “\(known)”; rename one of them")
        }
        return
      }
      _ = try run(
        "INSERT INTO station.stores VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING",
        [.integer(site), .text(name), .uuid(identity)])
    }
  }

  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try session.read(mayRepeat: mayRepeat, body)
  }

  func write<Result>(_ body: () throws -> Result) throws -> Result {
    try session.write {
      _ = try run("UPDATE station.stores SET change = change WHERE site = $1", [.integer(site)])
      return try body()
    }
  }

  /// Runs a statement, which the server keeps prepared.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresResult { try session.run(sql, values) }

  /// Passes the rows of a query to `body` until it returns false; a limit has to be part of the query.
  func each(
    _ sql: String, _ values: [PostgresValue], limit: Int?, _ body: (PostgresResult, Int) throws -> Bool
  ) throws {
    if let limit, limit <= Self.page {
      let rows = try run(sql, values)
      for row in 0..<rows.count {
        guard try body(rows, row) else { return }
      }
      return
    }
    cursors += 1
    let name = "rows\(cursors)"
    _ = try session.runOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values)
    pages: while true {
      let rows = try session.runOnce("FETCH \(Self.page) FROM \(name)")
      for row in 0..<rows.count {
        guard try body(rows, row) else { break pages }
      }
      try Task.checkCancellation()
      if rows.count < Self.page { break }
    }
    _ = try session.runOnce("CLOSE \(name)")
  }

  func makeWatch() -> any StoreWatch { PostgresWatch(session.address, site: site) }

  func identity() throws -> UUID {
    let rows = try run("SELECT identity FROM station.stores WHERE site = $1", [.integer(site)])
    return rows.count > 0 ? rows.uuid(0, 0) : UUID(high: 0, low: 0)
  }
}
