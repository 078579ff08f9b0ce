extension BeatPlacement {
  /// The intervals at their times; `nil` where none were delivered.
  var intervalSeries: IntervalSeries? {
    intervals.isEmpty ? nil : IntervalSeries(intervals, ends: times, gapTolerance: tolerance)
  }
}

extension IntervalSeries {
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
  static func rows(_ intervals: [Double], ends: [Double]) -> IntervalSeries? {
    let places = intervals.indices.filter { intervals[$0].isFinite }
    let known = places.map { intervals[$0] }
    var ends = places.map { ends[$0] }
    // How much later each beat ended than its interval says.
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
    return IntervalSeries(known, ends: ends, gapTolerance: BeatPlacement.longestSlip)
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
