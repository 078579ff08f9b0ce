/// A filter that leaves out intervals beyond limits, and puts nothing in their place.
///
/// What it leaves out becomes a gap, over which no difference is taken.
public struct RangeFilter: Hashable, Sendable {
  /// The shortest and the longest interval that is kept, in milliseconds.
  public var limits: ClosedRange<Double>

  /// How far an interval may lie from the median of the eleven around it, as a share of that; `nil` for any distance.
  public var greatestDeviation: Double?

  /// A filter; its default limits are heart rates of 200 and 30 a minute.
  public init(limits: ClosedRange<Double> = 300...2000, greatestDeviation: Double? = nil) {
    self.limits = limits
    self.greatestDeviation = greatestDeviation
  }

  /// A series without the intervals beyond the limits.
  public func correct(_ raw: IntervalSeries) -> CorrectedSeries {
    var isOut = raw.intervals.map { !limits.contains($0) }
    if let greatestDeviation {
      for stretch in raw.stretches {
        let intervals = Array(raw.intervals[stretch])
        let medians = RollingOrder.over(intervals, in: intervals.indices, width: 11) { $0.quantile(0.5) }
        for (place, index) in stretch.enumerated()
        where abs(intervals[place] - medians[place]) > greatestDeviation * medians[place] {
          isOut[index] = true
        }
      }
    }
    let breaksBefore = Set(raw.breaks)
    var (intervals, ends, breaks): ([Double], [Double], [Int]) = ([], [], [])
    var isInterrupted = false
    for index in raw.intervals.indices {
      if isOut[index] || breaksBefore.contains(index) { isInterrupted = true }
      guard !isOut[index] else { continue }
      if isInterrupted, !intervals.isEmpty { breaks.append(intervals.count) }
      isInterrupted = false
      intervals.append(raw.intervals[index])
      ends.append(raw.ends[index])
    }
    let deviation = greatestDeviation.map { ", at most \($0) of the median of 11 away from it" } ?? ""
    return CorrectedSeries(
      raw: raw, corrected: IntervalSeries(checked: intervals, ends: ends, breaks: breaks),
      artefacts: isOut.indices.filter { isOut[$0] }.map {
        Artefact(
          index: $0, time: raw.ends[$0], interval: raw.intervals[$0], kind: .outOfRange, change: .leftOut)
      },
      method: "range filter: \(limits.lowerBound) to \(limits.upperBound) ms\(deviation)")
  }
}
