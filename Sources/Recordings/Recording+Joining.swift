internal import Analysis

extension Recording {
  /// What the recorders of each sensor hold together, over the whole trial.
  ///
  /// A trial has recorders for each of its steps, and often two for one sensor: heart rates, which bring their intervals
  /// along, and the intervals themselves. What was delivered once counts once.
  ///
  /// - Parameter recordings: the recordings of one bundle or file.
  /// - Returns: one recording for each sensor, in the order in which sensors first stand there.
  public static func joined(_ recordings: [Recording]) -> [Recording] {
    var order: [String?] = []
    var groups: [String?: [Recording]] = [:]
    for recording in recordings {
      if groups[recording.sensor] == nil { order.append(recording.sensor) }
      groups[recording.sensor, default: []].append(recording)
    }
    return order.compactMap { groups[$0].flatMap(join) }
  }

  private static func join(_ parts: [Recording]) -> Recording? {
    guard parts.count > 1, var whole = parts.first else { return parts.first }
    whole.recorder = nil
    whole.beats = IntervalSeries.union(parts.compactMap(\.beats))
    let rates = parts.flatMap { Array(zip($0.rates.times, $0.rates.values)) }.sorted { $0.0 < $1.0 }
    var kept: [(time: Double, value: Double)] = []
    for (time, value) in rates where kept.last.map({ $0 != (time, value) }) ?? true { kept.append((time, value)) }
    whole.rates = HeartRates(kept)
    whole.remarks = parts.flatMap { part in
      part.remarks.map { remark in part.recorder.map { "\($0): \(remark)" } ?? remark }
    }
    return whole
  }
}

extension IntervalSeries {
  /// The intervals of several series of one heart; of those that cover the same time one is kept.
  fileprivate static func union(_ series: [IntervalSeries]) -> IntervalSeries? {
    guard series.count > 1 else { return series.first }
    let all = series.flatMap { Array(zip($0.ends, $0.intervals)) }.sorted { $0.0 < $1.0 }
    var (intervals, ends): ([Double], [Double]) = ([], [])
    for (end, interval) in all {
      // Times of one beat may differ a little between recorders, but never by half an interval.
      if let last = ends.last, end - interval / 2000 < last { continue }
      intervals.append(interval)
      ends.append(end)
    }
    return IntervalSeries(intervals, ends: ends, gapTolerance: BeatTimes.tolerance)
  }
}
