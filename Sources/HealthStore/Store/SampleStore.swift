package import Basics
package import Quantities

/// Samples with HealthKit's semantics: saved all or none, queried, summed up, and shown to clients as far as they may see.
///
/// A store belongs to a site, such as one laboratory's station; several sites may share one database without seeing each
/// other's samples. What ``SampleStore/memory(site:now:makeUUID:)``, ``SampleStore/sqlite(_:site:now:makeUUID:patience:)`` and
/// ``SampleStore/postgres(_:site:now:makeUUID:patience:)`` return is the operator's view, which may do everything; ``asClient(_:)`` is the view of a program that needs leave.
///
/// Errors are ``StoreError`` with HealthKit's codes and texts, `QuantityError` for units that do not fit, and
/// `CancellationError` when the task was cancelled; what a failed call would have written is not there.
package struct SampleStore: Sendable {
  let core: StoreCore

  /// Who looks at the store; `nil` for its operator.
  package let client: String?

  /// A store in memory, gone with the process.
  ///
  /// - Parameters:
  ///   - site: whose samples these are.
  ///   - now: the calendar's time, for the audit.
  ///   - makeUUID: makes identifiers for the store itself and for the audit.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` for a site's name that no engine keeps.
  package static func memory(
    site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }
  ) throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    return SampleStore(
      core: try StoreCore(now: now, makeUUID: makeUUID) { MemoryEngine(identity: makeUUID()) }, client: nil)
  }

  /// A store in a SQLite file, which is made when it is missing; several processes may use it at once.
  ///
  /// - Parameters:
  ///   - path: the file; its folder exists.
  ///   - site: whose samples these are.
  ///   - now: the calendar's time, for the audit.
  ///   - makeUUID: makes identifiers for the store itself and for the audit.
  ///   - patience: how long another process is waited for.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` with ``StoreError/Code/databaseInaccessible`` for a file that is no store, is damaged, was made
  ///   by a newer station or cannot be written; the file stays as it is.
  package static func sqlite(
    _ path: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, patience: StorePatience = StorePatience()
  ) async throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    let core = try await QueueExecutor.run {
      try StoreCore(now: now, makeUUID: makeUUID) {
        try SQLiteEngine(path, site: site, identity: makeUUID(), patience: patience)
      }
    }
    return SampleStore(core: core, client: nil)
  }

  /// A store in a PostgreSQL database, whose tables are made when they are missing; many stations may use it at once.
  ///
  /// - Parameters:
  ///   - url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`, as libpq reads it; no message repeats a password.
  ///   - site: whose samples these are.
  ///   - now: the calendar's time, for the audit.
  ///   - makeUUID: makes identifiers for the store itself and for the audit.
  ///   - patience: how long a server that does not answer is waited for.
  /// - Returns: the operator's view of it.
  /// - Throws: ``StoreError`` with ``StoreError/Code/databaseInaccessible`` for a server that cannot be reached or does not
  ///   let this user in, and for tables of a newer station, which stay as they are. A connection that is lost later is
  ///   the same error, and the next call connects again.
  package static func postgres(
    _ url: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, patience: StorePatience = StorePatience(limit: .seconds(60))
  ) async throws -> SampleStore {
    try SampleRules.check(site, "the site's name")
    let core = try await QueueExecutor.run {
      try StoreCore(now: now, makeUUID: makeUUID) {
        try PostgresEngine(url, site: site, identity: makeUUID(), patience: patience)
      }
    }
    return SampleStore(core: core, client: nil)
  }

  /// Whether a text says where a server is, and is no file's path: a URL, or the names and values that libpq takes.
  package static func isServer(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

  /// Whether a text that says where a server is holds a password.
  package static func hasPassword(_ text: String) -> Bool { PostgresAddress.hasPassword(text) }

  /// The store as a client sees it, which saves and deletes its own samples and reads others' as far as it was allowed.
  ///
  /// - Parameter identifier: the client's name, which is the bundle identifier of the samples that it writes.
  /// - Returns: its view.
  /// - Throws: ``StoreError`` for a name that no engine keeps, and when a client asks for another's view.
  package func asClient(_ identifier: String) throws -> SampleStore {
    try SampleRules.check(identifier, "the client's identifier")
    guard client == nil || client == identifier else { throw StoreError.denied }
    return SampleStore(core: core, client: identifier)
  }

  /// Closes the store, and returns when what it had open is closed; later calls are refused.
  ///
  /// A store without references closes itself as well, a moment later and unwaited for.
  ///
  /// - Throws: ``StoreError`` when it is a client's view.
  package func close() async throws {
    try requireOperator()
    await core.close()
  }

  /// Refuses clients what is the operator's.
  func requireOperator() throws(StoreError) {
    guard client == nil else { throw .denied }
  }
}

