package import Basics
package import Quantities

/// What was asked about the samples of one time.
package struct Statistics: Hashable, Sendable {
  /// What was computed; `nil` for what was not asked, and where there are no samples.
  package struct Values: Hashable, Sendable {
    /// The average of a discrete type, by the method that ``Statistics/averageMethod`` names.
    package internal(set) var average: Quantity?
    /// The least value of a discrete type.
    package internal(set) var minimum: Quantity?
    /// The greatest value of a discrete type.
    package internal(set) var maximum: Quantity?
    /// The sum of a cumulative type; over all sources, no time counts twice.
    package internal(set) var sum: Quantity?
    /// The value that ends last.
    package internal(set) var mostRecent: Quantity?
    /// When the most recent value was measured.
    package internal(set) var mostRecentInterval: Range<WallTime>?
    /// How much time samples cover, overlaps counted once.
    package internal(set) var duration: Duration?
    /// How many samples there are, with all or part of them.
    package internal(set) var count = 0
  }

  /// What was measured.
  package let type: QuantityType
  /// The interval of a collection; otherwise the first start of the samples.
  package let start: WallTime
  /// Where the interval ends; otherwise the last end of the samples.
  package let end: WallTime
  /// The values of all sources together.
  package let overall: Values
  /// The values of each source, only with ``StatisticsOptions/separateBySource``.
  package let bySource: [Source: Values]?

  /// The sources that have samples here, by name; only with ``StatisticsOptions/separateBySource``.
  package var sources: [Source]? {
    bySource?.keys.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }
  }

  /// How an average is computed, in words to be kept beside it; `nil` for cumulative types.
  package var averageMethod: String? { Self.averageMethod(of: type.aggregationStyle) }

  /// How averages of a style are computed.
  package static func averageMethod(of style: AggregationStyle) -> String? {
    let hold = HeldMean.hold / Tick.perSecond
    switch style {
    case .cumulative: return nil
    case .discreteArithmetic: return "arithmetic (a sample counts by its share of time in the interval)"
    case .discreteTemporallyWeighted:
      return
        "time-weighted (each value held until its source's next one, at most \(hold) s after its end; values with the "
        + "same start share that time)"
    case .discreteEquivalentContinuousLevel:
      return "equivalent continuous level (mean energy; each level held until its source's next one, "
        + "at most \(hold) s after its end; levels with the same start share that time)"
    }
  }
}

/// Statistics of intervals that follow each other without gaps, in both directions from an anchor.
package struct StatisticsCollection: Sendable {
  /// The intervals that hold samples, in the order of time.
  package let statistics: [Statistics]
  /// Every source that has samples in any interval; only with ``StatisticsOptions/separateBySource``.
  package let sources: [Source]?

  let type: QuantityType
  let intervals: CalendarIntervals
  let isBySource: Bool

  /// How many intervals are given at most.
  static let mostIntervals = 1_000_000

  /// The statistics of the interval in which an instant lies; without values where there are no samples.
  ///
  /// - Throws: ``StoreError`` for a time outside of the years 1 to 9999.
  package func statistics(for time: WallTime) throws(StoreError) -> Statistics {
    try SampleRules.check(time, "the time")
    return statistics(at: intervals.index(of: time.microseconds))
  }

  /// The statistics of every interval from the one of `start` to the one of `end`, also of those without samples.
  ///
  /// - Parameters:
  ///   - start: an instant of the first interval.
  ///   - end: an instant of the last interval.
  /// - Returns: an empty list when the end comes before the start.
  /// - Throws: ``StoreError`` for times outside of the years 1 to 9999, and for more than a million intervals.
  package func statistics(from start: WallTime, to end: WallTime) throws(StoreError) -> [Statistics] {
    guard start <= end else { return [] }
    for time in [start, end] { try SampleRules.check(time, "the time") }
    let indices = intervals.index(of: start.microseconds)...intervals.index(of: end.microseconds)
    guard indices.count <= Self.mostIntervals else { throw .tooManyIntervals }
    // A day that a zone skipped has no length.
    return indices.filter { intervals.edge($0) < intervals.edge($0 + 1) }.map(statistics(at:))
  }

  private func statistics(at index: Int) -> Statistics {
    let (start, end) = (intervals.edge(index), intervals.edge(index + 1))
    var range = statistics.startIndex..<statistics.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = statistics[middle]
      if found.start.microseconds == start { return found }
      range = found.start.microseconds < start ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return Statistics(
      type: type, start: WallTime(microseconds: start), end: WallTime(microseconds: end), overall: Statistics.Values(),
      bySource: isBySource ? [:] : nil)
  }
}
