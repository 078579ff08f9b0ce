import Basics
import Quantities

/// A query as the engine understands it, and the metadata conditions that have to be evaluated on the rows.
struct RowQuery {
  var scope: RowScope
  var metadata: [MetadataCondition]
}

extension StoreCore {
  /// Translates a predicate; `owner` restricts the result to that client's own samples.
  func query(_ type: SampleType, _ predicate: SamplePredicate, ownedBy owner: String?) throws -> RowQuery {
    if let start = predicate.start, let end = predicate.end, end < start {
      throw StoreError(
        .invalidArgument, "the range ends (\(end.precise)) before it starts (\(start.precise)); exchange the two")
    }
    // Values are stored in the canonical unit of the store's own definition of the type.
    if case .quantity(let quantity) = type { _ = try registry.isDefined(quantity, engine) }
    let number = type.number
    var scope = RowScope(type: number, longest: try engine.longest(number))
    scope.start = predicate.start?.microseconds
    scope.end = predicate.end?.microseconds
    scope.strictStart = predicate.options.contains(.strictStartDate)
    scope.strictEnd = predicate.options.contains(.strictEndDate)
    scope.uuids = predicate.uuids
    if predicate.sources != nil || predicate.sourceRevisions != nil || owner != nil || !predicate.includesSimulated {
      try registry.refresh(.source, engine)
      scope.sources = Set(
        registry.sources.filter { _, revision in
          predicate.sources?.contains(revision.source) ?? true
            && predicate.sourceRevisions?.contains(revision) ?? true
            && (predicate.includesSimulated || !revision.source.isSimulated)
            && owner.map(revision.source.bundleIdentifier.isSame) ?? true
        }.keys)
    }
    if let devices = predicate.devices {
      try registry.refresh(.device, engine)
      scope.devices = Set(registry.devices.filter { devices.contains($0.value) }.keys)
    }
    scope.values = try predicate.values.map { condition in
      guard case .quantity(let type) = type else {
        throw StoreError(.invalidArgument, "a series of heartbeats has no value to compare")
      }
      let unit = type.canonicalUnit
      guard condition.quantity.isCompatible(with: unit) else {
        throw QuantityError.wrongUnit(type, condition.quantity.unit, measured: "HKQuantitySample")
      }
      return RowScope.ValueCondition(comparison: condition.comparison, value: try condition.quantity.value(in: unit))
    }
    return RowQuery(scope: scope, metadata: predicate.metadata)
  }

  /// Passes the rows of a query with their metadata to `body` until it returns false.
  func each(_ query: RowQuery, _ body: (SampleRow, Metadata) throws -> Bool) throws {
    var scope = query.scope
    var left = scope.limit ?? .max
    // With metadata conditions the limit is applied here, because the engine cannot evaluate them.
    if !query.metadata.isEmpty { scope.limit = nil }
    var last: (text: String?, metadata: Metadata) = (nil, Metadata())
    func take(_ row: SampleRow) throws -> Bool {
      guard left > 0 else { return false }
      if row.metadata != last.text { last = (row.metadata, try Coding.metadata(row.metadata)) }
      guard query.metadata.allSatisfy({ $0.holds(last.metadata) }) else { return true }
      left -= 1
      return try body(row, last.metadata) && left > 0
    }
    guard let uuids = scope.uuids else { return try engine.scan(scope, take) }
    let rows = try uuids.compactMap { try engine.row($0) }.filter(scope.contains)
    for row in rows.sorted(by: scope.isOrdered) {
      guard try take(row) else { return }
    }
  }

  private func query(
    _ type: QuantityType, _ predicate: SamplePredicate, _ order: SampleOrder, limit: Int, ownedBy owner: String?
  ) throws -> RowQuery {
    var query = try query(.quantity(type), predicate, ownedBy: owner)
    query.scope.order = order.rows
    query.scope.limit = try Self.limit(limit)
    return query
  }

  func samples(
    _ type: QuantityType, _ predicate: SamplePredicate, _ order: SampleOrder, limit: Int, client: String?,
    _ body: (QuantitySample) throws -> Bool
  ) throws {
    // Once a result has been passed on, the transaction must not be retried.
    var isUntouched = true
    try reading(as: client, .quantity(type), mayRepeat: { isUntouched }) { owner in
      try each(try query(type, predicate, order, limit: limit, ownedBy: owner)) { row, metadata in
        let sample = try sample(row, type, metadata)
        isUntouched = false
        return try body(sample)
      }
    }
  }

