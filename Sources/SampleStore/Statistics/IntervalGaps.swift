import Basics
import Quantities

/// The empty intervals between those with samples, and up to the ends of a range.
///
/// An open range ends with the first or the last interval that has samples.
struct IntervalGaps {
  private let intervals: CalendarIntervals
  private let bySource: Bool
  /// The next interval; `nil` before the first of an open range.
  private var next: Int?
  /// The last interval of the range; `nil` for an open range.
  private let last: Int?

  init(_ range: SamplePredicate, _ intervals: CalendarIntervals, bySource: Bool) {
    self.intervals = intervals
    self.bySource = bySource
    next = range.start.map { intervals.index(of: $0.microseconds) }
    last = range.end.map { intervals.index(of: $0.microseconds - 1) }
  }

  /// Passes on the empty intervals before one that has samples.
  ///
  /// - Returns: whether that one lies in the range; samples that cross the range's ends have parts outside.
  mutating func fill(before interval: IntervalTally, _ body: (IntervalTally) throws -> Void) rethrows -> Bool {
    guard interval.index >= next ?? .min, interval.index <= last ?? .max else { return false }
    try fill(until: interval.index, body)
    next = interval.index + 1
    return true
  }

  /// Passes on the remaining intervals of the range.
  mutating func finish(_ body: (IntervalTally) throws -> Void) rethrows {
    if let last { try fill(until: last + 1, body) }
  }

  private mutating func fill(until end: Int, _ body: (IntervalTally) throws -> Void) rethrows {
    var tally = IntervalTally(bySource: bySource)
    while let index = next, index < end {
      let (start, stop) = (intervals.edge(index), intervals.edge(index + 1))
      next = index + 1
      // A day that the time zone skipped is empty.
      guard start < stop else { continue }
      tally.begin(index, from: start, to: stop)
      try body(tally)
    }
  }
}
