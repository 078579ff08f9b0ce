import Recordings

/// The parameters of sample entropy.
///
/// Richman and Moorman, American Journal of Physiology 278:H2039, 2000.
struct SampleEntropySettings: Hashable, Sendable {
  /// m: the number of values in the shorter templates.
  var templateLength: Int

  /// r: the tolerance, as a multiple of the standard deviation.
  var toleranceFactor: Double

  /// The number subtracted in the standard deviation's denominator; usually 1.
  var lostDegrees: Int

  /// Whether values match if their distance equals the tolerance exactly.
  var isClosed: Bool

  init(
    templateLength: Int = 2, toleranceFactor: Double = 0.2, lostDegrees: Int = 1, isClosed: Bool = true
  ) {
    self.templateLength = templateLength
    self.toleranceFactor = toleranceFactor
    self.lostDegrees = lostDegrees
    self.isClosed = isClosed
  }
}

/// The numbers of matching template pairs.
struct TemplateMatches: Equatable {
  /// A: pairs of templates of length m + 1.
  var long: Int

  /// B: pairs of templates of length m that have a successor.
  var short: Int

  /// The tolerance in milliseconds.
  var tolerance: Double

  /// Whether all values are equal, so that templates cannot be distinguished.
  var isConstant: Bool

  /// -ln(A/B); `nil` if no pair matches, or if the values do not vary.
  var entropy: Double? { long > 0 && !isConstant ? logarithm(Double(short) / Double(long)) : nil }

  /// Counts the matches in a series, where no template spans a gap; `nil` for fewer than two templates.
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
