import Basics
package import SampleStore

/// The bundles that wait to be sent, were refused, or have arrived: one row for each bundle and destination.
///
/// Each call is one transaction, on disk when it returns, whatever ends the process. Errors are `StoreError` and
/// `CancellationError`.
package actor Outbox {
  private let executor = QueueExecutor(label: "station.outbox")
  /// The queue on which the outbox waits for its file.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var connection: SQLiteConnection?

  private init(_ connection: sending SQLiteConnection) { self.connection = connection }

  // Closing the file checkpoints its log; on this executor no other task has to wait for that.
  isolated deinit { connection = nil }

  /// Opens the outbox in the file of a store, and creates what is missing.
  ///
  /// - Parameters:
  ///   - path: the store's file; its folder has to exist.
  ///   - patience: how long to wait for other processes.
  /// - Returns: the outbox.
  /// - Throws: `StoreError` for a file that is not a store, or was made by a newer station; it is left untouched.
  package static func open(_ path: String, patience: StorePatience = StorePatience()) async throws -> Outbox {
    try await QueueExecutor.run {
      do {
        let connection = try SQLiteConnection(path, .samples, patience)
        if try !connection.hasOutbox {
          try connection.write { try connection.database.execute(OutboxTables.statements) }
        }
        return Outbox(connection)
      } catch {
        throw StoreError.translate(error)
      }
    }
  }

  /// Opens the outbox in the file of a store; `nil` if nothing was ever added to one there.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - patience: how long to wait for other processes.
  /// - Returns: the outbox.
  /// - Throws: `StoreError` for a file that is not a store, or was made by a newer station.
  package static func openIfThere(_ path: String, patience: StorePatience = StorePatience()) async throws -> Outbox? {
    guard try Folder.find(path) else { return nil }
    return try await QueueExecutor.run {
      do {
        let connection = try SQLiteConnection(path, .samples, patience)
        return try connection.hasOutbox ? Outbox(connection) : nil
      } catch {
        throw StoreError.translate(error)
      }
    }
  }

  /// Closes the file; later calls are refused.
  package func close() { connection = nil }

  // MARK: Sending

  /// Adds bundles for a destination; those that are there already stay as they are.
  ///
  /// - Parameters:
  ///   - bundles: the trials' identifiers and the paths of their bundles.
  ///   - destination: the destination.
  ///   - now: the time.
  /// - Returns: how many were added.
  /// - Throws: the errors of every call.
  @discardableResult
  func add(
    _ bundles: [(trial: String, path: String)], for destination: OutboxDestination, at now: WallTime
  ) throws -> Int {
    try writing { connection in
      let insert = try connection.prepare(
        "INSERT INTO outbox VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?5, NULL, NULL, NULL, NULL, NULL) ON CONFLICT DO NOTHING")
      var added = 0
      for bundle in bundles {
        try insert.bind(destination)
        try insert.bind(3, bundle.trial)
        try insert.bind(4, bundle.path)
        try insert.bind(5, now.microseconds)
        try insert.run()
        added += connection.database.changes
      }
      return added
    }
  }

  /// Makes due what should not be put off any more: after the system's clock was set back, and when a person asks.
  ///
  /// What the destination itself asked for is respected.
  ///
  /// - Parameters:
  ///   - destination: the destination.
  ///   - now: the time.
  ///   - longest: the longest time that anything is put off.
  ///   - isAsked: whether a person asks to send now.
  /// - Throws: the errors of every call.
  func makeDue(
    _ destination: OutboxDestination, at now: WallTime, longest: Duration, isAsked: Bool
  ) throws {
    try writing { connection in
      let rows = try connection.prepare(
        """
        UPDATE outbox SET due = ?3 WHERE destination = ?1 AND form = ?2 AND state = 0 AND due > ?3
          AND (?5 OR tried > ?3 OR due > ?4)
        """)
      let holds = try connection.prepare(
        """
        DELETE FROM outbox_holds WHERE destination = ?1 AND form = ?2 AND (until > max(?3, ?4) OR ?5 AND NOT requested)
        """)
      for statement in [rows, holds] {
        try statement.bind(destination)
        try statement.bind(3, now.microseconds)
        try statement.bind(4, now.advanced(by: longest).microseconds)
        try statement.bind(5, Int64(isAsked ? 1 : 0))
        try statement.run()
      }
    }
  }

  /// The waiting bundle that is due first; `nil` if none waits.
  package func next(for destination: OutboxDestination) throws -> OutboxItem? {
    try reading { connection in
      let statement = try connection.prepare(
        """
        SELECT \(OutboxTables.columns) FROM outbox WHERE destination = ?1 AND form = ?2 AND state = 0
        ORDER BY due, trial LIMIT 1
        """)
      try statement.bind(destination)
      defer { statement.reset() }
      return try statement.step() ? statement.outboxItem : nil
    }
  }

  /// Until when a destination is left alone; `nil` if it answered at the last attempt.
  func hold(of destination: OutboxDestination) throws -> OutboxHold? {
    try reading { try $0.hold(of: destination) }
  }

  /// Records what became of an attempt: the bundle's row, and whether the destination answers.
  ///
  /// A row that was removed in the meantime remains removed.
  ///
  /// - Parameters:
  ///   - item: the row as it is now.
  ///   - hold: until when the destination is left alone; `nil` if it answers.
  /// - Throws: the errors of every call.
  func record(_ item: OutboxItem, hold: OutboxHold?) throws {
    try writing { connection in
      let update = try connection.prepare(
        """
        UPDATE outbox SET state = ?4, attempts = ?5, due = ?6, tried = ?7, problem = ?8, reason = ?9, confirmation = ?10,
          receipt = ?11 WHERE destination = ?1 AND form = ?2 AND trial = ?3
        """)
      try update.bind(item.key.destination)
      try update.bind(3, item.key.trial)
      try update.bind(4, Int64(item.state.rawValue))
      try update.bind(5, Int64(item.attempts))
      try update.bind(6, item.due.microseconds)
      try update.bind(7, item.tried?.microseconds)
      for (index, text) in zip(Int32(8)..., [item.problem, item.reason, item.confirmation, item.receipt]) {
        try update.bind(index, text)
      }
      try update.run()
      try connection.set(hold, of: item.key.destination)
    }
  }

  // MARK: Transactions

  /// Reads a consistent snapshot of the outbox.
  func reading<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try using { connection in try connection.read { try body(connection) } }
  }

  /// Writes in a transaction.
  func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try using { connection in try connection.write { try body(connection) } }
  }

  private func using<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try Task.checkCancellation()
    guard let connection else {
      throw StoreError(.databaseInaccessible, "the outbox has been closed; open it again")
    }
    do { return try body(connection) } catch { throw StoreError.translate(error) }
  }
}