extension SampleStore {
  /// Saves samples and series of heartbeats, all or none.
  ///
  /// A sample that the store holds already is left alone, so that saving again does no harm. One with a sync identifier
  /// replaces the sample of the same identifier, type and source with a smaller sync version, and is ignored when the store
  /// holds the same version or a greater one.
  ///
  /// - Parameters:
  ///   - samples: samples; a million at once take the memory of a few thousand beside their own.
  ///   - series: series of heartbeats.
  ///   - receipt: a name for all this, such as a bundle's: whatever was saved under a name is never looked at again.
  ///   - policy: what is done with a sample whose UUID another sample in the store has.
  /// - Returns: what became of them.
  /// - Throws: ``StoreError``: not authorized (4) or not determined (5) for a client; an invalid argument (3) for a UUID that
  ///   another sample has, for a sample longer than four days, for names above 1024 bytes and for a client's sample of
  ///   another source.
  @discardableResult
  package func save(
    _ samples: [QuantitySample], series: [HeartbeatSeries] = [], receipt: String? = nil,
    whenPresent policy: PresentPolicy = .refuse
  ) async throws -> SaveReport {
    try await core.save(samples, series, receipt: receipt, whenPresent: policy, client: client)
  }

  /// Saves what a source gives piece by piece, all or none; the operator's.
  ///
  /// However much there is, only a piece of it is in memory.
  ///
  /// - Parameters:
  ///   - receipt: a name for all this; whatever was saved under a name is never looked at again, and its source not opened.
  ///   - policy: what is done with a sample whose UUID another sample in the store has.
  ///   - open: opens the source. It and the source run while the store is held, and it is called again where the engine
  ///     has to begin again. When one of them throws, nothing is saved.
  /// - Returns: what became of the samples.
  /// - Throws: as ``save(_:series:receipt:whenPresent:)`` does, and what `open` and the source throw.
  @discardableResult
  package func save(
    receipt: String?, whenPresent policy: PresentPolicy = .refuse,
    from open: @escaping @Sendable () throws -> SampleSource
  ) async throws -> SaveReport {
    try requireOperator()
    return try await core.save(receipt: receipt, whenPresent: policy, from: open)
  }

  /// Whether something was saved under this receipt.
  package func hasReceipt(_ receipt: String) async throws -> Bool {
    try requireOperator()
    return try await core.hasReceipt(receipt)
  }

  /// The receipts of everything that was saved under one; the operator's.
  package func receipts() async throws -> Set<String> {
    try requireOperator()
    return try await core.receipts()
  }

  /// Deletes samples by their identifiers, all or none; a client deletes what it has written itself.
  ///
  /// - Parameters:
  ///   - uuids: the samples.
  ///   - receipts: receipts that are forgotten with them, so that the same may be saved under these again; the operator's.
  /// - Throws: ``StoreError`` with ``StoreError/Code/invalidArgument`` when one of the samples is not there.
  package func delete(_ uuids: Set<UUID>, forgetting receipts: Set<String> = []) async throws {
    try await core.delete(uuids, forgetting: receipts, client: client)
  }

  /// Deletes the samples of a type that match; a client deletes what it has written itself.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package func delete(_ type: SampleType, matching predicate: SamplePredicate) async throws -> Int {
    try await core.delete(type, predicate, client: client)
  }
}

extension SampleStore {
  /// The samples that match.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - predicate: which samples.
  ///   - order: how they are sorted; equal ones by start, end and UUID.
  ///   - limit: how many at most; 0 for all, as HealthKit's `HKObjectQueryNoLimit`.
  /// - Returns: the samples.
  /// - Throws: ``StoreError``, and `QuantityError` for a comparison with a quantity that the type is not measured in.
  package func samples(
    of type: QuantityType, matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate,
    limit: Int = 0
  ) async throws -> [QuantitySample] {
    try await core.samples(type, predicate, order, limit: limit, client: client)
  }

  /// Gives the samples that match one after the other, for more of them than fit into memory.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - predicate: which samples.
  ///   - order: how they are sorted; only by start they need no room for sorting.
  ///   - limit: how many at most; 0 for all.
  ///   - body: takes a sample and says whether it wants another. It runs while the store is held: it must not wait for it.
  /// - Throws: what ``samples(of:matching:sortedBy:limit:)`` throws, and what `body` throws.
  package func forEachSample(
    of type: QuantityType, matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate,
    limit: Int = 0, _ body: @escaping @Sendable (QuantitySample) throws -> Bool
  ) async throws {
    try await core.samples(type, predicate, order, limit: limit, client: client, body)
  }

