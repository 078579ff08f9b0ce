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
