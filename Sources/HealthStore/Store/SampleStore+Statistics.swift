package import Basics
package import Quantities

extension SampleStore {
  /// Statistics of all samples that match.
  ///
  /// - Throws: ``StoreError`` with HealthKit's texts: an option that the type does not have (3), and no samples (11).
  package func statistics(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions
  ) async throws -> Statistics {
    try await core.statistics(type, predicate, options, client: client)
  }

  /// Statistics of the samples that match for intervals of the calendar.
  ///
  /// A sample that crosses an edge counts on both sides, a sum by its share of time. The predicate chooses samples, it does
  /// not cut them: without options, samples that cross the range's ends give intervals outside of it.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - predicate: which samples.
  ///   - options: what is computed.
  ///   - anchor: an instant at which an interval starts; it need not lie in the range.
  ///   - interval: how long intervals are.
  ///   - zone: the zone on whose calendar days and months are counted.
  /// - Returns: the statistics of the intervals that hold samples; it gives those of the others as well.
  /// - Throws: ``StoreError`` for an option that the type does not have, for an anchor outside of the years 1 to 9999, and for
  ///   more than a million intervals.
  package func statisticsCollection(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions, anchor: WallTime,
    every interval: IntervalComponents, in zone: TimeZone
  ) async throws -> StatisticsCollection {
    try SampleRules.check(anchor, "the anchor")
    let intervals = CalendarIntervals(anchor: anchor.microseconds, step: interval, zone: zone)
    return try await core.collection(type, predicate, options, intervals, client: client)
  }

  /// Gives the statistics of the intervals of the calendar one after the other, however many there are.
  ///
  /// It takes the same parameters as ``statisticsCollection(of:matching:options:anchor:every:in:)``, and gives the same
  /// intervals, each as soon as it is complete; its memory does not depend on their number.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - predicate: which samples.
  ///   - options: what is computed.
  ///   - anchor: an instant at which an interval starts.
  ///   - interval: how long intervals are.
  ///   - zone: the zone on whose calendar days and months are counted.
  ///   - isFilled: whether the intervals without samples are given as well, from the predicate's start to its end; where one
  ///     of them is open, from the first or to the last that has samples. Then nothing outside of that range is given.
  ///   - body: takes the statistics of an interval and says whether it wants another. It runs while the store is held: it
  ///     must not wait for it.
  /// - Throws: ``StoreError`` for an option that the type does not have and for times outside of the years 1 to 9999, and
  ///   what `body` throws.
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

  /// Gives statistics of the samples with each value of a metadata key: of each participant, trial or clip.
  ///
  /// Its memory depends on the number of values, and not on that of intervals.
  ///
  /// - Parameters:
  ///   - type: what was measured.
  ///   - predicate: which samples.
  ///   - options: what is computed.
  ///   - key: the metadata key.
  ///   - interval: how long intervals are; `nil` for the statistics of everything.
  ///   - anchor: an instant at which an interval starts.
  ///   - zone: the zone on whose calendar days and months are counted.
  ///   - body: takes a value and statistics of its samples, and says whether it wants more. The values are sorted, and those
  ///     of one value come together in the order of time; last come those of samples without a value. A value's samples
  ///     alone decide about its intervals. It runs while the store is held: it must not wait for it.
  /// - Throws: ``StoreError`` for an option that the type does not have and for an anchor outside of the years 1 to 9999,
  ///   and what `body` throws.
  package func forEachGroup(
    of type: QuantityType, matching predicate: SamplePredicate = .all, options: StatisticsOptions, by key: String,
    every interval: IntervalComponents? = nil, anchor: WallTime, in zone: TimeZone,
    _ body: @escaping @Sendable (Metadata.Value?, Statistics) throws -> Bool
  ) async throws {
    try SampleRules.check(anchor, "the anchor")
    let intervals = interval.map { CalendarIntervals(anchor: anchor.microseconds, step: $0, zone: zone) }
    try await core.forEachGroup(type, predicate, options, by: key, intervals, client: client, body)
  }

  /// The bundle identifiers of the sources that are believed before others, the first before all.
  package func sourcePriority() async throws -> [String] {
    try requireOperator()
    return try await core.priorities()
  }

  /// Puts sources in the order in which they are believed where several measured at once; those that are not named come
  /// after them by name.
  package func setSourcePriority(_ bundleIdentifiers: [String]) async throws {
    try requireOperator()
    try await core.setPriorities(bundleIdentifiers)
  }
}
