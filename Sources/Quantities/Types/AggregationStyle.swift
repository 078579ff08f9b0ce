/// How the samples of a quantity type are aggregated, as in HealthKit.
package enum AggregationStyle: String, Hashable, Sendable, CaseIterable {
  /// Sum: steps, energy.
  case cumulative
  /// Arithmetic mean: body mass.
  case discreteArithmetic
  /// Time-weighted mean: heart rate.
  case discreteTemporallyWeighted
  /// Equivalent continuous sound level, which has the same energy: sound exposure.
  case discreteEquivalentContinuousLevel

  /// Whether samples have a sum, rather than a mean, minimum and maximum.
  package var isCumulative: Bool { self == .cumulative }
}
