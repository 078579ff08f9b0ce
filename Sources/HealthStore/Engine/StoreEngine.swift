import Quantities

/// Keeps rows: in memory, in a SQLite file, in a server.
///
/// What rows mean is decided above it, once for all engines. Every key leads with the site and every identifier is made by the caller, so that a server can distribute the tables.
/// Calls block and come from one executor; those that change something come inside ``write(_:)``.
protocol StoreEngine: AnyObject {
  /// Runs `body` on one state of the store that no other writer changes.
  ///
  /// Where a server asks for it, `body` runs again, as long as `mayRepeat` says that nothing of it has been given away.
  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result

  /// Runs `body` and keeps everything that it writes, or nothing when it throws.
  ///
  /// Where another writer came in between, `body` may run several times; what it wrote before the last is not there.
  func write<Result>(_ body: () throws -> Result) throws -> Result

  /// Something that tells when the store may have changed, whichever process changed it.
  func makeWatch() throws -> any StoreWatch

  /// What tells this store from every other, also from one that is rebuilt at the same place.
  func identity() throws -> UUID

  /// All names of a kind.
  func names(_ kind: NameKind) throws -> [Int64: String]
  /// Adds a name whose number is not taken.
  func add(name: String, _ number: Int64, _ kind: NameKind) throws

  /// How long the longest sample of a type lasts that was ever kept, in ticks.
  func longest(_ type: Int64) throws -> Int64
  /// Takes a longer one into account.
  func extend(_ type: Int64, to lasting: Int64) throws

  /// Takes that many numbers for changes, and returns the last one taken before; whoever takes later gets higher ones, and
  /// sees what was written with lower ones.
  func takeChanges(_ count: Int) throws -> Int64
  /// The number of the last change of all; 0 before the first.
  func lastChange() throws -> Int64
  /// The number of the last change of a type; 0 before the first.
  func lastChange(of type: Int64) throws -> Int64

  /// Adds rows with the changes after `change`, one each; returns the places of those whose UUID is there already, which
  /// are not added. A tombstone of the same UUID goes.
  func add(_ rows: [SampleRow], after change: Int64) throws -> [Int]
  /// The sample with a UUID.
  func row(_ uuid: UUID) throws -> SampleRow?
  /// Removes a sample that is there, and leaves a tombstone.
  func remove(_ row: SampleRow, change: Int64) throws

  /// The kept version of a synchronised sample.
  func sync(_ key: SyncKey) throws -> (version: Double, uuid: UUID)?
  func setSync(_ key: SyncKey, version: Double, uuid: UUID) throws
  /// Forgets the version that a sample is.
  func removeSync(of uuid: UUID) throws

  /// Gives the samples of a scope in its order until `body` has had enough.
  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws
  /// Gives start, duration, value and source of the samples of a scope in the order of their starts.
  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws
  /// The next changes of a type, in their order.
  func changes(of type: Int64, after change: Int64, limit: Int) throws -> [(number: Int64, RowChange)]
  /// The numbers of the sources that have samples of a type.
  func sources(of type: Int64) throws -> [Int64]

  /// The names of the owners whose samples are believed before others', the first before all.
  func priorities() throws -> [Int64]
  func setPriorities(_ owners: [Int64]) throws

  /// What is known of a person that is no sample, by its name.
  func characteristics(_ person: String) throws -> [String: String]
  /// Keeps a characteristic, or forgets it.
  func set(_ characteristic: String, of person: String, to value: String?) throws

  /// Whether something has been taken in once and for all.
  func hasReceipt(_ name: String) throws -> Bool
  func addReceipt(_ name: String) throws
  func removeReceipt(_ name: String) throws
  /// Everything that has been taken in once and for all.
  func receipts() throws -> [String]

  /// How many samples of each type there are, the first start and the last start.
  func extents() throws -> [Int64: (count: Int, first: Int64, last: Int64)]

  /// Everything that was decided.
  func grants() throws -> [(client: String, type: Int64, Grant)]
  /// What a client was allowed.
  func grants(_ client: String) throws -> [Int64: Grant]
  func set(_ grant: Grant, _ client: String, _ type: Int64) throws
  func add(_ entry: AuditRow) throws
  /// The audit, oldest first.
  func audit(_ body: (AuditRow) throws -> Bool) throws
}

extension StoreEngine {
  /// Runs `body`, of which nothing is given away before it has ended.
  func read<Result>(_ body: () throws -> Result) throws -> Result { try read(mayRepeat: { true }, body) }
}

/// What one client may do with one type.
struct Grant: Hashable {
  var share: Int64
  var read: Int64
}

/// One line of the audit.
struct AuditRow: Hashable {
  var uuid: UUID
  /// When, in ticks.
  var time: Int64
  var client: String
  var action: String
  var type: Int64
  var outcome: String
}

/// Waits for changes of a store.
protocol StoreWatch: Sendable {
  /// Returns when the store may have changed since the last call, and at the latest when the watch is stopped.
  ///
  /// - Returns: whether it may have; `false` once the watch is stopped.
  func wait() async -> Bool
  /// Ends every waiting.
  func stop()
}
