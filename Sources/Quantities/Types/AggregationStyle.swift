/// How the samples of a quantity type are summed up, as in HealthKit.
package enum AggregationStyle: String, Hashable, Sendable, CaseIterable {
  /// By their sum: steps, energy.
  case cumulative
  /// By their arithmetic mean: body mass.
  case discreteArithmetic
  /// By a mean in which a value counts for as long as it holds: heart rate.
  case discreteTemporallyWeighted
  /// By the steady sound level that has the same energy: exposure to sound.
  case discreteEquivalentContinuousLevel

  /// Whether samples have a sum, and no mean, minimum or maximum.
  package var isCumulative: Bool { self == .cumulative }
}
