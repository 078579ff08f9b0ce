/// What a statistics query computes, with HealthKit's bits.
public struct StatisticsOptions: OptionSet, Hashable, Sendable {
  /// HealthKit's number.
  public let rawValue: Int

  /// The options of a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Each source's values beside those of all.
  public static let separateBySource = Self(rawValue: 1)
  /// The average of a discrete type, by the method that ``Statistics/averageMethod`` names.
  public static let discreteAverage = Self(rawValue: 2)
  /// The least value of a discrete type.
  public static let discreteMin = Self(rawValue: 4)
  /// The greatest value of a discrete type.
  public static let discreteMax = Self(rawValue: 8)
  /// The sum of a cumulative type, in which no time counts twice.
  public static let cumulativeSum = Self(rawValue: 16)
  /// The value that ends last.
  public static let mostRecent = Self(rawValue: 32)
  /// The time that samples cover.
  public static let duration = Self(rawValue: 64)

  /// HealthKit's name of the first option that the type does not have; `nil` when it has all.
  func firstIncompatible(isCumulative: Bool) -> String? {
    let refused: [(Self, String)] =
      isCumulative
      ? [
        (.discreteAverage, "DiscreteAverage"), (.discreteMin, "DiscreteMin"), (.discreteMax, "DiscreteMax"),
      ] : [(.cumulativeSum, "CumulativeSum")]
    return refused.first { contains($0.0) }.map { "HKStatisticsOption\($0.1)" }
  }
}
