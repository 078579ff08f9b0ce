import Basics
import Quantities

/// The only caller of an engine, on its own executor.
actor StoreCore {
  private let executor = QueueExecutor(label: "station.store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var opened: (StoreEngine)?
  /// The engine, until the store is closed.
  var engine: StoreEngine {
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
    _ open: @Sendable () throws -> StoreEngine
  ) throws {
    self.now = now
    self.makeUUID = makeUUID
    do { opened = try open() } catch { throw StoreError.translate(error) }
  }

  // Closing a file checkpoints its log; on this executor no other task has to wait for that.
  isolated deinit { opened = nil }

  /// Closes the engine; later calls are refused.
  func close() {
    registry = Registry()
    opened = nil
  }

  /// Reads a snapshot of the store; `body` may run again as long as `mayRepeat` returns true.
  func reading<Result>(mayRepeat: () -> Bool = { true }, _ body: () throws -> Result) throws -> Result {
    try Task.checkCancellation()
    do { return try engine.read(mayRepeat: mayRepeat, body) } catch { throw StoreError.translate(error) }
  }

  /// Writes in a transaction.
  func writing<Result>(_ body: () throws -> Result) throws -> Result {
    try Task.checkCancellation()
    var isRepeated = false
    do {
      return try engine.write {
        // The names that the previous attempt added were rolled back with it.
        if isRepeated { registry = Registry() }
        isRepeated = true
        return try body()
      }
    } catch {
      // The names that this transaction added were rolled back with it.
      registry = Registry()
      throw StoreError.translate(error)
    }
  }
}
