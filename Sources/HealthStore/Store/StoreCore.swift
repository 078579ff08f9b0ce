import Basics
import Quantities

/// The one place from which an engine is called, on an executor of its own.
actor StoreCore {
  private let executor = QueueExecutor(label: "station.store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var opened: (any StoreEngine)?
  /// The engine, until the store is closed.
  var engine: any StoreEngine {
    get throws {
      guard let opened else { throw StoreError(.databaseInaccessible, "the store has been closed; open it again") }
      return opened
    }
  }
  var registry = Registry()
  let now: @Sendable () -> WallTime
  let makeUUID: @Sendable () -> UUID

  init(
    now: @escaping @Sendable () -> WallTime, makeUUID: @escaping @Sendable () -> UUID,
    _ open: @Sendable () throws -> any StoreEngine
  ) throws {
    self.now = now
    self.makeUUID = makeUUID
    do { opened = try open() } catch { throw Self.translate(error) }
  }

  // Closing a file writes its log back, for which no other task has to wait.
  isolated deinit { opened = nil }

  /// Closes the engine; whatever is asked of the store after that is refused.
  func close() {
    registry = Registry()
    opened = nil
  }

  /// Reads one state of the store; `body` may run again as long as `mayRepeat` says so.
  func reading<Result>(mayRepeat: () -> Bool = { true }, _ body: () throws -> Result) throws -> Result {
    try Task.checkCancellation()
    do { return try engine.read(mayRepeat: mayRepeat, body) } catch { throw Self.translate(error) }
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

  /// What an engine's error means to the caller.
  private static func translate(_ error: any Error) -> any Error {
    guard let error = error as? any EngineError else { return error }
    return error.isInterruption && Task.isCancelled ? CancellationError() : StoreError.unusable(error)
  }
}
