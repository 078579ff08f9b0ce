package import Basics
package import Quantities

extension SampleStore {
  /// Statistics of all matching samples.
  ///
  /// - Throws: ``StoreError`` with HealthKit's texts: an option that does not apply to the type (3), and no samples
  ///   (11).
  package func statistics(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions
  ) async throws -> Statistics {
    try await core.statistics(type, predicate, options, client: client)
  }

  /// Statistics of the matching samples in calendar intervals.
  ///
  /// A sample that crosses an edge counts in both intervals; its sum is divided in proportion to time. The predicate
  /// selects samples but does not cut them: without options, samples that cross the range's ends give intervals outside
  /// it.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - predicate: the samples to select.
  ///   - options: the values to compute.
  ///   - anchor: an instant at which an interval starts; it need not lie in the range.
  ///   - interval: the length of the intervals.
  ///   - zone: the time zone of calendar days and months.
  /// - Returns: the statistics of the intervals that contain samples; the collection also gives those of the others.
  /// - Throws: ``StoreError`` for an option that does not apply to the type, for an anchor outside the years 1 to 9999,
  ///   and for more than a million intervals.
  package func statisticsCollection(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions, anchor: WallTime,
    every interval: IntervalComponents, in zone: TimeZone
  ) async throws -> StatisticsCollection {
    try SampleRules.check(anchor, "the anchor")
    let intervals = CalendarIntervals(anchor: anchor.microseconds, step: interval, zone: zone)
    return try await core.collection(type, predicate, options, intervals, client: client)
  }

  /// Passes the statistics of calendar intervals to `body` one by one, however many there are.
  ///
  /// The parameters and intervals are those of ``statisticsCollection(of:matching:options:anchor:every:in:)``. Each
  /// interval is passed on as soon as it is complete, so that memory does not depend on their number.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - predicate: the samples to select.
  ///   - options: the values to compute.
  ///   - anchor: an instant at which an interval starts.
  ///   - interval: the length of the intervals.
  ///   - zone: the time zone of calendar days and months.
  ///   - isFilled: whether to include empty intervals, from the predicate's start to its end; an open end of the range
  ///     is replaced with the first or the last interval that has samples. Intervals outside that range are then left
  ///     out.
  ///   - body: receives the statistics of an interval, and returns whether to continue. The store is locked while it
  ///     runs: it must not wait for the store.
  /// - Throws: ``StoreError`` for an option that does not apply to the type and for times outside the years 1 to 9999,
  ///   and what `body` throws.
  package func forEachInterval(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions, anchor: WallTime,
    every interval: IntervalComponents, in zone: TimeZone, isFilled: Bool = false,
    _ body: @escaping @Sendable (Statistics) throws -> Bool
  ) async throws {
    try SampleRules.check(anchor, "the anchor")
    if isFilled {
      for time in [predicate.start, predicate.end?.advanced(by: .microseconds(-1))].compactMap(\.self) {
        try SampleRules.check(time, "the time")
      }
    }
    let intervals = CalendarIntervals(anchor: anchor.microseconds, step: interval, zone: zone)
    try await core.forEachInterval(type, predicate, options, intervals, isFilled: isFilled, client: client, body)
  }

  /// Passes on statistics of the samples with each value of a metadata key, such as a participant, trial or clip.
  ///
  /// Memory depends on the number of values, not on that of the intervals.
  ///
  /// - Parameters:
  ///   - type: the quantity type.
  ///   - predicate: the samples to select.
  ///   - options: the values to compute.
  ///   - key: the metadata key.
  ///   - interval: the length of the intervals; `nil` for one result over all samples.
  ///   - anchor: an instant at which an interval starts.
  ///   - zone: the time zone of calendar days and months.
  ///   - body: receives a value and statistics of its samples, and returns whether to continue. Values are sorted, and
  ///     the intervals of one value follow each other in order of time; samples without a value come last. A value's
  ///     intervals depend on its own samples only. The store is locked while it runs: it must not wait for the store.
  /// - Throws: ``StoreError`` for an option that does not apply to the type and for an anchor outside the years 1 to
  ///   9999, and what `body` throws.
  package func forEachGroup(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions, by key: String,
    every interval: IntervalComponents? = nil, anchor: WallTime, in zone: TimeZone,
    _ body: @escaping @Sendable (Metadata.Value?, Statistics) throws -> Bool
  ) async throws {
    try SampleRules.check(anchor, "the anchor")
    let intervals = interval.map { CalendarIntervals(anchor: anchor.microseconds, step: $0, zone: zone) }
    try await core.forEachGroup(type, predicate, options, by: key, intervals, client: client, body)
  }

  /// The bundle identifiers of the sources in order of priority, highest first.
  package func sourcePriority() async throws -> [String] {
    try requireOperator()
    return try await core.priorities()
  }

  /// Sets the priority of sources that measured the same time.
  ///
  /// Sources that are not listed follow, ordered by name.
  package func setSourcePriority(_ bundleIdentifiers: [String]) async throws {
    try requireOperator()
    try await core.setPriorities(bundleIdentifiers)
  }
}
