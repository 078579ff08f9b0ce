import Quantities

extension StoreCore {
  func statistics(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, client: String?
  ) throws -> Statistics {
    var order: [Source] = []
    var sweep = StatisticsSweep(type.aggregationStyle, options, calendar: nil)
    try rows(type, predicate, options, client) { sources in
      order = sources
      sweep = StatisticsSweep(type.aggregationStyle, options, calendar: nil)
    } take: { sample, _ in
      sweep.add(sample) { _ in }
    }
    var all: IntervalTally?
    sweep.finish { all = $0 }
    guard let all, let extent = sweep.extent else { throw StoreError.noData }
    return try Self.statistics(type, all, extent.start, extent.end, options, order)
  }

  func collection(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    client: String?
  ) throws -> StatisticsCollection {
    var statistics: [Statistics] = []
    try forEachInterval(type, predicate, options, intervals, client, mayRepeat: true) {
      statistics = []
    } body: { one in
      guard statistics.count < StatisticsCollection.mostIntervals else { throw StoreError.tooManyIntervals }
      statistics.append(one)
    }
    let isBySource = options.contains(.separateBySource)
    let sources = isBySource ? Set(statistics.flatMap { $0.sources ?? [] }) : nil
    return StatisticsCollection(
      statistics: statistics,
      sources: sources?.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }, type: type,
      intervals: intervals, isBySource: isBySource)
  }

  /// Gives the statistics of the intervals that hold samples as soon as each is complete.
  ///
  /// It may begin again after something was given where `mayRepeat` says so, with a call of `begin`.
  func forEachInterval(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    _ client: String?, mayRepeat: Bool, begin: () throws -> Void, body: (Statistics) throws -> Void
  ) throws {
    var order: [Source] = []
    var isUntouched = true
    var sweep = StatisticsSweep(type.aggregationStyle, options, calendar: intervals)
    func give(_ tally: IntervalTally) throws {
      isUntouched = false
      try body(try Self.statistics(type, tally, tally.start, tally.end, options, order))
    }
    try rows(type, predicate, options, client, mayRepeat: { isUntouched || mayRepeat }) { sources in
      order = sources
      sweep = StatisticsSweep(type.aggregationStyle, options, calendar: intervals)
      try begin()
    } take: { sample, _ in
      try sweep.add(sample, give)
    }
    try sweep.finish { tally in
      try Task.checkCancellation()
      try give(tally)
    }
  }

  /// Ends a reading early.
  private struct Enough: Error {}

  func forEachInterval(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ intervals: CalendarIntervals,
    client: String?, _ body: (Statistics) throws -> Bool
  ) throws {
    do {
      try forEachInterval(type, predicate, options, intervals, client, mayRepeat: false, begin: {}) { one in
        if try !body(one) { throw Enough() }
      }
    } catch is Enough {}
  }

  /// Statistics of the samples with each value of a metadata key; last, of those without one.
  func grouped(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, by key: String,
    _ intervals: CalendarIntervals?, client: String?
  ) throws -> [(value: Metadata.Value?, statistics: [Statistics])] {
    var order: [Source] = []
    var groups: [Metadata.Value?: Group] = [:]
    let empty = Group(sweep: StatisticsSweep(type.aggregationStyle, options, calendar: intervals))
    try rows(type, predicate, options, client, readsMetadata: true) { sources in
      order = sources
      groups = [:]
    } take: { sample, metadata in
      try groups[metadata[key], default: empty].add(sample)
    }
    var answer: [(value: Metadata.Value?, statistics: [Statistics])] = []
    for value in groups.keys.sorted(by: { Self.text($0) < Self.text($1) }) {
      guard var group = groups.removeValue(forKey: value) else { continue }
      group.finish()
      let extent = group.sweep.extent ?? (0, 0)
      answer.append(
        (
          value,
          try group.tallies.map { tally in
            let (start, end) = intervals == nil ? extent : (tally.start, tally.end)
            return try Self.statistics(type, tally, start, end, options, order)
          }
        ))
    }
    return answer
  }

  /// The samples with one value of a metadata key.
  private struct Group {
    private(set) var sweep: StatisticsSweep
    private(set) var tallies: [IntervalTally] = []

    init(sweep: StatisticsSweep) { self.sweep = sweep }

    mutating func add(_ sample: TimedValue) throws {
      sweep.add(sample) { tallies.append($0) }
      guard tallies.count <= StatisticsCollection.mostIntervals else { throw StoreError.tooManyIntervals }
    }

    mutating func finish() { sweep.finish { tallies.append($0) } }
  }

  /// By what groups are sorted: texts as they are, numbers by their size, nothing at the end.
  private static func text(_ value: Metadata.Value?) -> (Int, Double, String) {
    switch value {
    case .string(let text): (0, Double(text) ?? .infinity, text)
    case .number(let number): (0, number, "")
    case nil: (2, 0, "")
    case let other?: (1, 0, "\(other)")
    }
  }

  /// Gives what matches in the order of the starts, after `begin` was told the order of the sources; both again where the
  /// engine repeats a transaction.
  private func rows(
    _ type: QuantityType, _ predicate: SamplePredicate, _ options: StatisticsOptions, _ client: String?,
    readsMetadata: Bool = false, mayRepeat: () -> Bool = { true }, begin: ([Source]) throws -> Void,
    take: (TimedValue, Metadata) throws -> Void
  ) throws {
    if let option = options.firstIncompatible(isCumulative: type.aggregationStyle.isCumulative) {
      let family = type.aggregationStyle.isCumulative ? "cumulative" : "discrete"
      throw StoreError(
        .invalidArgument,
        "Statistics option \(option) is not compatible with \(family) data type \(type.healthKitIdentifier)")
    }
    try reading(as: client, .quantity(type), mayRepeat: mayRepeat) { owner in
      let query = try query(.quantity(type), predicate, ownedBy: owner)
      try registry.refresh(.source, engine)
      let order = try sourceOrder()
      let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset) })
      var ranks: [Int64: Int] = [:]
      for (number, revision) in registry.sources { ranks[number] = places[revision.source] }
      try begin(order)

      var last = (number: Int64(-1), rank: 0)
      func value(_ start: Int64, _ lasting: Int64, _ value: Double, _ source: Int64) throws -> TimedValue {
        if source != last.number {
          guard let rank = ranks[source] else {
            throw StoreError(.databaseInaccessible, "the store lacks the source \(source) of a sample; rebuild it")
          }
          last = (source, rank)
        }
        return TimedValue(start: start, end: start + lasting, value: value, source: last.rank)
      }
      if query.metadata.isEmpty, query.scope.uuids == nil, !readsMetadata {
        let none = Metadata()
        try engine.measure(query.scope) { try take(value($0, $1, $2, $3), none) }
      } else {
        try each(query) { row, metadata in
          try take(value(row.start, row.lasting, row.value, row.source), metadata)
          return true
        }
      }
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

  private static func statistics(
    _ type: QuantityType, _ interval: IntervalTally, _ start: Int64, _ end: Int64, _ options: StatisticsOptions,
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
      type: type, start: WallTime(microseconds: start), end: WallTime(microseconds: end),
      overall: try values(interval.overall, type, options), bySource: bySource)
  }

  private static func values(
    _ tally: Tally, _ type: QuantityType, _ options: StatisticsOptions
  ) throws -> Statistics.Values {
    var values = Statistics.Values()
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
