import Glibc
import Quantities

/// Transactions on a PostgreSQL server with the tables of a schema, over a connection that is renewed when it is lost.
package final class PostgresSession {
  /// The server, without its password in messages.
  let address: PostgresAddress
  private let schema: PostgresSchema
  private let patience: StorePatience
  private var connection: PostgresConnection?

  /// How long a transaction is retried after conflicts.
  private static let patienceWithOthers = Duration.seconds(30)

  /// Connects, and makes the tables if there are none.
  ///
  /// - Parameters:
  ///   - url: the server's address.
  ///   - schema: the tables.
  ///   - patience: how long to wait for a server that does not respond.
  /// - Throws: `PostgresError` or ``StoreError``; tables of a later version are left untouched.
  package init(_ url: String, _ schema: PostgresSchema, _ patience: StorePatience) throws {
    address = try PostgresAddress(url)
    self.schema = schema
    self.patience = patience
    try repeating(when: { $0.isConflict || $0.isSameObject }, makeTables)
  }

  private func makeTables() throws {
    let isMade = try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
      guard try runOnce(schema.existence).integer(0, 0) > 0 else { return false }
      let version = try runOnce(schema.currentVersion).integer(0, 0)
      guard version <= schema.version else {
        throw StoreError(
          .databaseInaccessible,
          "cannot open the \(schema.contents.called(address.name)): it was made by a newer station "
            + "(version \(version) of its tables; this one knows \(schema.version)); use that station")
      }
      return true
    }
    if isMade { return }
    try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
      _ = try using { try $0.execute(schema.statements) }
    }
  }

  /// Runs a body that reads one state of the database; `mayRepeat` says whether the body can be run again after a conflict.
  package func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try repeating(when: { $0.isConflict && mayRepeat() }) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }
  }

  /// Runs a body in a transaction; one that the server rolled back because of others is run again.
  package func write<Result>(_ body: () throws -> Result) throws -> Result {
    try repeating(when: \.isConflict) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ") {
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
    let connection = try PostgresConnection(address, of: schema.contents, patience)
    try connection.execute(schema.path)
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
        action: error.action, statement: "COMMIT", state: PostgresError.unknownOutcome, reason: error.reason,
        contents: error.contents)
    }
    // After a refused statement, COMMIT rolls the transaction back and reports ROLLBACK.
    guard answer.command == "COMMIT" else {
      throw try using { $0.failure("COMMIT", "25P02", "the server has answered \(answer.command)") }
    }
  }

  private func using<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
    guard let connection else {
      throw PostgresError(
        action: "use the \(schema.contents.called(address.name))", state: PostgresError.lostConnection,
        reason: "no connection", contents: schema.contents)
    }
    return try body(connection)
  }

  /// Runs a statement, which the server keeps prepared.
  @discardableResult
  func run(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresResult {
    try using { try $0.run(sql, values) }
  }

  /// Runs a statement once, without preparing it.
  @discardableResult
  func runOnce(_ sql: String, _ values: [PostgresValue] = []) throws -> PostgresResult {
    try using { try $0.runOnce(sql, values) }
  }
}

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
