internal import Analysis

/// Finds the times of beats from what a sensor delivered.
///
/// A sensor's intervals are exact to about a millisecond, and its deliveries come late, never early: by a radio's turn, a
/// buffer, a stall. So each stretch of intervals is laid end to end and moved to where its least late delivery puts it.
/// Where deliveries stay later than before, by more than a heart's or a clock's drift explains, beats were lost: a gap.
struct BeatTimes {
  /// Deliveries that are compared with one another: about a minute to either side.
  private static let reach = 60

  // How much later deliveries may become before it counts as a gap, in seconds; the shortest of intervals is longer.
  private let tolerance: Double

  private var intervals: [Double] = []
  // The times at which intervals would end if the first began at 0 and nothing were lost, in seconds.
  private var ends: [Double] = []
  // Of each delivery: the place after its last interval, and how much later it came than `ends` says.
  private var deliveries: [(end: Int, lateness: Double)] = []

  /// No beats yet.
  ///
  /// - Parameter resolution: what the times of deliveries are rounded to, in seconds; shorter gaps cannot be told.
  init(resolution: Double = 0) { tolerance = 0.25 + resolution }

  /// Takes the intervals that were delivered at once.
  ///
  /// - Parameters:
  ///   - delivered: in milliseconds, oldest first.
  ///   - end: when the last of them ended, as far as its delivery tells, in seconds.
  mutating func take(_ delivered: [Double], end: Double) {
    for interval in delivered where interval > 0 {
      intervals.append(interval)
      // What is too long takes no time, and the series leaves it out.
      ends.append((ends.last ?? 0) + (interval <= IntervalSeries.longest ? interval / 1000 : 0))
    }
    guard let last = ends.last, deliveries.last?.end != ends.count else { return }
    deliveries.append((ends.count, end - last))
  }

  /// The intervals at their times; `nil` where none were delivered.
  var series: IntervalSeries? {
    guard !deliveries.isEmpty else { return nil }
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
    return IntervalSeries(intervals, ends: placed, gapTolerance: tolerance)
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

extension BeatTimes {
  // Times that were made from intervals differ from them by rounding, in seconds.
  private static let rounding = 0.015

  /// The intervals of a table's rows at their times; `nil` where there are none.
  ///
  /// Times of which three in four are those of the beats stand as they are, but for one that is early or late by itself,
  /// whose beat ends where its interval does. Other times are those of deliveries.
  ///
  /// - Parameters:
  ///   - intervals: in milliseconds; what is missing is not a number.
  ///   - ends: the time of each row in seconds, ascending.
  /// - Returns: the intervals, with gaps where beats are lacking.
  static func ofRows(_ intervals: [Double], ends: [Double]) -> IntervalSeries? {
    let places = intervals.indices.filter { intervals[$0].isFinite }
    let known = places.map { intervals[$0] }
    var ends = places.map { ends[$0] }
    // How much later each beat ended than its interval says.
    let excess = known.indices.dropFirst().map { ends[$0] - ends[$0 - 1] - known[$0] / 1000 }
    guard !excess.isEmpty, excess.count(where: { $0.magnitude <= rounding }) * 4 >= excess.count * 3 else {
      var times = BeatTimes(resolution: resolution(ends))
      for (interval, end) in zip(known, ends) { times.take([interval], end: end) }
      return times.series
    }
    for place in excess.indices.dropLast()
    where excess[place].magnitude > rounding && (excess[place] + excess[place + 1]).magnitude <= 2 * rounding {
      ends[place + 1] -= excess[place]
    }
    return IntervalSeries(known, ends: ends)
  }

  // What times are rounded to: seconds, tenths, or less.
  private static func resolution(_ times: [Double]) -> Double {
    [1, 0.1].first { resolution in
      times.allSatisfy { time in
        let count = (time - times[0]) / resolution
        return (count - count.rounded()).magnitude < 1e-6
      }
    } ?? 0
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
