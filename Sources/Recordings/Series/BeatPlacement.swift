import Basics

/// Finds the times of beats from what a sensor delivered, and where beats are lacking.
///
/// A sensor's intervals are exact to about a millisecond, and its deliveries come late, never early: by a radio's turn, a
/// buffer, a stall. So each stretch of intervals is laid end to end and moved to where its least late delivery puts it.
/// Where deliveries stay later than before, by more than a heart's or a clock's drift explains, beats were lost: a gap.
///
/// This is the one rule for gaps between beats: analyses, charts and the store's heartbeat series have their gaps from it,
/// and a live chain of beats its threshold.
package struct BeatPlacement: Sendable {
  /// How much later than the beats before it a beat may begin and still follow them, in seconds: a longer gap lacks a beat.
  ///
  /// Beats are told to come late by jitter of less than this, and the shortest interval of a heart at 240 beats a minute,
  /// which is the shortest gap that a lost beat leaves, is as long.
  package static let longestSlip = 0.25

  /// The longest interval that is taken for one, in milliseconds: an hour, in which no heart that beats stands still.
  package static let longestInterval = 3_600_000.0

  /// How a beat lies to the one before it.
  package enum Joint: Hashable, Sendable {
    /// It begins where that ends, within what a slip is.
    case follows
    /// Something is lacking between them.
    case afterGap
    /// It begins before that ends: one of them cannot be.
    case overlaps
  }

  /// A beat at its time.
  package struct Beat: Hashable, Sendable {
    /// The interval that it ends, in milliseconds.
    package let interval: Double
    /// When it came, in seconds.
    package let end: Double
    /// The delivery that it came with, counted from 0.
    package let delivery: Int
    /// How it lies to the one before it in its series; the first follows.
    package fileprivate(set) var joint: Joint
  }

  // Deliveries that are compared with one another: about a minute to either side.
  private static let reach = 60

  /// How far beats may slip with deliveries whose times are rounded, in seconds.
  package let tolerance: Double

  /// The intervals in milliseconds, as they were delivered.
  package private(set) var intervals: [Double] = []

  // The times at which intervals would end if the first began at 0 and nothing were lost, in seconds.
  private var ends: [Double] = []
  // Of each delivery: the place after its last interval, and how much later it came than `ends` says.
  private var deliveries: [(end: Int, lateness: Double)] = []

  /// No beats yet.
  ///
  /// - Parameter resolution: what the times of deliveries are rounded to, in seconds; shorter gaps cannot be told.
  package init(resolution: Double = 0) { tolerance = Self.longestSlip + resolution }

  /// Takes the intervals that were delivered at once; those that are not above zero are passed over.
  ///
  /// - Parameters:
  ///   - delivered: in milliseconds, oldest first.
  ///   - end: when the last of them ended, as far as its delivery tells, in seconds.
  package mutating func take(_ delivered: [Double], end: Double) {
    for interval in delivered where interval > 0 && interval.isFinite {
      intervals.append(interval)
      // What is too long takes no time, and series leave it out.
      ends.append((ends.last ?? 0) + (interval <= Self.longestInterval ? interval / 1000 : 0))
    }
    guard let last = ends.last, deliveries.last?.end != ends.count else { return }
    deliveries.append((ends.count, end - last))
  }

  /// When each of ``intervals`` ended, in seconds.
  package var times: [Double] {
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

  /// The beats in the order of time: those that an analysis counts, and those that it leaves out because they begin before
  /// another has ended.
  ///
  /// Both are cut from one list by the same rule, in which a beat is compared with the last that counts. What is longer
  /// than ``longestInterval`` is in neither, and leaves a gap.
  package var series: (counted: [Beat], overlapping: [Beat]) {
    var delivery = 0
    var beats: [Beat] = []
    var isAfterTooLong = false
    for (place, end) in times.enumerated() {
      while deliveries[delivery].end <= place { delivery += 1 }
      guard intervals[place] <= Self.longestInterval else {
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

  // Deliveries between which no beat was lost: a stretch begins where even the least late of the deliveries to come is
  // later than all before. Where they are earlier, those before were late.
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

  /// The least of each number and those that follow it within reach.
  private static func leastAhead(_ numbers: [Double]) -> [Double] {
    var least = RollingMinimum()
    return Array(
      numbers.reversed().enumerated().map { place, number in
        least.take(number, at: place, reach: reach)
        return least.least
      }.reversed())
  }
}

/// The least of the last numbers, in constant time for each.
private struct RollingMinimum {
  // Numbers that ascend, with their places; the first is the least.
  private var queue: [(place: Int, number: Double)] = []
  private var head = 0

  var least: Double { queue[head].number }

  mutating func take(_ number: Double, at place: Int, reach: Int) {
    while queue.count > head, queue[queue.count - 1].number >= number { queue.removeLast() }
    queue.append((place, number))
    while queue[head].place < place - reach { head += 1 }
  }
}