extension SQLiteConnection {
  /// Whether the file has the tables of the outbox.
  fileprivate var hasOutbox: Bool {
    get throws { try database.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'outbox%'") >= 3 }
  }

  /// Until when a destination is left alone.
  fileprivate func hold(of destination: OutboxDestination) throws -> OutboxHold? {
    let statement = try prepare(
      "SELECT failures, until, requested FROM outbox_holds WHERE destination = ?1 AND form = ?2")
    try statement.bind(destination)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return OutboxHold(
      failures: Int(statement.integer(0)), until: WallTime(microseconds: statement.integer(1)),
      isRequested: statement.integer(2) != 0)
  }

  fileprivate func set(_ hold: OutboxHold?, of destination: OutboxDestination) throws {
    guard let hold else {
      let remove = try prepare("DELETE FROM outbox_holds WHERE destination = ?1 AND form = ?2")
      try remove.bind(destination)
      return try remove.run()
    }
    let insert = try prepare("INSERT OR REPLACE INTO outbox_holds VALUES (?1, ?2, ?3, ?4, ?5)")
    try insert.bind(destination)
    try insert.bind(3, Int64(hold.failures))
    try insert.bind(4, hold.until.microseconds)
    try insert.bind(5, Int64(hold.isRequested ? 1 : 0))
    try insert.run()
  }
}

extension SQLiteStatement {
  /// Binds a destination as the first two values.
  func bind(_ destination: OutboxDestination) throws(SQLiteError) {
    try bind(1, destination.address)
    try bind(2, destination.form)
  }

