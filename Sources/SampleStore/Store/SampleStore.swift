package import Basics
package import Quantities
import Synchronization

/// A sample database with HealthKit's semantics: atomic saves, queries, statistics, and clients with permissions.
///
/// A store belongs to a site, such as one laboratory's station; several sites may share one database without seeing
/// each other's samples. `SampleStore.memory(site:now:makeUUID:)`,
/// ``SampleStore/sqlite(_:site:now:makeUUID:patience:)`` and ``SampleStore/postgres(_:site:now:makeUUID:patience:)``
/// return the operator's view, which has every permission; ``asClient(_:)`` returns the view of a program that needs
/// permissions.
///
/// Errors are ``StoreError`` with HealthKit's codes and texts, `QuantityError` for incompatible units, and
/// `CancellationError` if the task was cancelled; a failed call leaves no partial writes.
package struct SampleStore: Sendable {
  let core: StoreCore

  /// The client of this view; `nil` for the operator's view.
  package let client: String?

  /// Creates a store in memory, which ends with the process.
  ///
  /// - Parameters:
  ///   - site: the site that the samples belong to.
  ///   - now: the wall clock, for the audit.
  ///   - makeUUID: creates identifiers for the store itself and for the audit.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` for an invalid site name.
  static func memory(
    site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }
  ) throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    return SampleStore(
      core: try StoreCore(now: now, makeUUID: makeUUID) {
        try StoreEngine(SQLiteConnection(inMemory: .samples), site: site, identity: makeUUID())
      }, client: nil)
  }

  /// Opens a store in a SQLite file, creating it if missing; several processes can use it concurrently.
  ///
  /// - Parameters:
  ///   - path: the file; its folder has to exist.
  ///   - site: the site that the samples belong to.
  ///   - now: the wall clock, for the audit.
  ///   - makeUUID: creates identifiers for the store itself and for the audit.
  ///   - patience: how long to wait for another process.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` with ``StoreError/Code/databaseInaccessible`` for a file that is not a store, is damaged,
  ///   was made by a newer station or cannot be written; the file is left untouched.
  package static func sqlite(
    _ path: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, patience: StorePatience = StorePatience()
  ) async throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    let core = try await QueueExecutor.run {
      try StoreCore(now: now, makeUUID: makeUUID) {
        try StoreEngine(SQLiteConnection.store(path, patience), site: site, identity: makeUUID())
      }
    }
    return SampleStore(core: core, client: nil)
  }

  /// Opens a store in a PostgreSQL database, creating its tables if missing; many stations can share it.
  ///
  /// - Parameters:
  ///   - url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq parses it; no message repeats a password.
  ///   - site: the site that the samples belong to.
  ///   - now: the wall clock, for the audit.
  ///   - makeUUID: creates identifiers for the store itself and for the audit.
  ///   - patience: how long to wait for a server that does not respond.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` with ``StoreError/Code/databaseInaccessible`` for a server that cannot be reached or
  ///   refuses this user, and for tables of a newer station, which are left untouched. Losing the connection later
  ///   throws the same error, and the next call reconnects.
  package static func postgres(
    _ url: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, patience: StorePatience = StorePatience(limit: .seconds(60))
  ) async throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    let core = try await QueueExecutor.run {
      try StoreCore(now: now, makeUUID: makeUUID) {
        try StoreEngine(PostgresSession(url, .samples, patience), site: site, identity: makeUUID())
      }
    }
    return SampleStore(core: core, client: nil)
  }

  /// Whether a text is a server address, as opposed to a file path: a URL, or libpq's names and values.
  package static func isServer(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

  /// Whether a server address contains a password.
  package static func hasPassword(_ text: String) -> Bool { PostgresAddress.hasPassword(text) }

  /// The view of a client, which saves and deletes its own samples, and reads others' samples as permitted.
  ///
  /// - Parameter identifier: the client's name, which is the bundle identifier of the samples that it writes.
  /// - Returns: the client's view.
  /// - Throws: ``StoreError`` for an invalid name, and if a client asks for another client's view.
  package func asClient(_ identifier: String) throws -> SampleStore {
    try SampleRules.check(identifier, "the client's identifier")
    guard client == nil || client == identifier else { throw StoreError.denied }
    return SampleStore(core: core, client: identifier)
  }

  /// Closes the store, and returns when its files and connections are closed; later calls are refused.
  ///
  /// A store without references closes itself too, a moment later and asynchronously.
  ///
  /// - Throws: ``StoreError`` for a client's view.
  package func close() async throws {
    try requireOperator()
    await core.close()
  }

  /// Throws in a client's view, for calls that are the operator's only.
  func requireOperator() throws(StoreError) {
    guard client == nil else { throw .denied }
  }
}

