import Recordings

/// How sample entropy is computed.
///
/// Richman and Moorman, American Journal of Physiology 278:H2039, 2000.
package struct SampleEntropySettings: Hashable, Sendable {
  /// m: how many values the shorter templates have.
  package var templateLength: Int

  /// r: how far two values may be apart, as a multiple of the standard deviation.
  package var toleranceFactor: Double

  /// What is taken off the count in the standard deviation's denominator; usually 1.
  package var lostDegrees: Int

  /// Whether values that are exactly as far apart as the tolerance still match.
  package var isClosed: Bool

  /// Settings.
  package init(
    templateLength: Int = 2, toleranceFactor: Double = 0.2, lostDegrees: Int = 1, isClosed: Bool = true
  ) {
    self.templateLength = templateLength
    self.toleranceFactor = toleranceFactor
    self.lostDegrees = lostDegrees
    self.isClosed = isClosed
  }
}

/// How many pairs of templates match.
struct TemplateMatches: Equatable {
  /// A: pairs of templates of length m + 1.
  var long: Int

  /// B: pairs of templates of length m, of those that could be longer.
  var short: Int

  /// The tolerance in milliseconds.
  var tolerance: Double

  /// Whether all values are the same, which leaves nothing to tell templates apart by.
  var isConstant: Bool

  /// -ln(A/B); `nil` where no pair matches, and for values that do not vary.
  var entropy: Double? { long > 0 && !isConstant ? logarithm(Double(short) / Double(long)) : nil }

  /// The matches in a series, where no template reaches over a gap; `nil` for fewer than two templates.
  init?(in series: IntervalSeries, _ settings: SampleEntropySettings) {
    let length = settings.templateLength
    let starts = series.stretches.flatMap { $0.lowerBound..<max($0.lowerBound, $0.upperBound - length) }
    guard
      starts.count >= 2,
      let deviation = standardDeviation(series.intervals, lostDegrees: settings.lostDegrees)
    else { return nil }
    tolerance = settings.toleranceFactor * deviation
    isConstant = series.intervals.allSatisfy { $0 == series.intervals[0] }
    func pairs(_ dimension: Int, _ tolerance: Double) -> Int {
      TemplatePairs(
        of: series.intervals, starts: starts, dimension: dimension, tolerance: tolerance, isClosed: settings.isClosed
      ).count
    }
    short = pairs(length, tolerance)
    long = pairs(length + 1, tolerance)
  }
}
