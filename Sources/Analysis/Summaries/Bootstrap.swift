import Basics

/// Confidence intervals by resampling the observations.
///
/// Efron, Annals of Statistics 7:1, 1979. The interval lies between percentiles of the means of samples drawn with
/// replacement, each as large as the set of observations. The same observations and seed give the same interval.
package struct Bootstrap: Hashable, Sendable {
  /// The nominal coverage of the intervals.
  var level: Double

  /// The number of samples to draw.
  package var resamples: Int

  /// The seed of xoshiro256**.
  package var seed: UInt64

  /// Creates a bootstrap.
  ///
  /// - Precondition: the level lies between 0 and 1, and the number of samples is above zero.
  package init(level: Double = 0.95, resamples: Int = 2000, seed: UInt64 = 1) {
    precondition(level > 0 && level < 1 && resamples > 0, "a bootstrap needs a level below one, and a sample")
    self.level = level
    self.resamples = resamples
    self.seed = seed
  }

  /// The interval of a mean; `nil` for fewer than two observations, and if their sum is not finite.
  func interval(ofMean observations: [Double]) -> ConfidenceInterval? {
    guard observations.count >= 2 else { return nil }
    var random = Xoshiro256StarStar(seed: seed)
    let count = UInt64(observations.count)
    var means = (0..<resamples).map { _ in
      var sum = 0.0
      for _ in observations { sum += observations[Int(random.next(below: count))] }
      return sum / Double(observations.count)
    }
    means.sort()
    func percentile(_ share: Double) -> Double {
      let place = Double(means.count - 1) * share
      let low = Int(place)
      let high = min(low + 1, means.count - 1)
      return means[low] + (means[high] - means[low]) * (place - Double(low))
    }
    let (lower, upper) = (percentile((1 - level) / 2), percentile((1 + level) / 2))
    guard lower.isFinite, upper.isFinite else { return nil }
    return ConfidenceInterval(lower: lower, upper: upper, observations: observations.count, bootstrap: self)
  }
}

/// A confidence interval of a mean, with its method.
package struct ConfidenceInterval: Hashable, Sendable {
  /// The lower bound.
  package let lower: Double

  /// The upper bound.
  package let upper: Double

  /// The number of observations.
  let observations: Int

  /// The level, the number of samples and the seed.
  let bootstrap: Bootstrap

  /// The caveat on too few observations; `nil` if there are enough.
  ///
  /// With two observations the samples' means lie between them, whatever the level; the limit of ten is the station's
  /// choice.
  var caveat: AnalysisCaveat? { observations >= 10 ? nil : .fewObservations(count: observations) }
}

/// The sampling unit of a mean, a standard deviation and a confidence interval.
package enum SamplingUnit: String, Hashable, Sendable {
  /// Participants, each of whom counts once; the results generalise to similar participants.
  case participants

  /// The trials of one participant; the results do not generalise to others.
  case trials
}
