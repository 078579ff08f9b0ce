import Basics

/// Determines the times of beats from a sensor's deliveries, and the gaps where beats were lost.
///
/// A sensor's intervals are exact to about a millisecond; its deliveries can be late (radio, buffer, stall) but never
/// early. So each stretch of intervals is laid end to end and moved to the time of its least late delivery. If
/// deliveries remain later than before, by more than the drift of a heart or clock explains, beats were lost: a gap.
///
/// This is the only rule for gaps between beats: analyses, charts and the store's heartbeat series get their gaps from
/// it, and a live chain of beats its threshold.
package struct BeatPlacement: Sendable {
  /// The largest delay with which a beat may begin after the end of its predecessor and still follow it, in seconds; a
  /// longer delay is a gap in which a beat was lost.
  ///
  /// Delivery jitter is smaller than this. The interval at 240 beats per minute, the shortest gap that a lost beat
  /// leaves, is as long.
  package static let maxSlip = 0.25

  /// The longest valid interval, in milliseconds: one hour, longer than any pause of a beating heart.
  static let maxInterval = 3_600_000.0

  /// The relation of a beat to its predecessor.
  package enum Joint: Hashable, Sendable {
    /// It begins where its predecessor ends, within the tolerance.
    case follows
    /// A beat between them was lost.
    case afterGap
    /// It begins before its predecessor ends, so one of them is wrong.
    case overlaps
  }

  /// A beat with its time.
  package struct Beat: Hashable, Sendable {
    /// The interval that the beat ends, in milliseconds.
    package let interval: Double
    /// The time of the beat, in seconds.
    package let end: Double
    /// The index of its delivery.
    package let delivery: Int
    /// The relation to the previous beat of its series; the first beat follows.
    package fileprivate(set) var joint: Joint
  }

  // The number of deliveries compared on either side: about a minute.
  private static let reach = 60

  /// The tolerance for a beat that follows, in seconds: ``maxSlip`` plus the rounding of delivery times.
  let tolerance: Double

  /// The intervals in milliseconds, as delivered.
  private(set) var intervals: [Double] = []

  // The end of each interval if the first began at 0 and no beat was lost, in seconds.
  private var ends: [Double] = []
  // For each delivery: the index after its last interval, and its lateness relative to `ends`.
  private var deliveries: [(end: Int, lateness: Double)] = []

  /// Creates a placement without beats.
  ///
  /// - Parameter resolution: the rounding of delivery times, in seconds; shorter gaps cannot be detected.
  init(resolution: Double = 0) { tolerance = Self.maxSlip + resolution }

  /// Takes the intervals of one delivery; those that are not above zero are skipped.
  ///
  /// - Parameters:
  ///   - delivered: the intervals in milliseconds, oldest first.
  ///   - end: the end of the last interval according to the delivery, in seconds.
  mutating func take(_ delivered: [Double], end: Double) {
    for interval in delivered where interval > 0 && interval.isFinite {
      intervals.append(interval)
      // Too long intervals take no time here, and series drop them.
      ends.append((ends.last ?? 0) + (interval <= Self.maxInterval ? interval / 1000 : 0))
    }
    guard let last = ends.last, deliveries.last?.end != ends.count else { return }
    deliveries.append((ends.count, end - last))
  }

  /// The end of each of ``intervals``, in seconds.
  var times: [Double] {
    var placed: [Double] = []
    placed.reserveCapacity(ends.count)
    for stretch in stretches {
      let lateness = deliveries[stretch].map(\.lateness)
      let ahead = Self.leastAhead(lateness)
      let behind = Array(Self.leastAhead(lateness.reversed()).reversed())
      for (place, delivery) in deliveries[stretch].enumerated() {
        let shift = min(ahead[place], behind[place])
        placed += ends[placed.count..<delivery.end].map { $0 + shift }
      }
    }
    return placed
  }

  /// The beats in the order of time: those that an analysis counts, and those that it drops because they overlap
  /// another.
  ///
  /// Both are derived from one list by the same rule, which compares a beat with the last counted one. Intervals longer
  /// than `maxInterval` are in neither, and leave a gap.
  package var series: (counted: [Beat], overlapping: [Beat]) {
    var delivery = 0
    var beats: [Beat] = []
    var isAfterTooLong = false
    for (place, end) in times.enumerated() {
      while deliveries[delivery].end <= place { delivery += 1 }
      guard intervals[place] <= Self.maxInterval else {
        isAfterTooLong = true
        continue
      }
      let joint = isAfterTooLong ? Joint.afterGap : .follows
      beats.append(Beat(interval: intervals[place], end: end, delivery: delivery, joint: joint))
      isAfterTooLong = false
    }
    // Swift's sort is stable.
    if zip(beats, beats.dropFirst()).contains(where: { $0.end > $1.end }) { beats.sort { $0.end < $1.end } }
    var (counted, overlapping): ([Beat], [Beat]) = ([], [])
    for var beat in beats {
      let joint = self.joint(of: beat, after: counted.last)
      if joint != .overlaps {
        beat.joint = joint
        counted.append(beat)
      } else {
        beat.joint = self.joint(of: beat, after: overlapping.last)
        overlapping.append(beat)
      }
    }
    return (counted, overlapping)
  }

  private func joint(of beat: Beat, after last: Beat?) -> Joint {
    guard let last else { return .follows }
    let start = beat.end - beat.interval / 1000
    if beat.end <= last.end || start < last.end - tolerance { return .overlaps }
    return beat.joint != .afterGap && start - last.end <= tolerance ? .follows : .afterGap
  }

  // Deliveries between which no beat was lost: a stretch begins where even the least late of the following deliveries
  // is later than all before. If the following ones are earlier, the preceding ones were late.
  private var stretches: [Range<Int>] {
    let ahead = Self.leastAhead(deliveries.map(\.lateness))
    var stretches: [Range<Int>] = []
    var start = 0
    var behind = RollingMinimum()
    for (place, delivery) in deliveries.enumerated() {
      if place > start, ahead[place] - behind.least > tolerance {
        stretches.append(start..<place)
        start = place
        behind = RollingMinimum()
      }
      behind.take(delivery.lateness, at: place, reach: Self.reach)
    }
    return stretches + [start..<deliveries.count]
  }

  /// The minimum of each number and its successors within reach.
  private static func leastAhead(_ numbers: [Double]) -> [Double] {
    var least = RollingMinimum()
    return Array(
      numbers.reversed().enumerated().map { place, number in
        least.take(number, at: place, reach: reach)
        return least.least
      }.reversed())
  }
}

