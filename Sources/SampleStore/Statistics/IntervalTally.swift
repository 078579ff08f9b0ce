import Basics
import Quantities

/// The tallies of one interval: for all sources together, and for each source.
///
/// Without calendar intervals a single one contains everything.
struct IntervalTally {
  /// The index of the calendar interval.
  private(set) var index = 0
  private(set) var start = Int64.min
  private(set) var end = Int64.max
  private(set) var overall = Tally()
  /// The tallies by the index of their source in ``sourceRanks``; as long as the highest index in this interval needs.
  private(set) var sources: [Tally] = []

  /// The sources of all intervals so far, in order of appearance; empty unless results are separated by source.
  private(set) var sourceRanks: [Int] = []
  /// The index of each source in ``sourceRanks``; -1 for a source without samples so far.
  private var sourcePlaces: [Int] = []
  private let bySource: Bool

  init(bySource: Bool) { self.bySource = bySource }

  /// The tallies to change.
  enum Scope {
    case both
    case overall
    case source
  }

  /// Begins another interval with empty tallies.
  mutating func begin(_ index: Int, from start: Int64, to end: Int64) {
    self.index = index
    self.start = start
    self.end = end
    overall = Tally()
    sources.removeAll(keepingCapacity: true)
  }

  /// Changes the overall tally, and that of a source.
  @inline(__always)
  mutating func change(_ source: Int, _ scope: Scope = .both, _ change: (inout Tally) -> Void) {
    if scope != .source { change(&overall) }
    guard bySource, scope != .overall else { return }
    let own = place(of: source)
    while sources.count <= own { sources.append(Tally()) }
    change(&sources[own])
  }

  private mutating func place(of source: Int) -> Int {
    while sourcePlaces.count <= source { sourcePlaces.append(-1) }
    if sourcePlaces[source] < 0 {
      sourcePlaces[source] = sourceRanks.count
      sourceRanks.append(source)
    }
    return sourcePlaces[source]
  }
}

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

/// The tally of one interval for one source, or over all sources.
struct Tally {
  /// The number of samples that lie at least partly in the interval.
  private(set) var count = 0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity
  /// The sample that ends last; of several, the one that starts last.
  private(set) var mostRecent: TimedValue?
  /// The sum of a cumulative type.
  var sum = 0.0
  /// The covered time in ticks.
  var covered: Int64 = 0
  /// The sum of the weighted values, and that of the weights.
  private var weighted = 0.0
  private var weight = 0.0

  /// The weighted mean; `nil` if the weights are zero.
  var mean: Double? { weight > 0 ? weighted / weight : nil }

  /// Updates everything that does not depend on the sample's duration.
  mutating func meet(_ sample: TimedValue) {
    count += 1
    minimum = min(minimum, sample.value)
    maximum = max(maximum, sample.value)
    if let last = mostRecent, (last.end, last.start) > (sample.end, sample.start) { return }
    mostRecent = sample
  }

  /// Adds a value to the mean.
  mutating func weigh(_ value: Double, by weight: Double) {
    weighted += value * weight
    self.weight += weight
  }

  /// Adds several values of equal weight to the mean.
  mutating func weigh(sum: Double, of count: Int, by weight: Double) {
    weighted += sum * weight
    self.weight += Double(count) * weight
  }
}
