import Glibc
import Quantities

/// A store in a PostgreSQL database, which many stations can share.
///
/// Writers of one site are serialised: each begins by updating the site's row. A writer that had to wait gets SQLSTATE
/// 40001 from the server, since its snapshot may be out of date, and starts again.
final class PostgresEngine: StoreEngine {
  let address: PostgresAddress
  let site: Int64
  private var connection: PostgresConnection?
  private var cursors = 0
  private let patience: StorePatience

  /// How long a transaction is retried after conflicts.
  private static let patienceWithOthers = Duration.seconds(30)

  /// The number of rows fetched at a time.
  private static let page = 4096

  /// Opens a store, and creates it if there is none.
  ///
  /// - Throws: `PostgresError` or ``StoreError``; tables of a later version are left untouched.
  init(
    _ url: String, site: String, identity: UUID, patience: StorePatience = StorePatience(limit: .seconds(60))
  ) throws {
    address = try PostgresAddress(url)
    self.patience = patience
    self.site = Name.number(of: site)
    try repeating(when: { $0.isConflict || $0.isSameObject }, makeTables)
    try enter(site, identity)
  }

  private func makeTables() throws {
    let isMade = try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
      guard try runOnce(PostgresSchema.existence).integer(0, 0) > 0 else { return false }
      let version = try runOnce("SELECT max(version) FROM station.versions").integer(0, 0)
      guard version <= PostgresSchema.version else {
        throw StoreError(
          .databaseInaccessible,
          "cannot open the store “\(address.name)”: it was made by a newer station "
            + "(version \(version) of its tables; this one knows \(PostgresSchema.version)); use that station")
      }
      return true
    }
    if isMade { return }
    try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
      _ = try using { try $0.execute(PostgresSchema.statements) }
    }
  }

  private func enter(_ name: String, _ identity: UUID) throws {
    try repeating(when: \.isConflict) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
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
  }

  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try repeating(when: { $0.isConflict && mayRepeat() }) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }
  }

  func write<Result>(_ body: () throws -> Result) throws -> Result {
    try repeating(when: \.isConflict) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
        _ = try run("UPDATE station.stores SET change = change WHERE site = $1", [.integer(site)])
        let result = try body()
        try Task.checkCancellation()
        return result
      }
    }
  }

  /// Retries after conflicts with other processes, with a short delay.
  private func repeating<Result>(
    when mayBeRepeated: (PostgresError) -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now + Self.patienceWithOthers
    var longest: UInt32 = 500
    while true {
      do {
        return try body()
      } catch let error as PostgresError {
        guard mayBeRepeated(error), ContinuousClock.now < end else { throw error }
      }
      try Task.checkCancellation()
      // A random delay, in microseconds, keeps two writers from colliding again and again.
      usleep(.random(in: 0...longest))
      longest = min(longest * 2, 5_000)
    }
  }

  private func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try start(begin)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      let isLost = (error as? PostgresError)?.isLost ?? false
      do {
        if !isLost { try using { _ = try $0.execute("ROLLBACK", mayBeStopped: false) } }
      } catch {
        // The server rolls back the pending transaction when the connection is dropped.
        connection = nil
      }
      if isLost { connection = nil }
      throw error
    }
  }

  /// Begins a transaction, on a new connection if the server has dropped the previous one.
  private func start(_ begin: String) throws {
    if let connection {
      do {
        try connection.execute(begin)
        return
      } catch {
        guard error.isLost else { throw error }
        self.connection = nil
      }
    }
    let connection = try PostgresConnection(address, patience)
    try connection.execute(begin)
    self.connection = connection
  }

  private func commit() throws {
    let answer: PostgresResult
    do {
      answer = try using { try $0.execute("COMMIT", mayBeStopped: false) }
    } catch let error as PostgresError {
      guard error.isLost else { throw error }
      throw PostgresError(
        action: error.action, statement: "COMMIT", state: PostgresError.unknownOutcome, reason: error.reason)
    }
    // After a refused statement, COMMIT rolls the transaction back and reports ROLLBACK.
    guard answer.command == "COMMIT" else {
      throw PostgresError(
        action: "use the store “\(address.name)”", statement: "COMMIT", state: "25P02",
        reason: "the server has answered \(answer.command)")
    }
  }

  private func using<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    guard let connection else {
      throw PostgresError(
        action: "use the store “\(address.name)”", state: PostgresError.lostConnection, reason: "no connection")
    }
    return try body(connection)
  }

  /// Runs a statement, which the server keeps prepared.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresResult {
    try using { try $0.run(sql, values) }
  }

  private func runOnce(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresResult {
    try using { try $0.runOnce(sql, values) }
  }

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
    _ = try runOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values)
    pages: while true {
      let rows = try runOnce("FETCH \(Self.page) FROM \(name)")
      for row in 0..<rows.count {
        guard try body(rows, row) else { break pages }
      }
      try Task.checkCancellation()
      if rows.count < Self.page { break }
    }
    _ = try runOnce("CLOSE \(name)")
  }

  func makeWatch() -> any StoreWatch { PostgresWatch(address, site: site) }

  func identity() throws -> UUID {
    let rows = try run("SELECT identity FROM station.stores WHERE site = $1", [.integer(site)])
    return rows.count > 0 ? rows.uuid(0, 0) : UUID(high: 0, low: 0)
  }
}