/// The minimum of the last numbers, in constant time per number.
private struct RollingMinimum {
  // Ascending numbers with their indices; the first is the minimum.
  private var queue: [(place: Int, number: Double)] = []
  private var head = 0

  var least: Double { queue[head].number }

  mutating func take(_ number: Double, at place: Int, reach: Int) {
    while queue.count > head, queue[queue.count - 1].number >= number { queue.removeLast() }
    queue.append((place, number))
    while queue[head].place < place - reach { head += 1 }
  }
}

/// Heart rates as reported by a sensor.
package struct HeartRates: Hashable, Sendable {
  /// The time of each rate, in seconds, ascending.
  package private(set) var times: [Double]

  /// Beats per minute, one per time.
  package private(set) var values: [Double]

  package init() { (times, values) = ([], []) }

  /// Creates a series, sorted by time and then by value; values that are not numbers or not above zero are dropped.
  package init(_ rates: [(time: Double, value: Double)]) {
    let known = rates.filter { $0.time.isFinite && $0.value.isFinite && $0.value > 0 }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
    let ordered = isOrdered ? known : known.sorted { $0 < $1 }
    (times, values) = (ordered.map(\.time), ordered.map(\.value))
  }

  /// The number of times with several different rates, and the number of these rates.
  var shared: (times: Int, rates: Int) {
    var shared = (times: 0, rates: 0)
    var start = 0
    for end in 1...max(1, times.count) where end == times.count || end < times.count && times[end] != times[start] {
      // Rates with the same time ascend.
      if values[start] != values[end - 1] { shared = (shared.times + 1, shared.rates + end - start) }
      start = end
    }
    return shared
  }

  /// The caveat on times with several different rates; `nil` without any.
  var sharedCaveat: RecordingCaveat? {
    let (times, rates) = shared
    return times > 0 ? .differentRates(times: times, rates: rates) : nil
  }
}
