import Basics
import Quantities

extension StoreCore {
  func statistics(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, client: String?
  ) throws -> Statistics {
    try measuring(type, predicate, options, client) { samples in
      var sweep = StatisticsSweep(type.aggregationStyle, options, calendar: nil, ofTrials: predicate.isOfTrials)
      try each(samples) { sample, _ in sweep.add(sample) { _ in } }
      var all: IntervalTally?
      sweep.finish { all = $0 }
      guard let all, let extent = sweep.extent else { throw StoreError.noData }
      return try Self.statistics(type, all, extent, options, samples.order)
    }
  }

  func collection(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    client: String?
  ) throws -> StatisticsCollection {
    let statistics = try measuring(type, predicate, options, client) { samples in
      var sweep = StatisticsSweep(
        type.aggregationStyle, options, calendar: intervals, ofTrials: predicate.isOfTrials)
      var statistics: [Statistics] = []
      func take(_ tally: IntervalTally) throws {
        guard statistics.count < StatisticsCollection.maxIntervals else { throw StoreError.tooManyIntervals }
        statistics.append(try Self.statistics(type, tally, nil, options, samples.order))
      }
      try each(samples) { sample, _ in try sweep.add(sample, take) }
      try sweep.finish(take)
      return statistics
    }
    let isBySource = options.contains(.separateBySource)
    let sources = isBySource ? Set(statistics.flatMap { $0.sources ?? [] }) : nil
    return StatisticsCollection(
      statistics: statistics,
      sources: sources?.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }, type: type,
      intervals: intervals, isBySource: isBySource)
  }

  /// Thrown to stop reading early.
  private struct Enough: Error {}

  /// Passes on the statistics of each interval as soon as it is complete, until `body` returns false.
  ///
  /// With `isFilled` empty intervals are included, and intervals outside the predicate's range are left out.
  func forEachInterval(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    isFilled: Bool, client: String?, _ body: (Statistics) throws -> Bool
  ) throws {
    // Once a result has been passed on, the transaction must not be retried.
    var isUntouched = true
    do {
      try measuring(type, predicate, options, client, mayRepeat: { isUntouched }) { samples in
        func give(_ tally: IntervalTally) throws {
          try Task.checkCancellation()
          isUntouched = false
          guard try body(try Self.statistics(type, tally, nil, options, samples.order)) else { throw Enough() }
        }
        var sweep = StatisticsSweep(
          type.aggregationStyle, options, calendar: intervals, ofTrials: predicate.isOfTrials)
        guard isFilled else {
          try each(samples) { sample, _ in try sweep.add(sample, give) }
          return try sweep.finish(give)
        }
        var gaps = IntervalGaps(predicate, intervals, bySource: options.contains(.separateBySource))
        func fill(_ tally: IntervalTally) throws {
          if try gaps.fill(before: tally, give) { try give(tally) }
        }
        try each(samples) { sample, _ in try sweep.add(sample, fill) }
        try sweep.finish(fill)
        try gaps.finish(give)
      }
    } catch is Enough {}
  }

  /// Passes on the statistics of the samples with each value of a metadata key, value by value; samples without a value
  /// come last.
  ///
  /// Memory does not grow with the number of intervals: beyond ``maxKept`` of them, the samples are read in several
  /// passes, and the first group of each pass is passed on while reading.
  func forEachGroup(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, by key: String,
    _ intervals: CalendarIntervals?, client: String?, _ body: (Metadata.Value?, Statistics) throws -> Bool
  ) throws {
    let empty = Group(
      sweep: StatisticsSweep(type.aggregationStyle, options, calendar: intervals, ofTrials: true))
    // Without calendar intervals each group has only one.
    let room = intervals == nil ? Int.max : Self.maxKept
    var isUntouched = true
    do {
      try measuring(type, predicate, options, client, mayRepeat: { isUntouched }) { samples in
        func give(_ tally: IntervalTally, _ extent: TimeExtent?, _ value: Metadata.Value?) throws {
          try Task.checkCancellation()
          isUntouched = false
          guard try body(value, try Self.statistics(type, tally, extent, options, samples.order)) else {
            throw Enough()
          }
        }
        func give(_ group: Group?, _ value: Metadata.Value?) throws {
          let extent = intervals == nil ? group?.sweep.extent : nil
          for tally in group?.tallies ?? [] { try give(tally, extent, value) }
        }
        var groups: [Metadata.Value?: Group] = [:]
        var total = 0
        try each(samples, readsMetadata: true) { sample, metadata in
          total += groups[metadata[key], default: empty].add(sample, keeping: room - total)
        }
        for value in groups.keys { total += groups[value]?.finish(keeping: room - total) ?? 0 }
        var values = groups.keys.sorted { Self.text($0) < Self.text($1) }[...]
        guard total > room else { return try values.forEach { try give(groups[$0], $0) } }

        let counts = groups.mapValues(\.count)
        groups = [:]
        while let first = values.popFirst() {
          var left = room
          let others = values.prefix { value in
            left -= counts[value] ?? 0
            return left >= 0
          }
          values.removeFirst(others.count)
          var sweep = empty.sweep
          var kept = Dictionary(uniqueKeysWithValues: others.map { ($0, empty) })
          try each(samples, readsMetadata: true) { sample, metadata in
            let value = metadata[key]
            if value == first {
              try sweep.add(sample) { try give($0, nil, first) }
            } else {
              _ = kept[value]?.add(sample, keeping: room)
            }
          }
          try sweep.finish { try give($0, nil, first) }
          for value in others {
            _ = kept[value]?.finish(keeping: room)
            try give(kept.removeValue(forKey: value), value)
          }
        }
      }
    } catch is Enough {}
  }

  /// The maximum number of groups' intervals in memory.
  private static let maxKept = 8192

  /// The samples with one value of a metadata key.
  private struct Group {
    private(set) var sweep: StatisticsSweep
    /// The tallies of the first intervals, up to the limit.
    private(set) var tallies: [IntervalTally] = []
    /// The number of complete intervals.
    private(set) var count = 0

    init(sweep: StatisticsSweep) { self.sweep = sweep }

    /// Adds the next sample; returns how many intervals this completed, of which up to `most` are kept.
    mutating func add(_ sample: TimedValue, keeping most: Int) -> Int {
      let before = count
      sweep.add(sample) {
        count += 1
        if count - before <= most { tallies.append($0) }
      }
      return count - before
    }

    /// Completes the remaining intervals; returns how many there were, of which up to `most` are kept.
    mutating func finish(keeping most: Int) -> Int {
      let before = count
      sweep.finish {
        count += 1
        if count - before <= most { tallies.append($0) }
      }
      return count - before
    }
  }

  /// The sort key of a group: numbers and numeric texts by value, then other texts, other kinds and missing values.
  private static func text(_ value: Metadata.Value?) -> (Int, Double, String) {
    switch value {
    case .string(let text): (0, Double(text) ?? .infinity, text)
    case .number(let number): (0, number, "")
    case nil: (2, 0, "")
    case let other?: (1, 0, "\(other)")
    }
  }

  /// The samples of a statistics query, which can be read several times from the same snapshot.
  private struct MeasuredSamples {
    let query: RowQuery
    /// All sources in order of priority.
    let order: [Source]
    /// The priority rank of each source revision.
    let ranks: [Int64: Int]
  }

  /// Prepares a statistics query; `body` may run again as long as `mayRepeat` returns true.
  private func measuring<Result>(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ client: String?,
    mayRepeat: () -> Bool = { true }, _ body: (MeasuredSamples) throws -> Result
  ) throws -> Result {
    if let option = options.firstIncompatible(isCumulative: type.aggregationStyle.isCumulative) {
      let family = type.aggregationStyle.isCumulative ? "cumulative" : "discrete"
      throw StoreError(
        .invalidArgument,
        "Statistics option \(option) is not compatible with \(family) data type \(type.healthKitIdentifier)")
    }
    return try reading(as: client, .quantity(type), mayRepeat: mayRepeat) { owner in
      let query = try query(.quantity(type), predicate, ownedBy: owner)
      try registry.refresh(.source, engine)
      let order = try sourceOrder()
      let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
      return try body(
        MeasuredSamples(query: query, order: order, ranks: registry.sources.compactMapValues { places[$0.source] }))
    }
  }

  /// Passes on the samples in order of their starts.
  private func each(
    _ samples: MeasuredSamples, readsMetadata: Bool = false, take: (TimedValue, Metadata) throws -> Void
  ) throws {
    var last = (number: Int64(-1), rank: 0)
    func value(_ start: Int64, _ lasting: Int64, _ value: Double, _ source: Int64) throws -> TimedValue {
      if source != last.number {
        guard let rank = samples.ranks[source] else {
          throw StoreError(.databaseInaccessible, "the store lacks the source \(source) of a sample; rebuild it")
        }
        last = (source, rank)
      }
      return TimedValue(start: start, end: start + lasting, value: value, source: last.rank)
    }
    if samples.query.metadata.isEmpty, samples.query.scope.uuids == nil, !readsMetadata {
      let none = Metadata()
      try engine.measure(samples.query.scope) { try take(value($0, $1, $2, $3), none) }
    } else {
      try each(samples.query) { row, metadata in
        try take(value(row.start, row.lasting, row.value, row.source), metadata)
        return true
      }
    }
  }

  /// All sources in order of priority: those that the operator has listed, then the others by name.
  private func sourceOrder() throws -> [Source] {
    let places = Dictionary(
      try engine.priorities().enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    func key(_ source: Source) -> (Int, String, String) {
      (places[Name.number(of: source.bundleIdentifier)] ?? .max, source.name, source.bundleIdentifier)
    }
    return Set(registry.sources.values.map(\.source)).sorted { key($0) < key($1) }
  }

  /// The statistics of an interval, or of `extent` without calendar intervals.
  private static func statistics(
    _ type: QuantityType, _ interval: IntervalTally, _ extent: TimeExtent?, _ options: StatisticsOptions,
    _ order: [Source]
  ) throws -> Statistics {
    var bySource: [Source: Statistics.Values]?
    if options.contains(.separateBySource) {
      bySource = [:]
      for (place, tally) in interval.sources.enumerated() where tally.count > 0 {
        bySource?[order[interval.sourceRanks[place]]] = try values(tally, type, options)
      }
    }
    return Statistics(
      type: type, start: WallTime(microseconds: extent?.start ?? interval.start),
      end: WallTime(microseconds: extent?.end ?? interval.end), overall: try values(interval.overall, type, options),
      bySource: bySource)
  }

  private static func values(
    _ tally: Tally, _ type: QuantityType, _ options: StatisticsOptions
  ) throws -> Statistics.Values {
    var values = Statistics.Values()
    guard tally.count > 0 else { return values }
    func quantity(_ value: Double?) throws -> Quantity? { try value.map { try Quantity($0, type.canonicalUnit) } }
    values.count = tally.count
    if options.contains(.discreteAverage) {
      values.average = try quantity(StatisticsSweep.mean(tally, type.aggregationStyle))
    }
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
