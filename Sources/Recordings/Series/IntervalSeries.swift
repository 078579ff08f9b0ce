/// Intervals between beats in milliseconds, with the time at which each ends and the gaps where beats are missing.
///
/// Nothing is interpolated: a value that is not a positive number of milliseconds, or is longer than `maxLength`, is
/// dropped and listed.
package struct IntervalSeries: Hashable, Sendable {
  /// The longest valid interval, in milliseconds: one hour, longer than any pause of a beating heart.
  static let maxLength = 3_600_000.0

  /// The intervals in milliseconds, in the order of time; all are above zero, and none is longer than `maxLength`.
  package let intervals: [Double]

  /// The time of the beat that ends each interval, in seconds.
  package let ends: [Double]

  /// The indices of intervals that do not begin where their predecessor ends, ascending; never 0.
  package let breaks: [Int]

  /// The indices of intervals that a person's correction made, which a correction of artefacts leaves as they are.
  package let settled: Set<Int>

  /// The dropped intervals.
  package let omissions: [Omission]

  /// The indices of the dropped intervals among all given ones, ascending.
  ///
  /// They are not numbers, not above zero, too long, without a known end, or begin well before the end of another.
  package var omitted: [Int] { omissions.map(\.place) }

  /// The number of dropped intervals that are longer than ``maxLength``.
  var tooLong: Int { omissions.count { $0.isTooLong } }

  /// A given interval that was dropped.
  package struct Omission: Hashable, Sendable {
    /// Its index among the given intervals.
    var place: Int
    /// Whether it was dropped for being longer than ``maxLength``.
    var isTooLong: Bool
    /// Its end in seconds; if that is unknown, the end of a neighbour.
    package var time: Double
  }

  /// Creates a series in which each interval begins where its predecessor ends, the first at time 0.
  ///
  /// A dropped interval takes no time, and leaves a break.
  ///
  /// - Parameter intervals: the intervals in milliseconds.
  package init(_ intervals: [Double]) {
    var builder = Builder(capacity: intervals.count)
    var (time, follows) = (0.0, true)
    // Milliseconds are summed and the sum divided, as in cumsum(NN) / 1000.
    for (place, interval) in intervals.enumerated() {
      guard Self.isInterval(interval) else {
        builder.omissions.append(Omission(place: place, isTooLong: interval > Self.maxLength, time: time / 1000))
        follows = false
        continue
      }
      time += interval
      builder.append(interval, end: time / 1000, follows: follows)
      follows = true
    }
    self.init(builder)
  }

  /// Creates a series of intervals with given ends, sorted by them.
  ///
  /// - Parameters:
  ///   - intervals: the intervals in milliseconds.
  ///   - ends: the time of the beat that ends each of them, in seconds.
  ///   - gapTolerance: how far, in seconds, the beginning of an interval may be from the end of its predecessor for it
  ///     to follow; an interval that begins earlier than that is dropped, because beats cannot overlap.
  /// - Precondition: there are as many ends as intervals.
  init(_ intervals: [Double], ends: [Double], gapTolerance: Double = 0.25) {
    precondition(intervals.count == ends.count, "every interval needs the time at which it ends")
    var builder = Builder(capacity: intervals.count)
    var known: [Int] = []
    known.reserveCapacity(intervals.count)
    var afterTooLong: Set<Int> = []
    var lastTime = ends.first(where: \.isFinite) ?? 0
    for (place, end) in ends.enumerated() {
      if end.isFinite { lastTime = end }
      let isTooLong = intervals[place] > Self.maxLength
      // The true length of a too long interval is unknown, so it leaves a gap; for other dropped intervals the times
      // show whether beats are missing.
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

  /// Wraps valid parts: as many ends as intervals, in the order of time.
  package init(
    checked intervals: [Double], ends: [Double], breaks: [Int], omissions: [Omission] = [], settled: Set<Int> = []
  ) {
    self.settled = settled
    self.intervals = intervals
    self.ends = ends
    self.breaks = breaks
    self.omissions = omissions
  }

  private init(_ builder: Builder) {
    self.init(checked: builder.intervals, ends: builder.ends, breaks: builder.breaks, omissions: builder.omissions)
  }

  private static func isInterval(_ interval: Double) -> Bool { interval > 0 && interval <= maxLength }
}

extension IntervalSeries {
  /// The number of intervals.
  package var count: Int { intervals.count }

  /// The beginning of the first interval, in seconds; 0 if there is none.
  package var start: Double { count == 0 ? 0 : ends[0] - intervals[0] / 1000 }

  /// The end of the last interval, in seconds; 0 if there is none.
  package var end: Double { ends.last ?? 0 }

  /// The time from the first beat to the last, gaps included, in seconds.
  package var duration: Double { end - start }

  /// The ranges of intervals that follow one another without a gap.
  package var stretches: [Range<Int>] {
    guard count > 0 else { return [] }
    let bounds = [0] + breaks + [count]
    return zip(bounds, bounds.dropFirst()).map { $0..<$1 }
  }

  /// The stretch with the most intervals; the earliest of several.
  package var longestStretch: Range<Int> {
    stretches.max { ($0.count, $1.lowerBound) < ($1.count, $0.lowerBound) } ?? 0..<0
  }

  /// The part of the series between two times, with the intervals that lie wholly within.
  ///
  /// - Parameters:
  ///   - from: the earliest beginning of an interval, in seconds.
  ///   - to: the latest end of an interval, in seconds.
  /// - Returns: the intervals with their times, and a break between those that did not follow one another. Dropped
  ///   intervals keep their index among all given ones.
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
      omissions: omissions.filter { $0.time >= from - Self.timeTolerance && $0.time <= to + Self.timeTolerance },
      settled: settled.isEmpty ? [] : Set(kept.indices.filter { settled.contains(kept[$0]) }))
  }

  /// The indices of intervals that lie wholly between two times in seconds.
  package func indices(from: Double, to: Double) -> [Int] {
    intervals.indices.filter {
      ends[$0] - intervals[$0] / 1000 >= from - Self.timeTolerance && ends[$0] <= to + Self.timeTolerance
    }
  }

  /// The largest rounding error of a summed time, in seconds.
  private static let timeTolerance = 1e-6

  /// The differences between successive intervals without a gap, in milliseconds.
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

extension BeatPlacement {
  /// The intervals with their times; `nil` if there are none.
  var intervalSeries: IntervalSeries? {
    intervals.isEmpty ? nil : IntervalSeries(intervals, ends: times, gapTolerance: tolerance)
  }
}

extension IntervalSeries {
  // The largest rounding error of times that were computed from intervals, in seconds.
  private static let rounding = 0.015

  /// Builds a series from the intervals of a table's rows; `nil` if there are none.
  ///
  /// If three in four times agree with the intervals, they are times of beats and kept, except for a single early or
  /// late one, whose beat is moved to where its interval ends. Otherwise they are delivery times.
  ///
  /// - Parameters:
  ///   - intervals: the intervals in milliseconds; NaN for a missing one.
  ///   - ends: the time of each row in seconds, ascending.
  /// - Returns: the intervals, with gaps where beats are missing.
  static func rows(_ intervals: [Double], ends: [Double]) -> IntervalSeries? {
    let places = intervals.indices.filter { intervals[$0].isFinite }
    let known = places.map { intervals[$0] }
    var ends = places.map { ends[$0] }
    // How much later each beat ended than its interval predicts.
    let excess = known.indices.dropFirst().map { ends[$0] - ends[$0 - 1] - known[$0] / 1000 }
    guard !excess.isEmpty, excess.count(where: { $0.magnitude <= rounding }) * 4 >= excess.count * 3 else {
      var placement = BeatPlacement(resolution: resolution(ends))
      for (interval, end) in zip(known, ends) { placement.take([interval], end: end) }
      return placement.intervalSeries
    }
    for place in excess.indices.dropLast()
    where excess[place].magnitude > rounding && (excess[place] + excess[place + 1]).magnitude <= 2 * rounding {
      ends[place + 1] -= excess[place]
    }
    return IntervalSeries(known, ends: ends, gapTolerance: BeatPlacement.maxSlip)
  }

  // The rounding of times: seconds, tenths of a second, or less.
  private static func resolution(_ times: [Double]) -> Double {
    [1, 0.1].first { resolution in
      times.allSatisfy { time in
        let count = (time - times[0]) / resolution
        return (count - count.rounded()).magnitude < 1e-6
      }
    } ?? 0
  }
}
