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
    var isRepeated = false
    do {
      return try engine.write {
        // Names that an attempt before this one has added are gone with it.
        if isRepeated { registry = Registry() }
        isRepeated = true
        return try body()
      }
    } catch {
      // Names that were added are gone with everything else.
      registry = Registry()
      throw Self.translate(error)
    }
  }

  /// What an engine's error means to whoever called.
  private static func translate(_ error: any Error) -> any Error {
    guard let error = error as? any EngineError else { return error }
    return error.isInterruption && Task.isCancelled ? CancellationError() : StoreError.unusable(error)
  }
}