  func series(
    _ predicate: SamplePredicate, _ order: SampleOrder, limit: Int, client: String?
  ) throws -> [HeartbeatSeries] {
    try reading(as: client, .heartbeatSeries) { owner in
      var query = try query(.heartbeatSeries, predicate, ownedBy: owner)
      query.scope.order = order.rows
      query.scope.limit = try Self.limit(limit)
      var series: [HeartbeatSeries] = []
      try each(query) { row, metadata in
        series.append(try self.series(row, metadata))
        return true
      }
      return series
    }
  }

  /// The sample that ends last; ties are broken by the later start, then by the greater UUID.
  func mostRecent(_ type: QuantityType, _ predicate: SamplePredicate, client: String?) throws -> QuantitySample? {
    try reading(as: client, .quantity(type)) { owner in
      var query = try query(.quantity(type), predicate, ownedBy: owner)
      query.scope.order = .startDescending
      var best: (row: SampleRow, metadata: Metadata)?
      try each(query) { row, metadata in
        if let kept = best?.row {
          // Given the longest duration, no earlier start can end later than this.
          if row.start + query.scope.longest < kept.end { return false }
          if (kept.end, kept.start, kept.uuid) > (row.end, row.start, row.uuid) { return true }
        }
        best = (row, metadata)
        return true
      }
      return try best.map { try sample($0.row, type, $0.metadata) }
    }
  }

  /// HealthKit uses 0 for no limit.
  private static func limit(_ limit: Int) throws -> Int? {
    guard limit >= 0 else {
      throw StoreError(.invalidArgument, "the limit \(limit) is below zero; give 0 for no limit")
    }
    return limit == 0 ? nil : limit
  }

  func sample(_ row: SampleRow, _ type: QuantityType, _ metadata: Metadata) throws -> QuantitySample {
    try QuantitySample(
      uuid: row.uuid, type: type, quantity: Quantity(row.value, type.canonicalUnit),
      start: WallTime(microseconds: row.start), end: WallTime(microseconds: row.end),
      sourceRevision: try registry.source(row.source, engine), device: try registry.device(row.device, engine),
      metadata: metadata)
  }

  func series(_ row: SampleRow, _ metadata: Metadata) throws -> HeartbeatSeries {
    try HeartbeatSeries(
      uuid: row.uuid, start: WallTime(microseconds: row.start), beats: Coding.beats(row.beats ?? []),
      sourceRevision: try registry.source(row.source, engine), device: try registry.device(row.device, engine),
      metadata: metadata)
  }

  func sources(of type: SampleType, client: String?) throws -> Set<Source> {
    try reading(as: client, type) { owner in
      let sources = try engine.sources(of: type.number).map { try registry.source($0, engine).source }
      return Set(sources.filter { owner.map($0.bundleIdentifier.isSame) ?? true })
    }
  }

  func devices() throws -> Set<Device> {
    try reading {
      try registry.refresh(.device, engine)
      return Set(registry.devices.values)
    }
  }

  func contents() throws -> [SampleType: StoreContents] {
    try reading {
      var contents: [SampleType: StoreContents] = [:]
      for (number, kept) in try engine.extents() {
        contents[try type(number)] = StoreContents(
          count: kept.count, first: WallTime(microseconds: kept.first), last: WallTime(microseconds: kept.last))
      }
      return contents
    }
  }

  func types() throws -> [QuantityType] {
    try reading {
      try registry.refresh(.type, engine)
      return registry.types.values.sorted { $0.identifier < $1.identifier }
    }
  }
}

extension StoreCore {
  func samples(
    _ type: QuantityType, _ predicate: SamplePredicate, _ order: SampleOrder, limit: Int, client: String?
  ) throws -> [QuantitySample] {
    try reading(as: client, .quantity(type)) { owner in
      var samples: [QuantitySample] = []
      try each(try query(type, predicate, order, limit: limit, ownedBy: owner)) { row, metadata in
        samples.append(try sample(row, type, metadata))
        return true
      }
      return samples
    }
  }

  func changes(
    _ type: QuantityType, since anchor: QueryAnchor?, _ predicate: SamplePredicate, limit: Int, client: String?
  ) throws -> SampleChanges<QuantitySample> {
    try changes(.quantity(type), since: anchor, predicate, limit: limit, client: client) { row, metadata in
      try sample(row, type, metadata)
    }
  }

  func seriesChanges(
    since anchor: QueryAnchor?, _ predicate: SamplePredicate, limit: Int, client: String?
  ) throws -> SampleChanges<HeartbeatSeries> {
    try changes(.heartbeatSeries, since: anchor, predicate, limit: limit, client: client, series)
  }

  func hasReceipt(_ receipt: String) throws -> Bool { try reading { try engine.hasReceipt(receipt) } }

  func receipts() throws -> Set<String> { try reading { Set(try engine.receipts()) } }
}
