import Basics
import Quantities

/// The intervals without samples between those that have some, and up to the ends of a range.
///
/// Where the range is open, it ends with the first or the last interval that has samples.
struct IntervalGaps {
  private let intervals: CalendarIntervals
  private let bySource: Bool
  /// The next interval; `nil` before the first of an open range.
  private var next: Int?
  /// The last interval of the range; `nil` for one that is open.
  private let last: Int?

  init(_ range: SamplePredicate, _ intervals: CalendarIntervals, bySource: Bool) {
    self.intervals = intervals
    self.bySource = bySource
    next = range.start.map { intervals.index(of: $0.microseconds) }
    last = range.end.map { intervals.index(of: $0.microseconds - 1) }
  }

  /// Gives the intervals before one that has samples.
  ///
  /// - Returns: whether that one lies in the range; samples that cross its ends have parts outside.
  mutating func fill(before interval: IntervalTally, _ body: (IntervalTally) throws -> Void) rethrows -> Bool {
    guard interval.index >= next ?? .min, interval.index <= last ?? .max else { return false }
    try fill(until: interval.index, body)
    next = interval.index + 1
    return true
  }

  /// Gives the intervals that are left of the range.
  mutating func finish(_ body: (IntervalTally) throws -> Void) rethrows {
    if let last { try fill(until: last + 1, body) }
  }

  private mutating func fill(until end: Int, _ body: (IntervalTally) throws -> Void) rethrows {
    var tally = IntervalTally(bySource: bySource)
    while let index = next, index < end {
      let (start, stop) = (intervals.edge(index), intervals.edge(index + 1))
      next = index + 1
      // A day that a zone skipped has no length.
      guard start < stop else { continue }
      tally.begin(index, from: start, to: stop)
      try body(tally)
    }
  }
}