extension SampleStore {
  /// Saves samples and series of heartbeats atomically.
  ///
  /// A sample that the store already holds is skipped, so that saving again is harmless. A sample with a sync
  /// identifier replaces the sample of the same identifier, type and source that has a smaller sync version, and is
  /// ignored if the store holds the same version or a later one.
  ///
  /// - Parameters:
  ///   - samples: the samples; saving a million needs the additional memory of a few thousand only.
  ///   - series: the series of heartbeats.
  ///   - receipt: a name for this save, such as a bundle's: a second save under the same name is skipped.
  ///   - policy: what to do with a sample whose UUID belongs to a different sample in the store.
  /// - Returns: how many samples were added, replaced or skipped.
  /// - Throws: ``StoreError``: not authorized (4) or not determined (5) for a client; an invalid argument (3) for a
  ///   UUID of a different sample, for a sample longer than four days, for names above 1024 bytes and for a client's
  ///   sample of another source.
  @discardableResult
  package func save(
    _ samples: [QuantitySample], series: [HeartbeatSeries] = [], receipt: String? = nil,
    whenPresent policy: PresentPolicy = .refuse
  ) async throws -> SaveReport {
    try await core.save(samples, series, receipt: receipt, whenPresent: policy, client: client)
  }

  /// Saves the pieces that a source delivers, atomically; for the operator only.
  ///
  /// Only one piece at a time is in memory.
  ///
  /// - Parameters:
  ///   - receipt: a name for this save; a second save under the same name is skipped, and its source is not opened.
  ///   - policy: what to do with a sample whose UUID belongs to a different sample in the store.
  ///   - open: opens the source. The store is locked while it and the source run; it is called again if the engine has
  ///     to retry. If one of them throws, nothing is saved.
  /// - Returns: how many samples were added, replaced or skipped.
  /// - Throws: as ``save(_:series:receipt:whenPresent:)`` does, and what `open` and the source throw.
  @discardableResult
  package func save(
    receipt: String?, whenPresent policy: PresentPolicy = .refuse,
    from open: @escaping @Sendable () throws -> SampleSource
  ) async throws -> SaveReport {
    try requireOperator()
    return try await core.save(receipt: receipt, whenPresent: policy, from: open)
  }

  /// Whether a save under this receipt has been completed.
  package func hasReceipt(_ receipt: String) async throws -> Bool {
    try requireOperator()
    return try await core.hasReceipt(receipt)
  }

  /// The receipts of all completed saves; for the operator only.
  package func receipts() async throws -> Set<String> {
    try requireOperator()
    return try await core.receipts()
  }

  /// Deletes samples by UUID, atomically; a client can delete its own samples only.
  ///
  /// - Parameters:
  ///   - uuids: the samples.
  ///   - receipts: receipts to remove with them, so that the same data can be saved again; for the operator only.
  /// - Throws: ``StoreError`` with ``StoreError/Code/invalidArgument`` if one of the samples does not exist.
  package func delete(_ uuids: Set<UUID>, forgetting receipts: Set<String> = []) async throws {
    try await core.delete(uuids, forgetting: receipts, client: client)
  }

  /// Deletes the matching samples of a type; a client can delete its own samples only.
  ///
  /// - Returns: the number of deleted samples.
  @discardableResult
  package func delete(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    try await core.delete(type, predicate, client: client)
  }
}

extension SampleStore {
  /// The matching samples.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - predicate: the samples to select.
  ///   - order: the sort order; ties are broken by start, end and UUID.
  ///   - limit: the maximum number; 0 for no limit, as HealthKit's `HKObjectQueryNoLimit`.
  /// - Returns: the samples.
  /// - Throws: ``StoreError``, and `QuantityError` for a comparison in an incompatible unit.
  package func samples(
    of type: QuantityType, matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate,
    limit: Int = 0
  ) async throws -> [QuantitySample] {
    try await core.samples(type, predicate, order, limit: limit, client: client)
  }

  /// Passes on the matching samples one by one, for results that do not fit into memory.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - predicate: the samples to select.
  ///   - order: the sort order; only sorting by start needs no temporary storage.
  ///   - limit: the maximum number; 0 for no limit.
  ///   - body: receives a sample, and returns whether to continue. The store is locked while it runs: it must not wait
  ///     for the store.
  /// - Throws: what ``samples(of:matching:sortedBy:limit:)`` throws, and what `body` throws.
  package func forEachSample(
    of type: QuantityType, matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate,
    limit: Int = 0, _ body: @escaping @Sendable (QuantitySample) throws -> Bool
  ) async throws {
    try await core.samples(type, predicate, order, limit: limit, client: client, body)
  }

  /// The matching sample that ends last; `nil` if none matches.
  func mostRecent(
    of type: QuantityType, matching predicate: SamplePredicate = .all
  ) async throws -> QuantitySample? {
    try await core.mostRecent(type, predicate, client: client)
  }

  /// The matching series of heartbeats, selected by their metadata, source and range like samples.
  package func heartbeatSeries(
    matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate, limit: Int = 0
  ) async throws -> [HeartbeatSeries] {
    try await core.series(predicate, order, limit: limit, client: client)
  }

  /// The sources with samples of a type.
  package func sources(of type: SampleType) async throws -> Set<Source> {
    try await core.sources(of: type, client: client)
  }

  /// Every device that has measured a sample in the store; for the operator only.
  func devices() async throws -> Set<Device> {
    try requireOperator()
    return try await core.devices()
  }

