package import Basics
package import Quantities

extension SampleStore {
  /// Replaces the store of a file: a new one is built beside it, and takes its place once complete.
  ///
  /// At every instant the path holds a complete store, the old one or the new one, and meanwhile no process can write
  /// to the old one. The old one is kept beside the new one under another name.
  ///
  /// - Parameters:
  ///   - path: the file, which may be damaged, or not a store.
  ///   - site: the site that the samples belong to.
  ///   - now: the wall clock, for the audit.
  ///   - makeUUID: creates identifiers for the store itself and for the audit.
  ///   - keep: copies what cannot be made from the bundles, such as the outbox; called with the paths of the old and the
  ///     new file while both are closed.
  ///   - fill: saves into the new store, which is closed when it returns. If it throws, the old store is left
  ///     untouched.
  /// - Returns: the path of the old store; `nil` if there was none.
  /// - Throws: ``StoreError`` while the store is in use, and if the folder is not writable; what `fill` throws.
  package static func replace(
    _ path: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    keeping keep: @escaping @Sendable (_ old: String, _ new: String) throws -> Void = { _, _ in },
    _ fill: (SampleStore) async throws -> Void
  ) async throws -> String? {
    do {
      let replacement = try await QueueExecutor.run { try SQLiteReplacement(path) }
      do {
        let store = try await sqlite(replacement.newPath, site: site, now: now, makeUUID: makeUUID)
        do {
          try await fill(store)
        } catch {
          try await store.close()
          throw error
        }
        try await store.close()
        return try await QueueExecutor.run {
          try keep(SQLiteFile.resolve(path), replacement.newPath)
          return try replacement.finish()
        }
      } catch {
        // Report the first error, not one of the cleanup.
        try? await QueueExecutor.run { try replacement.discard() }
        throw error
      }
    } catch let error as any EngineError {
      throw StoreError.unusable(error)
    } catch let error as FileError {
      throw SQLiteFile.refuse(path, "\(error)")
    }
  }
}

extension SampleStore {
  /// Removes a person's samples so that nothing but their number is left; for the operator only.
  ///
  /// Tombstones remain, so that programs that follow the store learn which samples they have to delete; they do not say
  /// when those were. In a file, nothing of what was removed is left.
  ///
  /// - Parameters:
  ///   - predicates: the samples; those that any of them selects.
  ///   - person: the code under which characteristics are removed; `nil` to keep them.
  ///   - receipts: the names under which samples were saved, to be forgotten.
  /// - Returns: how many samples were removed.
  /// - Throws: ``StoreError``; after one while the file is wiped, the call has to be repeated.
  package func withdraw(
    matching predicates: [SamplePredicate], person: String?, forgetting receipts: Set<String>
  ) async throws -> Int {
    try requireOperator()
    return try await core.withdraw(predicates, person: person, forgetting: receipts)
  }

  /// How many samples any of the predicates select.
  package func count(matching predicates: [SamplePredicate]) async throws -> Int {
    try requireOperator()
    return try await core.count(predicates)
  }
}

extension StoreCore {
  func withdraw(_ predicates: [SamplePredicate], person: String?, forgetting receipts: Set<String>) throws -> Int {
    let count = try writing {
      let rows = try rows(matching: predicates)
      for row in rows { try remove(row, isErased: true) }
      for receipt in receipts.sorted() { try engine.removeReceipt(receipt) }
      if let person {
        for name in try engine.characteristics(person).keys.sorted() { try engine.set(name, of: person, to: nil) }
      }
      return rows.count
    }
    do { try engine.wipe() } catch { throw StoreError.translate(error) }
    return count
  }

  func count(_ predicates: [SamplePredicate]) throws -> Int { try reading { try rows(matching: predicates).count } }

  /// The rows of all types that any of the predicates select, each once.
  private func rows(matching predicates: [SamplePredicate]) throws -> [SampleRow] {
    try registry.refresh(.type, engine)
    let types = registry.types.values.map(SampleType.quantity) + [.heartbeatSeries]
    var found: [UUID: SampleRow] = [:]
    for type in types {
      for predicate in predicates {
        try each(query(type, predicate, ownedBy: nil)) { row, _ in
          found[row.uuid] = row
          return true
        }
      }
    }
    return found.values.sorted { $0.uuid < $1.uuid }
  }
}