  /// The sample that ends last of those that match; `nil` when none does.
  package func mostRecent(
    of type: QuantityType, matching predicate: SamplePredicate = .all
  ) async throws -> QuantitySample? {
    try await core.mostRecent(type, predicate, client: client)
  }

  /// The series of heartbeats that match; their metadata, source and range count as those of samples do.
  package func heartbeatSeries(
    matching predicate: SamplePredicate = .all, sortedBy order: SampleOrder = .startDate, limit: Int = 0
  ) async throws -> [HeartbeatSeries] {
    try await core.series(predicate, order, limit: limit, client: client)
  }

  /// The sources that have samples of a type.
  package func sources(of type: SampleType) async throws -> Set<Source> {
    try await core.sources(of: type, client: client)
  }

  /// Every device that has measured a sample of the store; the operator's.
  package func devices() async throws -> Set<Device> {
    try requireOperator()
    return try await core.devices()
  }

  /// What the store holds of each type that it has samples of; it counts them all.
  package func contents() async throws -> [SampleType: StoreContents] {
    try requireOperator()
    return try await core.contents()
  }

  /// Every quantity type that the store has met, also user-defined ones.
  package func types() async throws -> [QuantityType] {
    try requireOperator()
    return try await core.types()
  }
}

extension SampleStore {
  /// What was added and deleted since an anchor; without one, everything.
  ///
  /// Keep the new anchor only after the changes have been taken in: then nothing is lost when the program stops in
  /// between, and something may come twice.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - anchor: where the last query ended.
  ///   - predicate: which samples. Of deleted ones only the range, the source and the UUID are still known, so that some may
  ///     be told that would not have matched.
  ///   - limit: how many samples and deletions at most; 0 for all.
  /// - Returns: the changes, and the anchor from which to go on.
  /// - Throws: ``StoreError``, also for an anchor of another store.
  package func changes(
    of type: QuantityType, since anchor: QueryAnchor? = nil, matching predicate: SamplePredicate = .all, limit: Int = 0
  ) async throws -> SampleChanges<QuantitySample> {
    try await core.changes(type, since: anchor, predicate, limit: limit, client: client)
  }

  /// The same for series of heartbeats.
  package func heartbeatSeriesChanges(
    since anchor: QueryAnchor? = nil, matching predicate: SamplePredicate = .all, limit: Int = 0
  ) async throws -> SampleChanges<HeartbeatSeries> {
    try await core.seriesChanges(since: anchor, predicate, limit: limit, client: client)
  }

  /// Tells, from this call on, when samples of these types change, in whichever process; within 100 ms on one machine.
  package func updates(of types: Set<SampleType>) async throws -> SampleUpdates {
    // The watch comes first: what happens after the last change was read must not be missed.
    let watch = try await core.makeWatch()
    let known = try await core.lastChanges(types, client: client)
    return SampleUpdates(core: core, client: client, watch: watch, known: known)
  }
}

extension SampleStore {
  /// Decides what a client may do with a type; the operator's.
  package func authorize(_ client: String, for type: SampleType, _ authorization: Authorization) async throws {
    try requireOperator()
    try await core.authorize(client, type, authorization)
  }

  /// What was decided about a client and a type; the operator's, for a client may not know whether it may read.
  package func authorization(of client: String, for type: SampleType) async throws -> Authorization {
    try requireOperator()
    return try await core.authorization(client, type)
  }

  /// Everything that was decided, by client; the operator's.
  package func authorizations() async throws -> [String: [SampleType: Authorization]] {
    try requireOperator()
    return try await core.authorizations()
  }

  /// Whether the client may save samples of a type; the operator always may.
  package func authorizationStatus(for type: SampleType) async throws -> AuthorizationStatus {
    guard let client else { return .sharingAuthorized }
    return try await core.authorization(client, type).share
  }

  /// Whether anything of this has not been decided for the client.
  package func requestStatus(
    share: Set<SampleType>, read: Set<SampleType>
  ) async throws -> AuthorizationRequestStatus {
    guard let client else { return .unnecessary }
    for type in share where try await core.authorization(client, type).share == .notDetermined { return .shouldRequest }
    for type in read where try await core.authorization(client, type).read == .notDetermined { return .shouldRequest }
    return .unnecessary
  }

  /// What clients did and wanted to do, the oldest first; the operator's.
  package func audit() async throws -> [AuditEntry] {
    try requireOperator()
    return try await core.audit()
  }
}