  /// The number and the range of the samples of each type; this counts all samples.
  func contents() async throws -> [SampleType: StoreContents] {
    try requireOperator()
    return try await core.contents()
  }

  /// Every quantity type that the store has seen, including user-defined ones.
  package func types() async throws -> [QuantityType] {
    try requireOperator()
    return try await core.types()
  }
}

extension SampleStore {
  /// The samples added and deleted since an anchor; all of them without an anchor.
  ///
  /// Save the new anchor only after the changes have been processed: if the program stops in between, nothing is lost,
  /// but some changes may be delivered twice.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - anchor: the anchor of the previous query.
  ///   - predicate: the samples to select. Of deleted samples only the range, the source and the UUID are still known,
  ///     so that deletions of samples that did not match may be included.
  ///   - limit: the maximum number of samples and deletions; 0 for no limit.
  /// - Returns: the changes, and the anchor for the next query.
  /// - Throws: ``StoreError``, also for an anchor of another store.
  package func changes(
    of type: QuantityType, since anchor: QueryAnchor? = nil, matching predicate: SamplePredicate = .all, limit: Int = 0
  ) async throws -> SampleChanges<QuantitySample> {
    try await core.changes(type, since: anchor, predicate, limit: limit, client: client)
  }

  /// The series of heartbeats added and deleted since an anchor.
  package func heartbeatSeriesChanges(
    since anchor: QueryAnchor? = nil, matching predicate: SamplePredicate = .all, limit: Int = 0
  ) async throws -> SampleChanges<HeartbeatSeries> {
    try await core.seriesChanges(since: anchor, predicate, limit: limit, client: client)
  }

  /// Reports changes of these types from this call on, by any process; within 100 ms on one machine.
  package func updates(of types: Set<SampleType>) async throws -> SampleUpdates {
    // Create the watch first, so as not to miss changes after the last change was read.
    let watch = try await core.makeWatch()
    let known = try await core.lastChanges(types, client: client)
    return SampleUpdates(core: core, client: client, watch: watch, known: known)
  }
}

extension SampleStore {
  /// Sets a client's permissions for a type; for the operator only.
  package func authorize(_ client: String, for type: SampleType, _ authorization: Authorization) async throws {
    try requireOperator()
    try await core.authorize(client, type, authorization)
  }

  /// A client's permissions for a type; for the operator only, since a client may not know whether it may read.
  package func authorization(of client: String, for type: SampleType) async throws -> Authorization {
    try requireOperator()
    return try await core.authorization(client, type)
  }

  /// All permissions, by client; for the operator only.
  func authorizations() async throws -> [String: [SampleType: Authorization]] {
    try requireOperator()
    return try await core.authorizations()
  }

  /// Whether the client may save samples of a type; the operator always may.
  func authorizationStatus(for type: SampleType) async throws -> AuthorizationStatus {
    guard let client else { return .sharingAuthorized }
    return try await core.authorization(client, type).share
  }

  /// Refuses a client that may not save samples of a type, as saving would.
  ///
  /// - Throws: ``StoreError`` where it may not.
  package func requireLeave(toSave type: SampleType) async throws {
    switch try await authorizationStatus(for: type) {
    case .sharingAuthorized: break
    case .sharingDenied: throw StoreError.denied
    case .notDetermined: throw StoreError.notDetermined
    }
  }

  /// Whether any of these permissions is undecided for the client.
  func requestStatus(
    share: Set<SampleType>, read: Set<SampleType>
  ) async throws -> AuthorizationRequestStatus {
    guard let client else { return .unnecessary }
    for type in share where try await core.authorization(client, type).share == .notDetermined { return .shouldRequest }
    for type in read where try await core.authorization(client, type).read == .notDetermined { return .shouldRequest }
    return .unnecessary
  }

  /// The accesses and attempted accesses of clients, oldest first; for the operator only.
  package func audit() async throws -> [AuditEntry] {
    try requireOperator()
    return try await core.audit()
  }
}

extension SampleStore {
  /// How many samples of a type match.
  package func count(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    guard case .quantity(let quantity) = type else { return try await heartbeatSeries(matching: predicate).count }
    let count = Mutex(0)
    try await forEachSample(of: quantity, matching: predicate) { _ in
      count.withLock { $0 += 1 }
      return true
    }
    return count.withLock(\.self)
  }

  /// The UUIDs that are not in the store: the first three, and how many more.
  package func missing(_ uuids: Set<UUID>) async throws -> String {
    let missing = Mutex(uuids)
    let predicate = SamplePredicate(uuids: uuids)
    for type in try await types() {
      try await forEachSample(of: type, matching: predicate) { sample in
        missing.withLock { _ = $0.remove(sample.uuid) }
        return true
      }
    }
    let series = try await heartbeatSeries(matching: predicate).map(\.uuid)
    let rest = missing.withLock(\.self).subtracting(series).sorted()
    let more = rest.count > 3 ? " and \(rest.count - 3) more" : ""
    return rest.prefix(3).map { "\($0)" }.joined(separator: ", ") + more
  }
}
