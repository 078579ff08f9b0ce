/// Intervals between beats, in milliseconds, with the time at which each ends and the places where beats are lacking.
///
/// Nothing in it is interpolated: what is not a positive number of milliseconds, or longer than ``longest``, is left out and
/// listed.
package struct IntervalSeries: Hashable, Sendable {
  /// The longest interval that is taken for one, in milliseconds: an hour, in which no heart that beats stands still.
  package static let longest = 3_600_000.0

  /// The intervals in milliseconds, in the order of time; all are above zero, and none is longer than ``longest``.
  package let intervals: [Double]

  /// The time of the beat that ends each interval, in seconds.
  package let ends: [Double]

  /// The intervals that do not begin where the one before them ends, by their index, ascending; never 0.
  package let breaks: [Int]

  /// What was left out, by its place among the given intervals and the time at which it was said to end.
  package let omissions: [Omission]

  /// Which of the given intervals were left out, by their place among all that were given, ascending.
  ///
  /// They are no number, not above zero, too long, end at no known time, or begin well before the end of another.
  package var omitted: [Int] { omissions.map(\.place) }

  /// How many of them are longer than ``longest``.
  package var tooLong: Int { omissions.count { $0.isTooLong } }

  /// A given interval that was left out.
  package struct Omission: Hashable, Sendable {
    /// Its place among the intervals that were given.
    package var place: Int
    /// Whether it was left out for being longer than ``longest``.
    package var isTooLong: Bool
    /// When it ended, in seconds; where that is not known, the end of one beside it.
    package var time: Double
  }

  /// Intervals of which each begins where the one before it ends, the first at time 0.
  ///
  /// One that is left out takes no time, and leaves a break.
  ///
  /// - Parameter intervals: the intervals in milliseconds.
  package init(_ intervals: [Double]) {
    var builder = Builder(capacity: intervals.count)
    var (time, follows) = (0.0, true)
    // Milliseconds are added up and the sum divided, as by cumsum(NN) / 1000.
    for (place, interval) in intervals.enumerated() {
      guard Self.isInterval(interval) else {
        builder.omissions.append(Omission(place: place, isTooLong: interval > Self.longest, time: time / 1000))
        follows = false
        continue
      }
      time += interval
      builder.append(interval, end: time / 1000, follows: follows)
      follows = true
    }
    self.init(builder)
  }

  /// Intervals with the times at which they end; they are put in the order of those.
  ///
  /// - Parameters:
  ///   - intervals: the intervals in milliseconds.
  ///   - ends: the time of the beat that ends each of them, in seconds.
  ///   - gapTolerance: how far, in seconds, an interval may begin from the end of the one before it and still follow it;
  ///     one that begins earlier than that is left out, since no beat lasts while another does.
  /// - Precondition: there are as many ends as intervals.
  package init(_ intervals: [Double], ends: [Double], gapTolerance: Double = 0.25) {
    precondition(intervals.count == ends.count, "every interval needs the time at which it ends")
    var builder = Builder(capacity: intervals.count)
    var known: [Int] = []
    known.reserveCapacity(intervals.count)
    var afterTooLong: Set<Int> = []
    var lastTime = ends.first(where: \.isFinite) ?? 0
    for (place, end) in ends.enumerated() {
      if end.isFinite { lastTime = end }
      let isTooLong = intervals[place] > Self.longest
      // Of what is too long nobody knows how long it was; whether something is lacking in the place of others their times
      // say.
      if isTooLong { afterTooLong.insert(place + 1) }
      if Self.isInterval(intervals[place]), end.isFinite {
        known.append(place)
      } else {
        if afterTooLong.contains(place) { afterTooLong.insert(place + 1) }
        builder.omissions.append(Omission(place: place, isTooLong: isTooLong, time: lastTime))
      }
    }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { ends[$0] <= ends[$1] }
    // Swift's sort is stable.
    if !isOrdered { known.sort { ends[$0] < ends[$1] } }
    var last: Double?
    for place in known {
      let (start, end) = (ends[place] - intervals[place] / 1000, ends[place])
      if let last, end <= last || start < last - gapTolerance {
        builder.omissions.append(Omission(place: place, isTooLong: false, time: end))
        continue
      }
      let follows = !afterTooLong.contains(place) && (last.map { start - $0 <= gapTolerance } ?? true)
      builder.append(intervals[place], end: end, follows: follows)
      last = end
    }
    builder.omissions.sort { $0.place < $1.place }
    self.init(builder)
  }

  /// A series made of parts that are known to be right: as many ends as intervals, in the order of time.
  package init(checked intervals: [Double], ends: [Double], breaks: [Int], omissions: [Omission] = []) {
    self.intervals = intervals
    self.ends = ends
    self.breaks = breaks
    self.omissions = omissions
  }

  private init(_ builder: Builder) {
    self.init(checked: builder.intervals, ends: builder.ends, breaks: builder.breaks, omissions: builder.omissions)
  }

  private static func isInterval(_ interval: Double) -> Bool { interval > 0 && interval <= longest }
}

