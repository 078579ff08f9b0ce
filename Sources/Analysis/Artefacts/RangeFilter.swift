import Recordings

/// A filter that drops intervals beyond limits without replacement.
///
/// A dropped interval becomes a gap, over which no difference is taken.
package struct RangeFilter: Hashable, Sendable {
  /// The shortest and the longest accepted interval, in milliseconds.
  var limits: ClosedRange<Double>

  /// The largest deviation of an interval from the median of the eleven around it, as a fraction of that median; `nil`
  /// for no limit.
  var greatestDeviation: Double?

  /// Creates a filter; the default limits are heart rates of 200 and 30 per minute.
  init(limits: ClosedRange<Double> = 300...2000, greatestDeviation: Double? = nil) {
    self.limits = limits
    self.greatestDeviation = greatestDeviation
  }

  /// Drops the intervals beyond the limits.
  func correct(_ raw: IntervalSeries) -> CorrectedSeries {
    var isOut = raw.intervals.indices.map { !limits.contains(raw.intervals[$0]) && !raw.settled.contains($0) }
    if let greatestDeviation {
      for stretch in raw.stretches {
        let intervals = Array(raw.intervals[stretch])
        let medians = RollingOrder.over(intervals, in: intervals.indices, width: 11) { $0.quantile(0.5) }
        for (place, index) in stretch.enumerated()
        where abs(intervals[place] - medians[place]) > greatestDeviation * medians[place]
          && !raw.settled.contains(index)
        {
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
    let deviation = greatestDeviation.map { ", at most \(Self.shown(100 * $0)) % away from the median of 11" } ?? ""
    return CorrectedSeries(
      raw: raw, corrected: IntervalSeries(checked: intervals, ends: ends, breaks: breaks),
      artefacts: isOut.indices.filter { isOut[$0] }.map {
        Artefact(
          index: $0, time: raw.ends[$0], interval: raw.intervals[$0], kind: .outOfRange, change: .leftOut)
      },
      method:
        "range filter: \(Self.shown(limits.lowerBound)) to \(Self.shown(limits.upperBound)) ms\(deviation)")
  }
}

extension RangeFilter: CustomStringConvertible {
  /// Parses what ``description`` returns: `300-2000` in milliseconds, or `300-2000,20%` with the largest deviation;
  /// `nil` for anything else, and for limits that are not above zero or not in order.
  init?(_ text: String) {
    func number(_ text: Substring) -> Double? { Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count) else { return nil }
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(number)
    guard bounds.count == 2, let shortest = bounds[0], let longest = bounds[1], shortest < longest else { return nil }
    self.init(limits: shortest...longest)
    guard parts.count == 2 else { return }
    guard parts[1].hasSuffix("%"), let percent = number(parts[1].dropLast()) else { return nil }
    greatestDeviation = percent / 100
  }

  /// The filter as written on a command line.
  package var description: String {
    let deviation = greatestDeviation.map { ",\(Self.shown(100 * $0))%" } ?? ""
    return "\(Self.shown(limits.lowerBound))-\(Self.shown(limits.upperBound))\(deviation)"
  }

  /// A number without a trailing “.0” and without the rounding error of a percentage.
  private static func shown(_ number: Double) -> String {
    let rounded = number < 1e15 ? (number * 1e9).rounded() / 1e9 : number
    return rounded == rounded.rounded() && rounded < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}
