import CSQLite
import Quantities

/// The one place from which an engine is called, on an executor of its own.
actor StoreCore {
  private let executor = QueueExecutor(label: "station.store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  let engine: any StoreEngine
  var registry = Registry()
  let now: @Sendable () -> WallTime
  let makeUUID: @Sendable () -> UUID

  init(
    now: @escaping @Sendable () -> WallTime, makeUUID: @escaping @Sendable () -> UUID,
    _ open: @Sendable () throws -> any StoreEngine
  ) throws {
    self.now = now
    self.makeUUID = makeUUID
    do { engine = try open() } catch { throw Self.translate(error) }
  }

  /// Reads one state of the store.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try Task.checkCancellation()
    do { return try engine.read(body) } catch { throw Self.translate(error) }
  }

  /// Writes everything or nothing.
  func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try Task.checkCancellation()
    do {
      return try engine.write(body)
    } catch {
      // Names that were added are gone with everything else.
      registry = Registry()
      throw Self.translate(error)
    }
  }

  /// What an engine's error means to whoever called.
  private static func translate(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    let advice: String
    switch error.kind {
    case SQLITE_INTERRUPT where Task.isCancelled, SQLITE_BUSY where Task.isCancelled: return CancellationError()
    case SQLITE_CORRUPT, SQLITE_NOTADB: advice = "it is damaged: keep a copy, and rebuild it from the bundles"
    case SQLITE_FULL: advice = "nothing of this was saved; make room on the disk"
    case SQLITE_BUSY: advice = "another process has been writing for long; try again"
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: advice = "see that this user may write the file and its folder"
    default: advice = "nothing was changed"
    }
    return StoreError.unusable(error, advice: advice)
  }
}
