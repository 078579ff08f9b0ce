internal import Analysis

extension Recording {
  /// One recording for each sensor, of all that its recorders hold.
  ///
  /// A protocol may have a recorder for each step, and several for one sensor: one of heart rates with their intervals and
  /// one of intervals alone record the same beats. Where two hold the same time, the one with more beats counts.
  ///
  /// - Parameter recordings: the recordings of one trial.
  /// - Returns: one recording for each sensor, in the order in which their first recordings stand.
  public static func joined(_ recordings: [Recording]) -> [Recording] {
    var order: [String?] = []
    for recording in recordings where !order.contains(recording.sensor) { order.append(recording.sensor) }
    return order.compactMap { sensor in joined(sameSensor: recordings.filter { $0.sensor == sensor }) }
  }

  private static func joined(sameSensor parts: [Recording]) -> Recording? {
    guard var whole = parts.first, parts.count > 1 else { return parts.first }
    var names: [String] = []
    for part in parts {
      if let name = part.recorder, !names.contains(name) { names.append(name) }
    }
    whole.recorder = names.isEmpty ? nil : names.joined(separator: ", ")
    whole.remarks = parts.flatMap(\.remarks).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let beats = disjoint(parts.compactMap(\.beats).filter { $0.count > 0 }) { ($0.start, $0.end, $0.count) }
    whole.beats =
      beats.isEmpty
      ? nil
      : IntervalSeries(
        beats.flatMap(\.intervals), ends: beats.flatMap(\.ends), gapTolerance: BeatTimes.tolerance)
    let rates = disjoint(parts.map(\.rates).filter { !$0.times.isEmpty }) {
      ($0.times[0], $0.times[$0.times.count - 1], $0.times.count)
    }
    whole.rates = HeartRates(rates.flatMap { zip($0.times, $0.values).map { (time: $0, value: $1) } })
    return whole
  }

  /// The parts of which none lies in another's time, the fullest first; in the order of time.
  private static func disjoint<Part>(
    _ parts: [Part], _ extent: (Part) -> (start: Double, end: Double, count: Int)
  ) -> [Part] {
    var kept: [Part] = []
    let fullestFirst = parts.enumerated().sorted {
      (-extent($0.element).count, $0.offset) < (-extent($1.element).count, $1.offset)
    }
    for (_, part) in fullestFirst {
      let (start, end, _) = extent(part)
      // The interval during which one recorder stops and the next starts may be in both.
      let overlaps = kept.contains { other in
        let (from, to, _) = extent(other)
        return min(end, to) - max(start, from) > 2
      }
      if !overlaps { kept.append(part) }
    }
    return kept.sorted { extent($0).start < extent($1).start }
  }
}
