package import Basics
package import Quantities

/// The requested statistics of samples in one interval.
package struct Statistics: Hashable, Sendable {
  /// The computed values; `nil` for those not requested, and without samples.
  package struct Values: Hashable, Sendable {
    /// The average of a discrete type, by the method that `Statistics.averageMethod` names.
    package internal(set) var average: Quantity?
    /// The minimum of a discrete type.
    package internal(set) var minimum: Quantity?
    /// The maximum of a discrete type.
    package internal(set) var maximum: Quantity?
    /// The sum of a cumulative type; across sources, no time counts twice.
    package internal(set) var sum: Quantity?
    /// The value of the sample that ends last.
    package internal(set) var mostRecent: Quantity?
    /// The time of the most recent sample.
    package internal(set) var mostRecentInterval: Range<WallTime>?
    /// The total time that samples cover, overlaps counted once.
    package internal(set) var duration: Duration?
    /// The number of samples that lie at least partly in the interval.
    package internal(set) var count = 0
  }

  let type: QuantityType
  /// The start of a collection's interval; otherwise the first start of the samples.
  package let start: WallTime
  /// The end of the interval; otherwise the last end of the samples.
  package let end: WallTime
  /// The values over all sources.
  package let overall: Values
  /// The values of each source, only with ``StatisticsOptions/separateBySource``.
  package let bySource: [Source: Values]?

  /// The sources with samples here, by name; only with ``StatisticsOptions/separateBySource``.
  package var sources: [Source]? {
    bySource?.keys.sorted { ($0.name, $0.bundleIdentifier) < ($1.name, $1.bundleIdentifier) }
  }

  /// A description of how the average is computed, to be stored beside it; `nil` for cumulative types.
  var averageMethod: String? { Self.averageMethod(of: type.aggregationStyle) }

  /// A description of how averages of a style are computed.
  ///
  /// - Parameters:
  ///   - style: the style.
  ///   - ofTrials: whether samples are grouped or chosen by their metadata, so that held values end with their usual step.
  /// - Returns: the description; `nil` for a cumulative style.
  package static func averageMethod(of style: AggregationStyle, ofTrials: Bool = false) -> String? {
    let seconds = "\(HeldMean.hold / EpochMicroseconds.perSecond) s"
    let hold = ofTrials ? "twice the usual step or \(seconds)" : seconds
    switch style {
    case .cumulative: return nil
    case .discreteArithmetic: return "arithmetic (a sample counts by its share of time in the interval)"
    case .discreteTemporallyWeighted:
      return
        "time-weighted (each value held until its source's next one, at most \(hold) after its end; values with the "
        + "same start share that time)"
    case .discreteEquivalentContinuousLevel:
      return "equivalent continuous level (mean energy; each level held until its source's next one, "
        + "at most \(hold) after its end; levels with the same start share that time)"
    }
  }
}

/// Statistics of contiguous intervals, in both directions from an anchor.
package struct StatisticsCollection: Sendable {
  /// The intervals that contain samples, in order of time.
  package let statistics: [Statistics]
  /// Every source with samples in any interval; only with ``StatisticsOptions/separateBySource``.
  let sources: [Source]?

  let type: QuantityType
  let intervals: CalendarIntervals
  let isBySource: Bool

  /// The maximum number of intervals in one result.
  static let maxIntervals = 1_000_000

  /// The statistics of the interval that contains an instant; without values if it has no samples.
  ///
  /// - Throws: ``StoreError`` for a time outside the years 1 to 9999.
  func statistics(for time: WallTime) throws(StoreError) -> Statistics {
    try SampleRules.check(time, "the time")
    return statistics(at: intervals.index(of: time.microseconds))
  }

  /// The statistics of every interval from that of `start` to that of `end`, including empty ones.
  ///
  /// - Parameters:
  ///   - start: an instant in the first interval.
  ///   - end: an instant in the last interval.
  /// - Returns: the statistics; an empty list if the end precedes the start.
  /// - Throws: ``StoreError`` for times outside the years 1 to 9999, and for more than a million intervals.
  func statistics(from start: WallTime, to end: WallTime) throws(StoreError) -> [Statistics] {
    guard start <= end else { return [] }
    for time in [start, end] { try SampleRules.check(time, "the time") }
    let indices = intervals.index(of: start.microseconds)...intervals.index(of: end.microseconds)
    guard indices.count <= Self.maxIntervals else { throw .tooManyIntervals }
    // A day that the time zone skipped is empty.
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

extension StoreError {
  static let tooManyIntervals = StoreError(
    .invalidArgument,
    "there are more than \(StatisticsCollection.maxIntervals) intervals; choose longer ones or a shorter range")
}

/// The values that a statistics query computes, with HealthKit's raw values.
package struct StatisticsOptions: OptionSet, Hashable, Sendable {
  /// HealthKit's raw value.
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Each source's values in addition to those over all sources.
  package static let separateBySource = Self(rawValue: 1)
  /// The average of a discrete type, by the method that `Statistics.averageMethod` names.
  package static let discreteAverage = Self(rawValue: 2)
  /// The minimum of a discrete type.
  package static let discreteMin = Self(rawValue: 4)
  /// The maximum of a discrete type.
  package static let discreteMax = Self(rawValue: 8)
  /// The sum of a cumulative type, in which no time counts twice.
  package static let cumulativeSum = Self(rawValue: 16)
  /// The value of the sample that ends last.
  package static let mostRecent = Self(rawValue: 32)
  /// The total time that samples cover.
  package static let duration = Self(rawValue: 64)

  /// HealthKit's name of the first option that does not apply to the type; `nil` if all apply.
  func firstIncompatible(isCumulative: Bool) -> String? {
    let refused: [(Self, String)] =
      isCumulative
      ? [
        (.discreteAverage, "DiscreteAverage"), (.discreteMin, "DiscreteMin"), (.discreteMax, "DiscreteMax"),
      ] : [(.cumulativeSum, "CumulativeSum")]
    return refused.first { contains($0.0) }.map { "HKStatisticsOption\($0.1)" }
  }
}

/// The part of a sample that statistics need: times in ticks, the value in the type's canonical unit, and the source.
struct TimedValue {
  var start: Int64
  var end: Int64
  var value: Double
  /// The source's priority rank; 0 is the highest priority.
  var source: Int

  /// The fraction of its duration that lies in an interval; 1 for an instantaneous sample.
  func share(from lower: Int64, to upper: Int64) -> Double {
    start >= lower && end <= upper ? 1 : Double(min(end, upper) - max(start, lower)) / Double(end - start)
  }
}