  /// The row of the outbox that the statement is at.
  var outboxItem: OutboxItem {
    let destination = OutboxDestination(address: text(0) ?? "", form: text(1) ?? "")
    var item = OutboxItem(
      key: OutboxItem.Key(destination: destination, trial: text(2) ?? ""), path: text(3) ?? "",
      queued: WallTime(microseconds: integer(6)))
    item.state = OutboxItem.State(rawValue: Int(integer(4))) ?? .parked
    item.attempts = Int(integer(5))
    item.due = WallTime(microseconds: integer(7))
    item.tried = isNull(8) ? nil : WallTime(microseconds: integer(8))
    (item.problem, item.reason, item.confirmation, item.receipt) = (text(9), text(10), text(11), text(12))
    return item
  }
}

extension Outbox {
  /// Copies the outbox of a store into the store that replaces it, as far as it can be read.
  ///
  /// What cannot be read is lost from the outbox alone: its bundles are added again by the next “station send”.
  ///
  /// - Parameters:
  ///   - old: the old store's file, which no process uses.
  ///   - new: the new store's file, which is closed.
  /// - Throws: `SQLiteError` and `StoreError` of the new store.
  static func copy(from old: String, to new: String) throws {
    guard Folder.exists(old), let source = try? SQLiteDatabase(old, .write),
      let rows = try? source.prepare("SELECT \(OutboxTables.columns) FROM outbox")
    else { return }
    let target = try SQLiteConnection(new, .samples, StorePatience())
    try target.write {
      try target.database.execute(OutboxTables.statements)
      let places = (1...OutboxTables.columnCount).map { "?\($0)" }.joined(separator: ", ")
      let insert = try target.prepare("INSERT OR REPLACE INTO outbox VALUES (\(places))")
      while (try? rows.step()) == true {
        try insert.bind(rows.outboxItem)
        try insert.run()
      }
    }
  }
}

extension SQLiteStatement {
  /// Binds all columns of a row.
  fileprivate func bind(_ item: OutboxItem) throws(SQLiteError) {
    try bind(item.key.destination)
    try bind(3, item.key.trial)
    try bind(4, item.path)
    try bind(5, Int64(item.state.rawValue))
    try bind(6, Int64(item.attempts))
    try bind(7, item.queued.microseconds)
    try bind(8, item.due.microseconds)
    try bind(9, item.tried?.microseconds)
    for (index, text) in zip(Int32(10)..., [item.problem, item.reason, item.confirmation, item.receipt]) {
      try bind(index, text)
    }
  }
}

/// The tables of the outbox, which lie in the file of a results folder's store.
///
/// They are made when the first bundle is added, so that a station that sends nothing does not have them; the version of the
/// store's own tables remains the same.
enum OutboxTables {
  static let statements = """
    CREATE TABLE IF NOT EXISTS outbox (
      destination TEXT NOT NULL, form TEXT NOT NULL, trial TEXT NOT NULL, path TEXT NOT NULL,
      state INTEGER NOT NULL, attempts INTEGER NOT NULL, queued INTEGER NOT NULL, due INTEGER NOT NULL,
      tried INTEGER, problem TEXT, reason TEXT, confirmation TEXT, receipt TEXT,
      PRIMARY KEY (destination, form, trial)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS outbox_due ON outbox (destination, form, state, due, trial);
    CREATE TABLE IF NOT EXISTS outbox_holds (
      destination TEXT NOT NULL, form TEXT NOT NULL, failures INTEGER NOT NULL, until INTEGER NOT NULL,
      requested INTEGER NOT NULL,
      PRIMARY KEY (destination, form)
    ) STRICT, WITHOUT ROWID
    """

  /// The columns of a row, in the order of reading and writing.
  static let columns =
    "destination, form, trial, path, state, attempts, queued, due, tried, problem, reason, confirmation, receipt"

  /// How many they are.
  static let columnCount = 13
}
