package import Basics
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

/// A type of samples in a store, with its sources.
package struct TypeContents: Sendable {
  private let type: SampleType
  private let sources: [Source]
  private let contents: StoreContents?

  fileprivate init(_ type: SampleType, _ sources: [Source], _ contents: StoreContents?) {
    (self.type, self.sources, self.contents) = (type, sources, contents)
  }

  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string("\(type)"), "type": .string(type.healthKitIdentifier),
      "sources": .array(
        sources.map { ["name": .string($0.name), "bundleIdentifier": .string($0.bundleIdentifier)] }),
    ]
    if let contents {
      members["samples"] = .integer(contents.count)
      members["firstStartDate"] = .string(contents.first.precise)
      members["lastStartDate"] = .string(contents.last.precise)
    }
    return .object(members)
  }

  /// Types as a table with a row for each source.
  package static func table(_ types: [TypeContents], isCounted: Bool) -> TextTable {
    var table = TextTable(
      [("type", .left)] + (isCounted ? [("samples", .right), ("first", .left), ("last", .left)] : [])
        + [("source", .left), ("bundle identifier", .left)])
    for one in types {
      let kept = one.contents.map { ["\($0.count)", "\($0.first)", "\($0.last)"] } ?? ["0", "–", "–"]
      let head = ["\(one.type)"] + (isCounted ? kept : [])
      for (place, source) in one.sources.enumerated() {
        table.add((place == 0 ? head : head.map { _ in "" }) + [source.name, source.bundleIdentifier])
      }
    }
    return table
  }
}

extension SampleStore {
  /// The types that have samples, with their sources, and on request the number and times of their samples.
  package func typeContents(isCounted: Bool) async throws -> [TypeContents] {
    let contents = isCounted ? try await contents() : [:]
    var rows: [TypeContents] = []
    for type in try await types().map(SampleType.quantity) + [.heartbeatSeries] {
      let sources = try await sources(of: type)
      guard !sources.isEmpty else { continue }
      let sorted = sources.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }
      rows.append(TypeContents(type, sorted, contents[type]))
    }
    return rows
  }
}
