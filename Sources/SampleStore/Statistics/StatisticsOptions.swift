/// The values that a statistics query computes, with HealthKit's raw values.
package struct StatisticsOptions: OptionSet, Hashable, Sendable {
  /// HealthKit's raw value.
  package let rawValue: Int

  /// Creates options from a raw value.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Each source's values in addition to those over all sources.
  package static let separateBySource = Self(rawValue: 1)
  /// The average of a discrete type, by the method that ``Statistics/averageMethod`` names.
  package static let discreteAverage = Self(rawValue: 2)
  /// The minimum of a discrete type.
  package static let discreteMin = Self(rawValue: 4)
  /// The maximum of a discrete type.
  package static let discreteMax = Self(rawValue: 8)
  /// The sum of a cumulative type, in which no time counts twice.
  package static let cumulativeSum = Self(rawValue: 16)
  /// The value of the sample that ends last.
  package static let mostRecent = Self(rawValue: 32)
  /// The total time that samples cover.
  package static let duration = Self(rawValue: 64)

  /// HealthKit's name of the first option that does not apply to the type; `nil` if all apply.
  func firstIncompatible(isCumulative: Bool) -> String? {
    let refused: [(Self, String)] =
      isCumulative
      ? [
        (.discreteAverage, "DiscreteAverage"), (.discreteMin, "DiscreteMin"), (.discreteMax, "DiscreteMax"),
      ] : [(.cumulativeSum, "CumulativeSum")]
    return refused.first { contains($0.0) }.map { "HKStatisticsOption\($0.1)" }
  }
}
