import Foundation
import Quantities

@testable import SampleStore

/// Statistics computed slowly and obviously, each value by its definition, for samples in any order.
struct StatisticsReference {
  let samples: [TimedValue]
  let style: AggregationStyle

  /// The samples that lie in an interval, with all or part of them.
  func members(_ lower: Int64, _ upper: Int64, source: Int?) -> [TimedValue] {
    samples.filter { sample in
      let isInside =
        sample.start == sample.end
        ? lower <= sample.start && sample.start < upper : sample.start < upper && sample.end > lower
      return isInside && (source == nil || sample.source == source)
    }
  }

  func minimum(_ lower: Int64, _ upper: Int64, source: Int?) -> Double? {
    members(lower, upper, source: source).map(\.value).min()
  }

  func maximum(_ lower: Int64, _ upper: Int64, source: Int?) -> Double? {
    members(lower, upper, source: source).map(\.value).max()
  }

  func mostRecent(_ lower: Int64, _ upper: Int64, source: Int?) -> TimedValue? {
    var last: TimedValue?
    for sample in members(lower, upper, source: source)
    where last.map({ ($0.end, $0.start) <= (sample.end, sample.start) }) ?? true { last = sample }
    return last
  }

  /// Cuts time at every start, end and edge; between two cuts nothing changes.
  private func pieces(_ lower: Int64, _ upper: Int64) -> [(start: Int64, end: Int64)] {
    let cuts = Set(samples.flatMap { [$0.start, $0.end] } + [lower, upper]).filter { lower <= $0 && $0 <= upper }
      .sorted()
    return zip(cuts, cuts.dropFirst()).map { (start: $0, end: $1) }
  }

  func covered(_ lower: Int64, _ upper: Int64, source: Int?) -> Int64 {
    pieces(lower, upper).filter { piece in
      samples.contains {
        $0.start <= piece.start && $0.end >= piece.end && (source == nil || $0.source == source)
      }
    }.reduce(0) { $0 + $1.end - $1.start }
  }

  /// The sum of one source is that of all its samples; the sum of all asks at each instant who has the highest priority.
  func sum(_ lower: Int64, _ upper: Int64, source: Int?) -> Double {
    var sum = 0.0
    for piece in pieces(lower, upper) {
      let there = samples.filter { $0.start <= piece.start && $0.end >= piece.end && $0.end > $0.start }
      let best = there.map(\.source).min()
      for sample in there where sample.source == source ?? best {
        sum += sample.value * Double(piece.end - piece.start) / Double(sample.end - sample.start)
      }
    }
    for instant in samples where instant.start == instant.end && lower <= instant.start && instant.start < upper {
      let time = instant.start
      let rivals = samples.filter { $0.start <= time && (time < $0.end || $0.start == $0.end && $0.start == time) }
      if instant.source == source ?? rivals.map(\.source).min() { sum += instant.value }
    }
    return sum
  }

  func mean(_ lower: Int64, _ upper: Int64, source: Int?) -> Double? {
    var (weighted, weights) = (0.0, 0.0)
    for sample in samples where source == nil || sample.source == source {
      guard !members(lower, upper, source: nil).filter({ $0.isSame(as: sample) }).isEmpty else { continue }
      let weight: Double
      if style == .discreteArithmetic {
        let time = Double(min(sample.end, upper) - max(sample.start, lower))
        weight = sample.start == sample.end ? 1 : time / Double(sample.end - sample.start)
      } else {
        // Samples of one source with one start share what comes after their own duration, in whatever order they come.
        let own = samples.filter { $0.source == sample.source }
        let together = own.filter { $0.start == sample.start }.count
        let next = own.map(\.start).filter { $0 > sample.start }.min() ?? .max
        let itself = Double(max(0, min(sample.end, upper) - max(sample.start, lower)))
        let until = min(next, sample.end + 10_000_000, upper)
        weight = itself + Double(max(0, until - max(sample.end, lower))) / Double(together)
      }
      weighted += weight * (style == .discreteEquivalentContinuousLevel ? pow(10, sample.value / 10) : sample.value)
      weights += weight
    }
    guard weights > 0 else { return nil }
    return style == .discreteEquivalentContinuousLevel ? 10 * log10(weighted / weights) : weighted / weights
  }
}

extension TimedValue {
  func isSame(as other: TimedValue) -> Bool {
    (start, end, value, source) == (other.start, other.end, other.value, other.source)
  }
}
