package import Basics
package import Quantities

extension SampleStore {
  /// Replaces the store of a file: another one is made beside it, and takes its place when it is whole.
  ///
  /// At every instant there is a store, the old one or the new one, and no process can write into the old one meanwhile. The old
  /// one is kept beside the new one under another name.
  ///
  /// - Parameters:
  ///   - path: the file, which may be damaged, or be no store at all.
  ///   - site: whose samples these are.
  ///   - now: the calendar's time, for the audit.
  ///   - makeUUID: makes identifiers for the store itself and for the audit.
  ///   - fill: saves into the new store, which is closed when it returns. When it throws, the old store stays as it is.
  /// - Returns: the path of the old store; `nil` where there was none.
  /// - Throws: ``StoreError`` while anybody uses the store, and where the folder cannot be written; what `fill` throws.
  package static func replace(
    _ path: String, site: String = "station", now: @escaping @Sendable () -> WallTime = { .now },
    makeUUID: @escaping @Sendable () -> UUID = { UUID() }, _ fill: (SampleStore) async throws -> Void
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
        return try await QueueExecutor.run { try replacement.finish() }
      } catch {
        // Of two errors the first one tells more.
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
