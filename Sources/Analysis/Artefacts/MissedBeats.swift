import Recordings

/// The intervals with more than one missed beat in a row, which the paper's classes do not include.
struct MissedBeats {
  /// The number of beats to insert, by interval index.
  private(set) var inserted: [Int: Int] = [:]

  /// The intervals to drop, ascending: too many beats are missing, or their number does not fit.
  private(set) var leftOut: [Int] = []

  /// Analyses intervals of a series without a gap.
  ///
  /// An interval above two and a half times both medians (over the classification's neighbourhood and over the
  /// thresholds' width) is compared with its nearest multiple: it fits if each part would be closer to the median than
  /// the threshold for a single missed beat. Beside a gap it is dropped in any case.
  init(_ raw: IntervalSeries, _ range: Range<Int>, _ settings: LipponenTarvainen) {
    let surroundings = settings.surroundings(of: range, in: raw)
    guard surroundings.count >= LipponenTarvainen.minIntervals else { return }
    let rr = Array(raw.intervals[surroundings])
    let own = range.lowerBound - surroundings.lowerBound..<range.upperBound - surroundings.lowerBound
    let medians = RollingOrder.over(rr, in: rr.indices, width: settings.medianWidth) { $0.quantile(0.5) }
    guard own.contains(where: { rr[$0] > 2.5 * medians[$0] }) else { return }
    let distances = zip(rr, medians).map { ($0 < $1 ? 2 * ($0 - $1) : $0 - $1).magnitude }
    for place in own where rr[place] > 2.5 * medians[place] {
      func around(_ numbers: [Double], _ value: (borrowing RollingOrder) -> Double) -> Double {
        RollingOrder.over(numbers, in: place..<place + 1, width: settings.thresholdWidth, value)[0]
      }
      let median = max(medians[place], around(rr) { $0.quantile(0.5) })
      guard rr[place] > 2.5 * median else { continue }
      let index = surroundings.lowerBound + place
      let multiple = (rr[place] / median).rounded()
      let threshold = around(distances) { settings.threshold(of: $0) }
      let isAtEnd = index == range.lowerBound || index - 1 == leftOut.last || index == range.upperBound - 1
      if !isAtEnd, multiple <= Double(settings.mostMissed + 1), abs(rr[place] / multiple - median) < threshold {
        inserted[index] = Int(multiple) - 1
      } else {
        leftOut.append(index)
      }
    }
    // Those just before a gap are dropped too.
    for index in leftOut.reversed() {
      var previous = index - 1
      while inserted.removeValue(forKey: previous) != nil {
        leftOut.append(previous)
        previous -= 1
      }
    }
    leftOut.sort()
  }
}