extension IntervalSeries {
  /// How many intervals there are.
  package var count: Int { intervals.count }

  /// When the first interval begins, in seconds; 0 where there is none.
  package var start: Double { count == 0 ? 0 : ends[0] - intervals[0] / 1000 }

  /// When the last interval ends, in seconds; 0 where there is none.
  package var end: Double { ends.last ?? 0 }

  /// The time from the first beat to the last, gaps included, in seconds.
  package var duration: Double { end - start }

  /// The indices of intervals that follow one another without a gap, one range for each stretch.
  package var stretches: [Range<Int>] {
    guard count > 0 else { return [] }
    let bounds = [0] + breaks + [count]
    return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }

  /// The stretch with the most intervals, the earliest of several.
  package var longestStretch: Range<Int> {
    stretches.max { ($0.count, $1.lowerBound) < ($1.count, $0.lowerBound) } ?? 0..<0
  }

  /// The intervals that lie wholly between two times.
  ///
  /// - Parameters:
  ///   - from: the earliest time at which an interval may begin, in seconds.
  ///   - to: the latest at which one may end.
  /// - Returns: the intervals at their times; between those that did not follow one another lies a break. What was left
  ///   out keeps its place among all that were given.
  package func cut(from: Double, to: Double) -> IntervalSeries {
    let kept = indices(from: from, to: to)
    var isBreak = [Bool](repeating: false, count: count)
    for index in breaks { isBreak[index] = true }
    var breaks: [Int] = []
    for (index, place) in kept.enumerated() where index > 0 {
      if isBreak[place] || kept[index - 1] != place - 1 { breaks.append(index) }
    }
    return IntervalSeries(
      checked: kept.map { intervals[$0] }, ends: kept.map { ends[$0] }, breaks: breaks,
      omissions: omissions.filter { $0.time >= from - Self.timeTolerance && $0.time <= to + Self.timeTolerance })
  }

  /// The intervals that lie wholly between two times in seconds, by their index.
  package func indices(from: Double, to: Double) -> [Int] {
    intervals.indices.filter {
      ends[$0] - intervals[$0] / 1000 >= from - Self.timeTolerance && ends[$0] <= to + Self.timeTolerance
    }
  }

  /// What rounding may make of a time that was summed up, in seconds.
  private static let timeTolerance = 1e-6

  /// The differences between intervals that follow one another, in milliseconds.
  package var successiveDifferences: [Double] {
    var differences: [Double] = []
    differences.reserveCapacity(count)
    for stretch in stretches {
      for index in stretch.dropFirst() { differences.append(intervals[index] - intervals[index - 1]) }
    }
    return differences
  }
}

private struct Builder {
  var intervals: [Double] = []
  var ends: [Double] = []
  var breaks: [Int] = []
  var omissions: [IntervalSeries.Omission] = []

  init(capacity: Int) {
    intervals.reserveCapacity(capacity)
    ends.reserveCapacity(capacity)
  }

  mutating func append(_ interval: Double, end: Double, follows: Bool) {
    if !follows, !intervals.isEmpty { breaks.append(intervals.count) }
    intervals.append(interval)
    ends.append(end)
  }
}
