import Quantities
import Synchronization

/// A store in memory that ends with its process: for tests, rehearsals and throw-away data.
final class MemoryEngine: StoreEngine {
  /// The store's contents; a transaction works on a copy until it commits.
  private struct Contents {
    var names: [NameKind: [Int64: String]] = [:]
    var longest: [Int64: Int64] = [:]
    var lastChange: Int64 = 0
    /// The samples of each type by start, end and UUID.
    var rows: [Int64: [SampleRow]] = [:]
    var places: [UUID: SampleRow] = [:]
    var numbers: [UUID: Int64] = [:]
    var changes: [Int64: RowChange] = [:]
    var syncs: [SyncKey: (version: Double, uuid: UUID)] = [:]
    var priorities: [Int64] = []
    var characteristics: [String: [String: String]] = [:]
    var receipts: Set<String> = []
    var grants: [String: [Int64: Grant]] = [:]
    var audit: [AuditRow] = []
  }

  private var contents = Contents()
  private let name: UUID
  private let bell = MemoryBell()

  init(identity: UUID) { name = identity }

  func read<Result>(mayRepeat: () -> Bool, _ body: () throws -> Result) throws -> Result { try body() }

  func write<Result>(_ body: () throws -> Result) throws -> Result {
    let before = contents
    do {
      let result = try body()
      try Task.checkCancellation()
      bell.ring()
      return result
    } catch {
      contents = before
      throw error
    }
  }

  func makeWatch() -> any StoreWatch { MemoryWatch(bell: bell) }

  func identity() -> UUID { name }

  func names(_ kind: NameKind) -> [Int64: String] { contents.names[kind] ?? [:] }

  func add(name: String, _ number: Int64, _ kind: NameKind) { contents.names[kind, default: [:]][number] = name }

  func longest(_ type: Int64) -> Int64 { contents.longest[type] ?? 0 }

  func extend(_ type: Int64, to lasting: Int64) { contents.longest[type] = max(longest(type), lasting) }

  func takeChanges(_ count: Int) -> Int64 {
    defer { contents.lastChange += Int64(count) }
    return contents.lastChange
  }

  func lastChange() -> Int64 { contents.lastChange }

  func lastChange(of type: Int64) -> Int64 {
    contents.changes.filter { Self.type($0.value) == type }.keys.max() ?? 0
  }

  private static func type(_ change: RowChange) -> Int64 {
    switch change {
    case .added(let row): row.type
    case .deleted(let tombstone): tombstone.type
    }
  }
}

extension MemoryEngine {
  func add(_ rows: [SampleRow], after change: Int64) -> [Int] {
    var present: [Int] = []
    for (place, row) in rows.enumerated() {
      guard contents.places[row.uuid] == nil else {
        present.append(place)
        continue
      }
      contents.places[row.uuid] = row
      // Drops the change number of a tombstone that a sample with the same UUID replaces.
      if let old = contents.numbers[row.uuid] { contents.changes[old] = nil }
      contents.numbers[row.uuid] = change + Int64(place) + 1
      contents.changes[change + Int64(place) + 1] = .added(row)
      let kept = contents.rows[row.type]?.firstPlace(where: { Self.isBefore($0, row) }) ?? 0
      contents.rows[row.type, default: []].insert(row, at: kept)
    }
    return present
  }

  func row(_ uuid: UUID) -> SampleRow? { contents.places[uuid] }

  func remove(_ row: SampleRow, change: Int64) {
    contents.places[row.uuid] = nil
    if let old = contents.numbers[row.uuid] { contents.changes[old] = nil }
    contents.numbers[row.uuid] = change
    contents.changes[change] = .deleted(
      Tombstone(uuid: row.uuid, type: row.type, start: row.start, lasting: row.lasting, source: row.source))
    if let place = contents.rows[row.type]?.firstPlace(where: { Self.isBefore($0, row) }) {
      contents.rows[row.type]?.remove(at: place)
    }
  }

  func sync(_ key: SyncKey) -> (version: Double, uuid: UUID)? { contents.syncs[key] }

  func setSync(_ key: SyncKey, version: Double, uuid: UUID) { contents.syncs[key] = (version, uuid) }

  func removeSync(of uuid: UUID) { contents.syncs = contents.syncs.filter { $0.value.uuid != uuid } }

  func scan(_ scope: RowScope, _ body: (SampleRow) throws -> Bool) throws {
    var rows = (contents.rows[scope.type] ?? []).filter(scope.contains)
    if scope.order != .start { rows.sort(by: scope.isOrdered) }
    for row in rows.prefix(scope.limit ?? .max) {
      try Task.checkCancellation()
      guard try body(row) else { return }
    }
  }

  func measure(_ scope: RowScope, _ body: (Int64, Int64, Double, Int64) throws -> Void) throws {
    try scan(scope) { row in
      try body(row.start, row.lasting, row.value, row.source)
      return true
    }
  }

  func changes(of type: Int64, after change: Int64, limit: Int) -> [(number: Int64, RowChange)] {
    contents.changes.filter { $0.key > change && Self.type($0.value) == type }
      .sorted { $0.key < $1.key }.prefix(limit).map { (number: $0.key, $0.value) }
  }

  func sources(of type: Int64) -> [Int64] { Set((contents.rows[type] ?? []).map(\.source)).sorted() }

  func priorities() -> [Int64] { contents.priorities }

  func setPriorities(_ owners: [Int64]) { contents.priorities = owners }

  func characteristics(_ person: String) -> [String: String] { contents.characteristics[person] ?? [:] }

  func set(_ characteristic: String, of person: String, to value: String?) {
    contents.characteristics[person, default: [:]][characteristic] = value
  }

  func hasReceipt(_ name: String) -> Bool { contents.receipts.contains(name) }

  func addReceipt(_ name: String) { contents.receipts.insert(name) }

  func removeReceipt(_ name: String) { contents.receipts.remove(name) }

  func receipts() -> [String] { contents.receipts.sorted() }

  func extents() -> [Int64: (count: Int, first: Int64, last: Int64)] {
    contents.rows.compactMapValues { rows in
      rows.first.map { (count: rows.count, first: $0.start, last: rows.last?.start ?? $0.start) }
    }
  }

  func grants() -> [(client: String, type: Int64, Grant)] {
    contents.grants.flatMap { client, grants in grants.map { (client: client, type: $0.key, $0.value) } }
  }

  func grants(_ client: String) -> [Int64: Grant] { contents.grants[client] ?? [:] }

  func set(_ grant: Grant, _ client: String, _ type: Int64) { contents.grants[client, default: [:]][type] = grant }

  func add(_ entry: AuditRow) { contents.audit.append(entry) }

  func audit(_ body: (AuditRow) throws -> Bool) throws {
    for entry in contents.audit.sorted(by: { ($0.time, $0.uuid) < ($1.time, $1.uuid) }) {
      guard try body(entry) else { return }
    }
  }

  private static func isBefore(_ left: SampleRow, _ right: SampleRow) -> Bool {
    (left.start, left.lasting, left.uuid) < (right.start, right.lasting, right.uuid)
  }
}

extension Array {
  /// The index of the first element for which `isBefore` is false, in an array sorted accordingly.
  fileprivate func firstPlace(where isBefore: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBefore(self[middle]) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
