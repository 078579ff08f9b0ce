import Quantities

extension StoreCore {
  func statistics(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, client: String?
  ) throws -> Statistics {
    let (sweep, order) = try sweep(type, predicate, options, calendar: nil, client)
    guard let interval = sweep.tallies.intervals.first, let extent = sweep.extent else { throw StoreError.noData }
    return try statistics(type, interval, extent.start, extent.end, sweep, options, order)
  }

  func collection(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    client: String?
  ) throws -> StatisticsCollection {
    let (sweep, order) = try sweep(type, predicate, options, calendar: intervals, client)
    let statistics = try sweep.tallies.intervals.map { interval in
      try self.statistics(type, interval, interval.start, interval.end, sweep, options, order)
    }
    let isBySource = options.contains(.separateBySource)
    let sources = isBySource ? Set(statistics.flatMap { $0.sources ?? [] }) : nil
    return StatisticsCollection(
      statistics: statistics,
      sources: sources?.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }, type: type,
      intervals: intervals, isBySource: isBySource)
  }

  /// Counts what matches, in one pass over the rows.
  private func sweep(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, calendar: CalendarIntervals?,
    _ client: String?
  ) throws -> (StatisticsSweep, [Source]) {
    if let option = options.firstIncompatible(isCumulative: type.aggregationStyle.isCumulative) {
      let family = type.aggregationStyle.isCumulative ? "cumulative" : "discrete"
      throw StoreError(
        .invalidArgument,
        "Statistics option \(option) is not compatible with \(family) data type \(type.healthKitIdentifier)")
    }
    return try reading(as: client, .quantity(type)) { owner in
      let query = try query(.quantity(type), predicate, ownedBy: owner)
      try registry.refresh(.source, engine)
      let order = try sourceOrder()
      let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
      var ranks: [Int64: Int] = [:]
      for (number, revision) in registry.sources { ranks[number] = places[revision.source] }

      var sweep = StatisticsSweep(type.aggregationStyle, options, calendar: calendar)
      var last = (number: Int64(-1), rank: 0)
      func count(_ start: Int64, _ lasting: Int64, _ value: Double, _ source: Int64) throws {
        if source != last.number {
          guard let rank = ranks[source] else {
            throw StoreError(.databaseInaccessible, "the store lacks the source \(source) of a sample; rebuild it")
          }
          last = (source, rank)
        }
        sweep.add(TimedValue(start: start, end: start + lasting, value: value, source: last.rank))
        guard sweep.tallies.intervals.count <= StatisticsCollection.mostIntervals else {
          throw StoreError.tooManyIntervals
        }
      }
      if query.metadata.isEmpty, query.scope.uuids == nil {
        try engine.measure(query.scope, count)
      } else {
        try each(query) { row, _ in
          try count(row.start, row.lasting, row.value, row.source)
          return true
        }
      }
      sweep.finish()
      return (sweep, order)
    }
  }

  /// All sources by priority: those that the operator has put in order, then the others by name.
  private func sourceOrder() throws -> [Source] {
    let places = Dictionary(
      try engine.priorities().enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    func key(_ source: Source) -> (Int, String, String) {
      (places[Name.number(of: source.bundleIdentifier)] ?? .max, source.name, source.bundleIdentifier)
    }
    return Set(registry.sources.values.map(\.source)).sorted { key($0) < key($1) }
  }

  private func statistics(
    _ type: QuantityType, _ interval: Tallies.Interval, _ start: Int64, _ end: Int64, _ sweep: StatisticsSweep,
    _ options: StatisticsOptions, _ order: [Source]
  ) throws -> Statistics {
    func values(_ tally: Tally) throws -> Statistics.Values {
      var values = Statistics.Values()
      func quantity(_ value: Double?) throws -> Quantity? { try value.map { try Quantity($0, type.canonicalUnit) } }
      values.count = tally.count
      if options.contains(.discreteAverage) { values.average = try quantity(sweep.mean(tally)) }
      if options.contains(.discreteMin) { values.minimum = try quantity(tally.minimum) }
      if options.contains(.discreteMax) { values.maximum = try quantity(tally.maximum) }
      if options.contains(.cumulativeSum) { values.sum = try quantity(tally.sum) }
      if options.contains(.mostRecent), let last = tally.mostRecent {
        values.mostRecent = try quantity(last.value)
        values.mostRecentInterval = WallTime(microseconds: last.start)..<WallTime(microseconds: last.end)
      }
      if options.contains(.duration) { values.duration = .microseconds(tally.covered) }
      return values
    }
    var bySource: [Source: Statistics.Values]?
    if options.contains(.separateBySource) {
      bySource = [:]
      for (place, tally) in interval.sources.enumerated() where tally.count > 0 {
        bySource?[order[sweep.tallies.sources[place]]] = try values(tally)
      }
    }
    return Statistics(
      type: type, start: WallTime(microseconds: start), end: WallTime(microseconds: end),
      overall: try values(interval.overall), bySource: bySource)
  }

  func setPriorities(_ owners: [String]) throws {
    for owner in owners { try SampleRules.check(owner, "a source's bundle identifier") }
    try writing {
      let known = try engine.names(.owner)
      for owner in Set(owners) where known[Name.number(of: owner)] == nil {
        try engine.add(name: owner, Name.number(of: owner), .owner)
      }
      try engine.setPriorities(owners.map(Name.number))
    }
  }

  func priorities() throws -> [String] {
    try reading {
      let names = try engine.names(.owner)
      return try engine.priorities().compactMap { names[$0] }
    }
  }
}
