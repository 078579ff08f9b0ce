import Dispatch
package import Quantities

/// Runs statements on a database: in a SQLite file or in memory, or on a PostgreSQL server.
///
/// Statements are in the SQL that both engines share, with the parameters `?1`, `?2` and so on; what the engines do
/// differently is a requirement of its own. Calls block and come from one executor.
package protocol SQLDriver: AnyObject {
  /// Runs `body` on a consistent snapshot of the database.
  ///
  /// If the server requires a retry, `body` runs again, as long as `mayRepeat` confirms that no result has been passed
  /// on.
  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result

  /// Runs `body` in a transaction: commits its writes when it returns, rolls them back when it throws.
  ///
  /// After a conflict with another writer `body` runs again; the writes of the failed attempts are rolled back.
  func write<Result>(_ body: () throws -> Result) throws -> Result

  /// Runs a statement, and passes its rows to `body` until it returns false; `isLarge` if memory may not hold them all.
  func each(_ sql: String, _ values: [SQLValue], isLarge: Bool, _ body: (any SQLRow) throws -> Bool) throws

  /// Removes from the disk what was deleted, as far as that is this program's to do; outside of transactions.
  func wipe() throws

  /// Whether a transaction can begin to write before another one has ended.
  var hasParallelWriters: Bool { get }

  /// Adds samples under the change numbers after `change`, one each, as `StoreEngine` does.
  func add(_ rows: [SampleRow], site: Int64, after change: Int64) throws -> [Int]

  /// Creates a watch that reports possible changes of a site's samples by any process.
  func makeWatch(site: Int64) -> any StoreWatch

  /// Wakes the watches after a transaction has changed samples.
  func notify()
}

extension SQLDriver {
  /// Reads without passing anything on before `body` returns, so that it may always run again.
  package func read<Result>(_ body: () throws -> Result) throws -> Result { try read(mayRepeat: { true }, body) }

  /// Runs a statement without rows.
  package func run(_ sql: String, _ values: [SQLValue]) throws { try each(sql, values, isLarge: false) { _ in true } }

  /// Runs a statement, and reads its rows.
  package func rows<Row>(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Row) throws -> [Row] {
    var rows: [Row] = []
    try each(sql, values, isLarge: false) { row in
      rows.append(try read(row))
      return true
    }
    return rows
  }

  /// Runs a statement, and reads its first row; `nil` if it has none.
  func first<Row>(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws -> Row) throws -> Row? {
    var first: Row?
    try each(sql, values, isLarge: false) { row in
      first = try read(row)
      return false
    }
    return first
  }
}

/// A parameter of a statement.
package enum SQLValue {
  case text(String)
  case integer(Int64)
  case real(Double)
  case uuid(UUID)

  package static func integer(_ value: Int) -> Self { .integer(Int64(value)) }
}

/// The row that a statement is at, with columns from 0; it is valid until the next row.
package protocol SQLRow: AnyObject {
  /// An integer; 0 for NULL.
  func integer(_ column: Int32) -> Int64

  /// A floating-point number; 0 for NULL.
  func double(_ column: Int32) -> Double

  /// A text; `nil` for NULL.
  func text(_ column: Int32) -> String?

  /// Bytes; `nil` for NULL.
  func bytes(_ column: Int32) -> [UInt8]?

  /// A UUID; zeros for anything else.
  func uuid(_ column: Int32) -> UUID

  /// A sample, from `SampleRow.columns`; a requirement, because one call for each column would be slow.
  var sample: SampleRow { get }
}

extension SQLRow {
  /// A text; empty for none.
  package func word(_ column: Int32) -> String { text(column) ?? "" }

  /// A whole number.
  package func number(_ column: Int32) -> Int { Int(integer(column)) }
}

/// Waits for changes of a store.
package protocol StoreWatch: Sendable {
  /// Returns when the store may have changed since the last call, or when the watch is stopped.
  ///
  /// - Returns: `true` if the store may have changed; `false` once the watch is stopped.
  func wait() async -> Bool
  /// Stops the watch and ends every pending wait.
  func stop()
}

/// Runs an actor's work on its own queue, so that a blocking database call does not hold up other actors.
package final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a blocking operation off the cooperative pool, within the current task and its cancellation.
  package static func run<Result: Sendable>(_ work: @Sendable () throws -> Result) async throws -> Result {
    try await Errand().run(work)
  }

  private actor Errand {
    private let executor = QueueExecutor(label: "station.store.errand")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

extension String {
  /// Whether both are the same bytes, as databases compare them.
  ///
  /// Swift's `==` treats a precomposed “é” and a decomposed one as equal.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
  /// The beginning of a statement on one line, which identifies it in messages.
  var beginning: String {
    let words = split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    return words.count > 60 ? "\(words.prefix(60))…" : words
  }
}
