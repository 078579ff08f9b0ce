import Quantities

/// Stores rows: in a SQLite file or in memory, or on a PostgreSQL server.
///
/// The layer above gives rows their meaning, once for all engines. Every key begins with the site and the caller
/// creates every identifier, so that a server can distribute the tables. Calls block and come from one executor; calls
/// that change the store come inside ``write(_:)``.
protocol StoreEngine: AnyObject {
  /// Runs `body` on a consistent snapshot of the store.
  ///
  /// If the server requires a retry, `body` runs again, as long as `mayRepeat` confirms that no result has been passed
  /// on.
  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result

  /// Runs `body` in a transaction: commits its writes when it returns, rolls them back when it throws.
  ///
  /// After a conflict with another writer `body` runs again; the writes of the failed attempts are rolled back.
  func write<Result>(_ body: () throws -> Result) throws -> Result

  /// Creates a watch that reports possible changes of the store by any process.
  func makeWatch() throws -> any StoreWatch

  /// Identifies this store, also against one that is later rebuilt at the same path.
  func identity() throws -> UUID

  /// All names of a kind.
  func names(_ kind: NameKind) throws -> [Int64: String]
  /// Adds a name under an unused number.
  func add(name: String, _ number: Int64, _ kind: NameKind) throws

  /// The duration, in ticks, of the longest sample of a type that was ever stored.
  func longest(_ type: Int64) throws -> Int64
  /// Records a longer duration.
  func extend(_ type: Int64, to lasting: Int64) throws

  /// Allocates change numbers, and returns the last one allocated before.
  ///
  /// Later callers get higher numbers, and see the changes that were written under lower ones.
  func takeChanges(_ count: Int) throws -> Int64
  /// The last change number of the store; 0 before the first change.
  func lastChange() throws -> Int64
  /// The last change number of a type; 0 before the first change.
  func lastChange(of type: Int64) throws -> Int64

  /// Adds rows under the change numbers after `change`, one each.
  ///
  /// Rows whose UUID exists already are not added; their indices are returned. A tombstone of the same UUID is removed.
  func add(_ rows: [SampleRow], after change: Int64) throws -> [Int]
  /// The sample with a UUID.
  func row(_ uuid: UUID) throws -> SampleRow?
  /// Deletes a stored sample, and leaves a tombstone; that of an erased one does not say when it was.
  func remove(_ row: SampleRow, change: Int64, isErased: Bool) throws
  /// Removes from the disk what was deleted, as far as that is this program's to do; outside of transactions.
  func wipe() throws

  /// The stored version of a sample with a sync identifier.
  func sync(_ key: SyncKey) throws -> (version: Double, uuid: UUID)?
  func setSync(_ key: SyncKey, version: Double, uuid: UUID) throws
  /// Forgets the sync version of a sample.
  func removeSync(of uuid: UUID) throws

  /// Passes the samples of a scope to `body`, in the scope's order, until it returns false.
  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws
  /// Passes start, duration, value and source of the samples of a scope to `body`, ordered by start.
  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws
  /// The next changes of a type, in order of their numbers.
  func changes(of type: Int64, after change: Int64, limit: Int) throws -> [(number: Int64, RowChange)]
  /// The numbers of the sources that have samples of a type.
  func sources(of type: Int64) throws -> [Int64]

  /// The numbers of the owners in order of priority, highest first.
  func priorities() throws -> [Int64]
  func setPriorities(_ owners: [Int64]) throws

  /// The characteristics of a participant, by name.
  func characteristics(_ person: String) throws -> [String: String]
  /// Stores a characteristic; `nil` removes it.
  func set(_ characteristic: String, of person: String, to value: String?) throws

  /// Whether a receipt exists.
  func hasReceipt(_ name: String) throws -> Bool
  func addReceipt(_ name: String) throws
  func removeReceipt(_ name: String) throws
  /// All receipts.
  func receipts() throws -> [String]

  /// The number of samples of each type, the first start and the last start.
  func extents() throws -> [Int64: (count: Int, first: Int64, last: Int64)]

  /// All permissions.
  func grants() throws -> [(client: String, type: Int64, Grant)]
  /// The permissions of a client, by type.
  func grants(_ client: String) throws -> [Int64: Grant]
  func set(_ grant: Grant, _ client: String, _ type: Int64) throws
  func add(_ entry: AuditRow) throws
  /// The audit, oldest first.
  func audit(_ body: (AuditRow) throws -> Bool) throws
}

extension StoreEngine {
  /// Reads without passing anything on before `body` returns, so that it may always run again.
  func read<Result>(_ body: () throws -> Result) throws -> Result { try read(mayRepeat: { true }, body) }
}

/// The permissions of one client for one type.
struct Grant: Hashable {
  var share: Int64
  var read: Int64
}

/// An entry of the audit.
struct AuditRow: Hashable {
  var uuid: UUID
  /// The time in ticks.
  var time: Int64
  var client: String
  var action: String
  var type: Int64
  var outcome: String
}

/// Waits for changes of a store.
protocol StoreWatch: Sendable {
  /// Returns when the store may have changed since the last call, or when the watch is stopped.
  ///
  /// - Returns: `true` if the store may have changed; `false` once the watch is stopped.
  func wait() async -> Bool
  /// Stops the watch and ends every pending wait.
  func stop()
}
