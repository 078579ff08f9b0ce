import Glibc

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

  package func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result {
    try repeating(when: { $0.isConflict && mayRepeat() }) {
      try transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
    }
  }

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
