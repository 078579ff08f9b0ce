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
